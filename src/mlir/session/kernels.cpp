#include "mlir/session/kernels.h"

namespace ordo::session {
namespace {

constexpr std::size_t kKept = 16;  // for the next session
constexpr std::size_t kMostElements = std::size_t{1} << 26;

}  // namespace

Result<std::shared_ptr<KernelProgram>> Kernels::open(const std::string& name, std::string_view text) {
  const std::lock_guard lock(mutex_);
  if (const auto known = known_.find(text); known != known_.end()) return known->second;
  ORDO_TRY_ASSIGN(lowering::Payload payload, workshop_.read(name, text));
  for (const auto* tensors : {&payload.inputs, &payload.outputs}) {
    for (const lowering::Tensor& tensor : *tensors) {
      if (tensor.elements() > kMostElements) {
        return fail(ErrorCode::kUnsupported, "{}: a tensor has {} elements; up to {} are run here", name,
                    tensor.elements(), kMostElements);
      }
    }
  }
  auto kernel = std::make_shared<const model::Kernel>(payload.kernel);
  auto program = std::make_shared<KernelProgram>(std::move(payload), std::move(kernel));
  if (known_.size() >= kKept) known_.clear();
  known_.emplace(text, program);
  return program;
}

Result<std::shared_ptr<lowering::Trial>> Kernels::trial(KernelProgram& program) {
  const std::lock_guard lock(program.mutex);
  if (!program.trial) {
    ORDO_TRY_ASSIGN(program.trial, lowering::Trial::create(workshop_, program.payload));
  }
  return program.trial;
}

}  // namespace ordo::session
