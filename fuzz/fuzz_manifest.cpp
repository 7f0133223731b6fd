// Any bytes are read as a manifest or refused; what is read is written and reads back equal.
#include <cstdlib>

#include "spaces/manifest.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ordo::spaces;
  const ordo::Result<Manifest> manifest = parseManifest({reinterpret_cast<const char*>(data), size});
  if (!manifest) return 0;
  const ordo::Result<Manifest> again = parseManifest(writeManifest(*manifest));
  if (!again || *again != *manifest) std::abort();
  return 0;
}
