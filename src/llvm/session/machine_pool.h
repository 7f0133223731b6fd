// Target machines kept for the next session: making one and its subtargets costs more than many passes.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ir/target.h"

namespace llvm {
class Module;
class TargetMachine;
}  // namespace llvm

namespace ordo::session {

// Thread-safe. A machine is used by one holder at a time.
class MachinePool : public std::enable_shared_from_this<MachinePool> {
 public:
  // Gives the machine back when it goes.
  class Lease {
   public:
    Lease(std::shared_ptr<MachinePool> pool, std::string key, std::unique_ptr<llvm::TargetMachine> machine);
    Lease(Lease&&) noexcept;
    Lease& operator=(Lease&&) = delete;
    ~Lease();

    llvm::TargetMachine& operator*() const { return *machine_; }

   private:
    std::shared_ptr<MachinePool> pool_;
    std::string key_;
    std::unique_ptr<llvm::TargetMachine> machine_;
  };

  ~MachinePool();

  // A machine for the module's triple with these options.
  Result<Lease> acquire(const llvm::Module& module, const ir::TargetOptions& options);

 private:
  std::mutex mutex_;
  std::vector<std::pair<std::string, std::unique_ptr<llvm::TargetMachine>>> idle_;
};

}  // namespace ordo::session
