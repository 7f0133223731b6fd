#include "agent/answers.h"

#include <cmath>

namespace ordo::agent {

double fraction(double value) { return std::round(value * 1e6) / 1e6; }

Json number(double value) {
  constexpr double kExact = 9007199254740992.0;
  if (std::abs(value) < kExact && value == std::floor(value)) return static_cast<std::int64_t>(value);
  return value;
}

Json measuredJson(const OpenedProgram& program, const search::Evaluation& evaluation) {
  return {{"value", number(evaluation.value)},
          {"gain", fraction(program.gain(evaluation.value))},
          {"length", evaluation.actions.size()},
          {"best", evaluation.actions == program.best().actions}};
}

Json bestJson(const OpenedProgram& program) {
  const search::Evaluation& best = program.best();
  return {{"sequence", program.names(best.actions)},
          {"value", number(best.value)},
          {"gain", fraction(program.gain(best.value))}};
}

}  // namespace ordo::agent
