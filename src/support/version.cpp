#include "support/version.h"

namespace ordo {

// Here alone, so that nothing else is compiled anew for another one.
std::string_view version() { return ORDO_VERSION; }

}  // namespace ordo
