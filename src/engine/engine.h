// The running engine: the workers of a backend and its crash ledger. The one place that picks the backend.
#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "env/isolated_session.h"
#include "sandbox/limits.h"
#include "sandbox/worker.h"
#include "support/error.h"
#include "support/usage.h"

namespace ordo::engine {

struct EngineOptions {
  sandbox::Limits limits = {};
  bool remember_crashes = true;       // keep the ledger in cacheDir(); else in memory only
  std::filesystem::path worker = {};  // the program that sessions live in; "": LLVM's, ordo-worker
};

class Engine {
 public:
  // Starts the zygote and opens the ledger: about 10 ms. A ledger that cannot be opened is a
  // warning, not an error: see ledgerProblem().
  static Result<std::unique_ptr<Engine>> start(const EngineOptions& options = {});

  env::IsolatedBackend& backend() { return *backend_; }
  const env::BackendInfo& info() const { return info_; }
  // Whether the backend is a worker and nothing else (worker_only.h).
  bool workerOnly() const { return worker_only_; }
  // "", or why the ledger is not kept between runs, or not all of it: for the user to read.
  std::string ledgerProblem() const;
  // What its processes have used so far.
  FamilyUsage usage() const;

 private:
  std::shared_ptr<sandbox::Zygote> zygote_;
  std::unique_ptr<env::IsolatedBackend> backend_;
  env::BackendInfo info_;
  bool worker_only_ = false;
  std::string ledger_problem_;
};

}  // namespace ordo::engine
