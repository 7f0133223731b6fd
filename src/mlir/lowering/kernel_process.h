// A kernel in a process of its own: an object, or IR of LLVM, linked with a small program of C that calls it
// between pages that may not be touched. What reaches beyond its buffers, or crashes, ends that process and
// not ours.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "mlir/lowering/payload.h"
#include "support/error.h"
#include "support/files.h"

namespace ordo::lowering {

class KernelProcess {
 public:
  enum class Form { kObject, kIr };

  // Links `code`, which defines the function that headerOf(payload) declares. kUnavailable where there is no
  // clang-22; kInternal in its words if it refuses. `threads`: with OpenMP's library.
  static Result<KernelProcess> link(const Payload& payload, std::string_view code, Form form,
                                    unsigned threads = 1);

  struct Ran {
    std::string outputs;  // one behind the other
    double seconds = 0;   // that the call took, the least of all
    std::string problem;  // "" or why it came to no good end, in words
  };
  // Calls it so many times. `inputs` lie one behind the other and cannot be written to. Outputs begin as what
  // is no number, and each call has to give the same bytes.
  Result<Ran> run(std::string inputs, int times) const;

 private:
  KernelProcess(TempDir dir, std::size_t output_bytes)
      : dir_(std::make_shared<const TempDir>(std::move(dir))), output_bytes_(output_bytes) {}

  std::shared_ptr<const TempDir> dir_;  // of the program
  std::size_t output_bytes_;
};

// The kernel as stock tools lower it: mlir-opt-22 makes plain loops of every operation, mlir-translate-22 IR
// of LLVM and clang-22 code of that. Nothing of this library's own lowering is in it, so that what both agree
// on is no mistake of one. kUnavailable where the tools are not installed, kUnsupported in their words for
// what they do not lower.
Result<KernelProcess> lowerByStock(Workshop& workshop, const Payload& payload);

}  // namespace ordo::lowering
