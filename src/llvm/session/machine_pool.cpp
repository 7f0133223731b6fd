#include "llvm/session/machine_pool.h"

#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>

namespace ordo::session {

MachinePool::Lease::Lease(std::shared_ptr<MachinePool> pool, std::string key,
                          std::unique_ptr<llvm::TargetMachine> machine)
    : pool_(std::move(pool)), key_(std::move(key)), machine_(std::move(machine)) {}

MachinePool::Lease::Lease(Lease&&) noexcept = default;

MachinePool::Lease::~Lease() {
  if (machine_ == nullptr) return;
  const std::lock_guard lock(pool_->mutex_);
  pool_->idle_.emplace_back(std::move(key_), std::move(machine_));
}

MachinePool::~MachinePool() = default;

Result<MachinePool::Lease> MachinePool::acquire(const llvm::Module& module,
                                                const ir::TargetOptions& options) {
  // The layout is in it because makeTargetMachine() checks it.
  std::string key = fmt::format(
      "{} {} {} {} {} {} {} {} {} {} {} {}", module.getTargetTriple().str(), module.getDataLayoutStr(),
      options.level, options.relocation, options.code_model, options.function_sections, options.data_sections,
      options.cpu, options.features, options.abi, options.float_abi, options.tlsdesc);
  {
    const std::lock_guard lock(mutex_);
    const auto found =
        std::find_if(idle_.begin(), idle_.end(), [&](const auto& entry) { return entry.first == key; });
    if (found != idle_.end()) {
      std::unique_ptr<llvm::TargetMachine> machine = std::move(found->second);
      idle_.erase(found);
      return Lease(shared_from_this(), std::move(key), std::move(machine));
    }
  }
  ORDO_TRY_ASSIGN(std::unique_ptr<llvm::TargetMachine> machine, ir::makeTargetMachine(module, options));
  return Lease(shared_from_this(), std::move(key), std::move(machine));
}

}  // namespace ordo::session
