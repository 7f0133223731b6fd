#include "agent/answers.h"

#include <algorithm>
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

void Page::add(Json element) {
  if (seen_++ < from_ || full_) return;
  const std::size_t size = writeJson(element).size();
  full_ = !shown_.empty() && (shown_.size() == most_ || bytes_ + size > kAnswerBytes);
  if (full_) return;
  bytes_ += size;
  shown_.push_back(std::move(element));
}

void Page::writeTo(Json& reply, const char* name) {
  const std::size_t shown_to = std::min(from_ + shown_.size(), seen_);
  reply[name] = std::move(shown_);
  reply["more"] = seen_ - shown_to;
  if (shown_to < seen_) reply["next"] = shown_to;
}

}  // namespace ordo::agent
