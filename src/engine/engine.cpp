#include "engine/engine.h"

#include "support/files.h"

namespace ordo::engine {

Result<std::unique_ptr<Engine>> Engine::start(const EngineOptions& options) {
  auto engine = std::make_unique<Engine>();
  const std::filesystem::path worker =
      options.worker.empty() ? installPrefix() / "bin" / "ordo-worker" : options.worker;
  ORDO_TRY_ASSIGN(engine->zygote_, sandbox::Zygote::start({worker.string()}));
  // The ledger belongs to a backend version, which only a worker can tell.
  env::IsolatedBackend scout(engine->zygote_, options.limits, nullptr);
  ORDO_TRY_ASSIGN(engine->info_, scout.describe());
  engine->worker_only_ = !options.worker.empty();
  const env::BackendInfo& info = engine->info_;

  std::shared_ptr<env::CrashLedger> ledger;
  if (options.remember_crashes) {
    Result<std::unique_ptr<env::CrashLedger>> opened = env::CrashLedger::open(
        cacheDir() / "crashes.sqlite", fmt::format("{} {} {}", info.name, info.version, info.build));
    if (opened)
      ledger = std::move(*opened);
    else
      engine->ledger_problem_ = opened.error().message;
  }
  engine->backend_ =
      std::make_unique<env::IsolatedBackend>(engine->zygote_, options.limits, std::move(ledger));
  return engine;
}

FamilyUsage Engine::usage() const {
  FamilyUsage usage = familyUsage(zygote_->pid());
  usage.cpu_s += zygote_->replacedCpuSeconds();
  return usage;
}

std::string Engine::ledgerProblem() const {
  return ledger_problem_.empty() ? backend_->ledger().problem() : ledger_problem_;
}

}  // namespace ordo::engine
