// ordo-mlir-worker: one zygote, from which worker processes are forked. MLIR is initialised, and one small
// kernel compiled, before they are. No thread is started before.
#include <malloc.h>

#include "bin/compiler_worker.h"
#include "mlir/session/mlir_backend.h"

int main(int argc, char** argv) {
  return ordo::runCompilerWorker(argc, argv, "ordo-mlir-worker", []() -> std::unique_ptr<ordo::env::Backend> {
    // Kernels allocate what they keep between operations: fresh pages for each run would be most of its time.
    constexpr int kKept = 1 << 30;
    ::mallopt(M_MMAP_THRESHOLD, kKept);
    ::mallopt(M_TRIM_THRESHOLD, kKept);
    auto backend = std::make_unique<ordo::session::MlirBackend>();
    backend->warmUp();
    return backend;
  });
}
