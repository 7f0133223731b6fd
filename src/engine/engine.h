// The running engine: LLVM workers, the crash ledger, the actions of the linked LLVM. The one place
// that picks the concrete backend.
#pragma once

#include <memory>
#include <string>

#include "env/isolated_session.h"
#include "sandbox/limits.h"
#include "sandbox/worker.h"
#include "support/error.h"
#include "support/usage.h"

namespace ordo::engine {

struct EngineOptions {
  sandbox::Limits limits;
  bool remember_crashes = true;  // keep the ledger in cacheDir(); else in memory only
};

class Engine {
 public:
  // Starts the zygote and opens the ledger: about 10 ms. A ledger that cannot be opened is a
  // warning, not an error: see ledgerProblem().
  static Result<std::unique_ptr<Engine>> start(const EngineOptions& options = {});

  env::IsolatedBackend& backend() { return *backend_; }
  const env::BackendInfo& info() const { return info_; }
  // "", or why the ledger is not kept between runs, or not all of it: for the user to read.
  std::string ledgerProblem() const;
  // What its processes have used so far.
  FamilyUsage usage() const;

 private:
  std::shared_ptr<sandbox::Zygote> zygote_;
  std::unique_ptr<env::IsolatedBackend> backend_;
  env::BackendInfo info_;
  std::string ledger_problem_;
};

}  // namespace ordo::engine
