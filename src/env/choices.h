// The choices of a candidate: which of a few sequences of passes each function of a program gets, as one
// action.
//
// A candidate is prefix, choices, suffix. Passes of functions change no other function, and code is made
// function by function, so what one function becomes does not depend on what others chose: one state measures
// all choices. A backend whose programs have functions applies such an action (kind kChoicesKind) in the
// place where it stands, on the program as if it had been written out and read again; any other backend
// refuses the kind.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::env {

inline constexpr std::string_view kChoicesKind = "choices";

// The type of their names: `choose<a2c4...>`, in whose parameters the text is hashed.
inline constexpr std::string_view kChooseType = "choose";

inline constexpr std::size_t kMostSequences = 16;

struct Choices {
  // What there is to choose from, in the backend's own form (LLVM: passes of functions as opt reads them
  // inside of `function(…)`, with attributes before them: "-optsize,sroa,gvn"). "" leaves a function as it
  // is. The first is that of all functions that are not named. From 1 to kMostSequences.
  std::vector<std::string> sequences = {""};
  // By the function's name: which of the sequences, other than the first.
  std::map<std::string, std::size_t> functions = {};

  bool operator==(const Choices&) const = default;
};

// Without sequences that no function has, in the order in which functions have them: equal choices are equal
// then.
Choices simplified(const Choices& choices);

// An action with these choices. Its text is an object of JSON, {"sequences": [text, …], "functions": {name:
// number}}, with names as shownSymbol() writes them. REQUIRES: they make sense (parseChoices()).
Action choose(const Choices& choices);

// What the text of such an action says. kCorrupt, with `where`, if it is none or makes no sense.
Result<Choices> parseChoices(std::string_view text, std::string_view where);

}  // namespace ordo::env
