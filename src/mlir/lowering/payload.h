// Kernels as this library takes them: one function of linalg on tensors of 32-bit or 64-bit floats, of static
// shapes. Whoever includes this sees nothing of MLIR.
//
// Threads: a Workshop may be used from any; it serves one at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "mlir/model/operation.h"
#include "support/error.h"

namespace ordo::lowering {

struct Tensor {
  std::vector<std::int64_t> shape;
  std::int64_t bytes = 4;  // of an element, a float of that width

  std::size_t elements() const;
  std::size_t size() const { return elements() * static_cast<std::size_t>(bytes); }  // in bytes
};

struct Payload {
  std::string name;  // for messages
  std::string text;  // as given
  model::Kernel kernel;
  std::string symbol;                   // the function's name in C (symbol.h)
  std::vector<Tensor> inputs, outputs;  // arguments and results of the function
  // On small integers every order of its sums gives the same bits: it only adds, multiplies and compares.
  bool exact = false;
  // Trials give it whole numbers from minus this to this.
  double largest_input = 2;
  // It keeps the greatest or the least of many.
  bool selects = false;
};

// How C declares the function of emitObject() (compile.h), in a header of its own, for so many threads.
std::string headerOf(const Payload& payload, unsigned threads = 1);

// MLIR with all its dialects. Making one takes some ten milliseconds.
class Workshop {
 public:
  Workshop();
  ~Workshop();

  // kCorrupt if it is no MLIR, in MLIR's words; kUnsupported, with what is supported, for what is not a
  // kernel as above.
  Result<Payload> read(std::string_view name, std::string_view text);

  // The code after the schedule, which is text of the transform dialect, has been applied. kInternal in
  // MLIR's words if it fails. As stock mlir-opt-22 prints it.
  Result<std::string> apply(const Payload& payload, std::string_view schedule);

  struct Context;
  Context& context() { return *context_; }

 private:
  std::unique_ptr<Context> context_;
};

}  // namespace ordo::lowering
