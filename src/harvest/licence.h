// The licence of a Debian package, as its debian/copyright says it.
#pragma once

#include <string>
#include <string_view>

namespace ordo::harvest {

// The short names of a machine-readable file (DEP-5,
// https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/), in order of appearance and
// joined by ", "; "see debian/copyright" for one that is only text.
std::string licenceOf(std::string_view copyright);

}  // namespace ordo::harvest
