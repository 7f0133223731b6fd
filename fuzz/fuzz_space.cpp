// Any bytes are read as an action space or refused; what is read is written and reads back equal.
#include <cstdlib>

#include "spaces/space.h"

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  using namespace ordo::spaces;
  const ordo::Result<std::vector<std::string>> names =
      parseSpace({reinterpret_cast<const char*>(data), size});
  if (!names) return 0;
  const ordo::Result<std::vector<std::string>> again = parseSpace(writeSpace(*names, "a comment"));
  if (!again || *again != *names) std::abort();
  return 0;
}
