// ordo-worker: the process that LLVM workers are forked from. Started by the coordinator, not by people.
#include "bin/compiler_worker.h"
#include "llvm/advisors/eviction_choice.h"
#include "llvm/session/last_pass.h"
#include "llvm/session/llvm_session.h"
#include "llvm/session/warm_up.h"
#include "sandbox/worker.h"
#include "support/files.h"

int main(int argc, char** argv) {
  return ordo::runCompilerWorker(argc, argv, "ordo-worker", []() -> std::unique_ptr<ordo::env::Backend> {
    ordo::advisors::offerEvictionChoice(ordo::dataDir() / "advisors");
    ordo::session::warmUp();
    ordo::session::tellPassAtDeath(ordo::sandbox::lastWords);
    return std::make_unique<ordo::session::LlvmBackend>();
  });
}
