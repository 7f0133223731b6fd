#include "bin/compiler_worker.h"

#include <fmt/format.h>
#include <llvm/Support/ErrorHandling.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "env/session_service.h"
#include "sandbox/worker.h"
#include "support/streams.h"

namespace ordo {
namespace {

void onFatalError(void*, const char* reason, bool) {
  sandbox::lastWords(reason);
  std::abort();
}

void onBadAlloc(void*, const char* reason, bool) {
  sandbox::noteOutOfMemory();
  sandbox::lastWords(reason);
  std::abort();
}

}  // namespace

int runCompilerWorker(int argc, char** argv, const char* program,
                      std::unique_ptr<env::Backend> (*makeWarmBackend)()) {
  if (argc != 3 || std::string_view(argv[1]) != "--control-fd") {
    fmt::print(stderr, "{} is started by ordo; there is nothing to do with it by hand.\n", program);
    return 64;
  }
  prepareStreams();
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  std::unique_ptr<env::Backend> backend = makeWarmBackend();
  // Each worker has its own copy of this memory, so each can have the backend.
  sandbox::zygoteMain(std::atoi(argv[2]), [&] { return env::makeSessionService(std::move(backend)); });
}

}  // namespace ordo
