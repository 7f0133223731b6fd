// What several tools say in the same words.
#pragma once

#include <string>

#include "agent/opened_program.h"
#include "support/json.h"

namespace ordo::agent {

// "value", "gain", "length" and whether it is the "best" so far, of a sequence that was measured.
Json measuredJson(const OpenedProgram& program, const search::Evaluation& evaluation);

// A fraction, to a millionth.
double fraction(double value);

// A value as people write it: 169 and not 169.0.
Json number(double value);

// How far `program` is, for whoever opens or submits it.
Json bestJson(const OpenedProgram& program);

}  // namespace ordo::agent
