// Whether there is room for Ordo beside the compiler.
#pragma once

#include <string>

namespace ordo::builds {

// Which of this process's limits (`ulimit`) is so tight that the compiler alone may do with it, and not both;
// "" if none is.
std::string tightLimit();

}  // namespace ordo::builds
