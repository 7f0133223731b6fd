// The LLVM backend: sessions on modules, in this process. A pass that crashes takes the process
// with it; env/isolated_session.h wraps this one in workers.
#pragma once

#include <memory>

#include "env/session.h"

namespace ordo::session {

class FunctionCache;
class MachinePool;

// Programs are bitcode or textual IR for this machine's architecture. Actions are pipelines as
// `opt -passes=` reads them, or attribute changes (llvm/actions/attributes.h).
class LlvmBackend final : public env::Backend {
 public:
  LlvmBackend();
  ~LlvmBackend() override;

  Result<env::BackendInfo> describe() override;
  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override;

 private:
  std::shared_ptr<MachinePool> machines_;
  std::shared_ptr<FunctionCache> functions_;
};

}  // namespace ordo::session
