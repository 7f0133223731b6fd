// Which Ordo this is.
#pragma once

#include <string_view>

namespace ordo {

// "0.1.0", as CMakeLists.txt has it.
std::string_view version();

}  // namespace ordo
