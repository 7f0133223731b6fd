// From a kernel and a schedule to code that runs here.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "mlir/lowering/payload.h"
#include "support/error.h"

namespace ordo::lowering {

struct Host {
  std::string version;  // of MLIR
  std::string triple, cpu;
};
Host host();

// How code is made, besides the schedule.
struct Target {
  bool library = false;  // functions of mathematics are the C library's, one number at a time
  unsigned threads = 1;  // what is dealt out goes to so many of OpenMP's; 1: without OpenMP
};

// The passes before and after the vectors are lowered, as mlir-opt-22 takes them in builtin.module(…); and
// the sequence of the transform dialect between them.
std::string bufferizationPasses();
std::string_view vectorLowering();
std::string loweringPasses(const Target& target);

// Compiled code. Its workshop may go before it.
class Code {
 public:
  ~Code();

  // Runs it once. `buffers` are those of the inputs and then of the outputs, dense and in row order.
  // REQUIRES: as many and as large as the payload says.
  void run(std::span<void* const> buffers) const;

  // What it computes on the way is forgotten: its memory, between pages that may not be touched, is filled
  // with what is no number.
  void forget() const;
  // Whether nothing was written in front of that memory.
  bool intact() const;

  struct Engine;

 private:
  friend Result<std::unique_ptr<Code>> compile(Workshop&, const Payload&, std::string_view, const Target&);
  explicit Code(std::unique_ptr<Engine> engine);

  std::unique_ptr<Engine> engine_;
};

// `schedule` as of transformText(), or "" for none. kInternal in MLIR's words if a phase fails.
Result<std::unique_ptr<Code>> compile(Workshop& workshop, const Payload& payload, std::string_view schedule,
                                      const Target& target = {});

// The same as an object for this processor: a function of C, payload.symbol, whose arguments are pointers
// to the inputs and then to the outputs, dense and in row order. Errors as of compile().
Result<std::string> emitObject(Workshop& workshop, const Payload& payload, std::string_view schedule,
                               const Target& target = {});

}  // namespace ordo::lowering
