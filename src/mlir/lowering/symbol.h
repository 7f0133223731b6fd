// What a kernel's function is called in C.
#pragma once

#include <string>
#include <string_view>

namespace ordo::lowering {

// The function's own name, where C and C++ have it and nothing else that is linked is called so. Otherwise
// `ordo_` stands in front: of words of the language, of `main`, of what begins with `_` or `ordo_`, and of
// what the C library or its mathematics define; and what is no letter, digit or `_` becomes `_`.
std::string symbolOf(std::string_view function);

}  // namespace ordo::lowering
