// What is answered about a program after a sequence of actions; docs/formats/web.openapi.json has the words.
// REQUIRES of all: the bench's mutex is held.
#pragma once

#include "support/error.h"
#include "support/json.h"
#include "web/bench.h"

namespace ordo::web {

// The program, what can be done to it, and the recipe that it was opened from.
Json aboutProgram(Bench& bench, const ProgramSpec& spec);

// The rest errors for a body that is not as it should be, and as of States.

// The states on the way, with what the policy prefers in each.
Result<Json> statesAlong(Bench& bench, const search::Sequence& sequence, const JsonObject& body);
// What the policy makes of one action there, and why.
Result<Json> whyAction(Bench& bench, const search::Sequence& sequence, const JsonObject& body);
// Which functions there are, and how many lines of each are not as they are after "from".
Result<Json> listFunctions(Bench& bench, const search::Sequence& sequence, const JsonObject& body);
// The text of one function, or of what is outside of them (""), as IR or assembly.
Result<Json> functionText(Bench& bench, const search::Sequence& sequence, const JsonObject& body);
// Which functions are defined, and what each calls by name (web/calls.h).
Result<Json> listCalls(Bench& bench, const search::Sequence& sequence, const JsonObject& body);
// The commands of stock LLVM that make the same object.
Result<Json> stockLines(Bench& bench, const search::Sequence& sequence, const JsonObject& body);

}  // namespace ordo::web
