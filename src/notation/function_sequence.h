// How LLVM's sequences of functions are written (env/choices.h): attributes that a function is given or
// relieved of, and passes of functions as `function(…)` of opt has them: "-optsize,sroa,loop-mssa(licm)".
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/choices.h"
#include "env/session.h"
#include "support/error.h"

namespace ordo::notation {

struct FunctionSequence {
  std::vector<std::string> attributes;  // "+cold", "-optsize"
  std::string passes;                   // or ""
};

FunctionSequence parseFunctionSequence(std::string_view text);

// What stands inside of `function(…)` in an action's text: of one that is nothing else.
std::optional<std::string_view> functionPasses(const env::Action& action);

// parseChoices(), and kCorrupt for what stock opt could not be told: attributes in the first sequence, which
// is of all functions that are not named; one both given and taken; optnone; a name with a colon; an
// intrinsic's.
Result<env::Choices> parseChoices(std::string_view text, std::string_view where);

}  // namespace ordo::notation
