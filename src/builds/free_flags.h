// Flags that cost nothing but a build, and that every user could add by hand: what a tuner has to beat, and
// where it begins. A build gets them by ORDO_FREE_FLAGS="lto=full,inline=-25".
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/error.h"

namespace ordo::builds {

struct FreeFlag {
  std::string_view name;
  // What is tried, likely values first. A search goes on behind `values`; behind `more_values` there is none,
  // or something is lost that a program may ask for.
  std::vector<std::string_view> values, more_values;
  // Words for a compilation and for a link, and for a link that makes code of bitcode; {value} is the value.
  std::vector<std::string_view> compile, link, link_with_lto;

  bool ofOneModule() const { return compile.empty() && link.empty(); }  // means nothing elsewhere
};

// In the order in which they are decided.
std::span<const FreeFlag> freeFlags();

struct FreeChoice {
  std::string name, value;
  bool operator==(const FreeChoice&) const = default;
};
// Of each flag at most one, in the order of freeFlags().
using FreeChoices = std::vector<FreeChoice>;

// "lto=full,inline=-25"; "" is none. Thresholds may be any from -1000 to 1000. kInvalidArgument says
// what there is.
Result<FreeChoices> parseFreeFlags(std::string_view text);
std::string writeFreeFlags(const FreeChoices& choices);

// Whether they make one module of a link.
bool makesOneModule(const FreeChoices& choices);

// What `choices` add to a compiler's command; with `sources` a link compiles as well.
std::vector<std::string> freeCompileWords(const FreeChoices& choices);
std::vector<std::string> freeLinkWords(const FreeChoices& choices, bool sources);

}  // namespace ordo::builds
