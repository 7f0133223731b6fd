// Kernels that sessions were opened on, with what is worked out about each once: what the model knows, the
// inputs, and what has to come of them.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "mlir/lowering/compile.h"
#include "mlir/lowering/trial.h"
#include "mlir/model/operation.h"
#include "support/error.h"

namespace ordo::session {

struct KernelProgram {
  lowering::Payload payload;
  std::shared_ptr<const model::Kernel> kernel;
  std::mutex mutex = {};
  std::shared_ptr<lowering::Trial> trial = {};  // made when first needed
};

// Thread-safe.
class Kernels {
 public:
  lowering::Workshop& workshop() { return workshop_; }

  // Errors as of Workshop::read(); kUnsupported for tensors that are too large to run here.
  Result<std::shared_ptr<KernelProgram>> open(const std::string& name, std::string_view text);

  // Errors as of Trial::create().
  Result<std::shared_ptr<lowering::Trial>> trial(KernelProgram& program);

 private:
  lowering::Workshop workshop_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<KernelProgram>, std::less<>> known_;
};

}  // namespace ordo::session
