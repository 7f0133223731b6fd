#include "env/advisor.h"

#include <algorithm>
#include <cmath>

namespace ordo::env {

bool fits(const DecisionSpec& spec, const Question& question) {
  return question.features.size() == spec.features.size() &&
         std::ranges::all_of(question.features, [](float value) { return std::isfinite(value); }) &&
         question.allowed.size() == spec.answers.size() && question.usual < question.allowed.size() &&
         question.allowed[question.usual] != 0;
}

}  // namespace ordo::env
