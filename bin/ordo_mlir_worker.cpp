// ordo-mlir-worker: one zygote, from which worker processes are forked. MLIR is initialised, and one small
// kernel compiled, before they are. No thread is started before.
#include <llvm/Support/ErrorHandling.h>
#include <malloc.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "env/session_service.h"
#include "mlir/session/mlir_backend.h"
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
    std::fputs("ordo-mlir-worker is started by ordo; there is nothing to do with it by hand.\n", stderr);
    return 64;
  }
  ordo::prepareStreams();
  llvm::install_fatal_error_handler(onFatalError);
  llvm::install_bad_alloc_error_handler(onBadAlloc);
  // Kernels allocate what they keep between operations: fresh pages for each run would be most of its time.
  constexpr int kKept = 1 << 30;
  ::mallopt(M_MMAP_THRESHOLD, kKept);
  ::mallopt(M_TRIM_THRESHOLD, kKept);
  auto backend = std::make_unique<ordo::session::MlirBackend>();
  backend->warmUp();
  ordo::sandbox::zygoteMain(std::atoi(argv[2]),
                            [&] { return ordo::env::makeSessionService(std::move(backend)); });
}
