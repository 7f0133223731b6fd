// The MLIR backend: sessions on kernels of linalg (mlir/lowering/payload.h) whose actions are the steps of a
// schedule (mlir/model/step.h). The model decides and keeps the state, so a step takes microseconds; MLIR is
// asked when a state is verified or timed. In this process; env/isolated_session.h wraps it in workers, for
// MLIR can hang or crash.
//
// A program is the kernel's text, and behind it, once steps were taken, a line `// ordo: schedule` with them:
// MLIR's tools read past it. A step that is not legal does nothing, so that sequences can be varied freely;
// legalActions() says which are.
#pragma once

#include <memory>

#include "env/session.h"

namespace ordo::session {

inline constexpr const char* kScheduleKind = "schedule";

class Kernels;

class MlirBackend final : public env::Backend {
 public:
  MlirBackend();
  ~MlirBackend() override;

  // Compiles one small kernel, so that processes forked afterwards find what that takes made.
  void warmUp();

  Result<env::BackendInfo> describe() override;
  Result<std::unique_ptr<env::Session>> open(env::SessionSpec spec) override;

 private:
  std::shared_ptr<Kernels> kernels_;
};

}  // namespace ordo::session
