// ordo-worker: the process that LLVM workers are forked from. Started by the coordinator, not by people.
#include <llvm/Support/ErrorHandling.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "env/session_service.h"
#include "llvm/session/llvm_session.h"
#include "llvm/session/warm_up.h"
#include "sandbox/worker.h"
#include "support/streams.h"

namespace {

void onFatalError(void*, const char* reason, bool) {
  ordo::sandbox::lastWords(reason);
  std::abort();
}

void onBadAlloc(void*, const char* reason, bool) {
  ordo::sandbox::noteOutOfMemory();
  ordo::sandbox::lastWords(reason);
  std::abort();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 || std::string_view(argv[1]) != "--control-fd") {
    std::fputs("ordo-worker is started by ordo; there is nothing to do with it by hand.\n", stderr);
    return 64;
  }
  ordo::prepareStreams();
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  ordo::session::warmUp();
  ordo::sandbox::zygoteMain(std::atoi(argv[2]), [] {
    return ordo::env::makeSessionService(std::make_unique<ordo::session::LlvmBackend>());
  });
}
