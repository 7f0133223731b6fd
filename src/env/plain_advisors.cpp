#include "env/plain_advisors.h"

#include <algorithm>

#include "support/hash.h"

namespace ordo::env {

void RandomAdvisor::begin(std::string_view module) { rng_ = Rng(seed_ ^ hashBytes(module).low); }

std::uint32_t RandomAdvisor::advise(const Question& question) {
  const auto allowed = static_cast<std::uint64_t>(
      std::ranges::count_if(question.allowed, [](std::uint8_t one) { return one != 0; }));
  if (allowed == 0) return question.usual;
  std::uint64_t nth = rng_.below(allowed);
  for (std::uint32_t answer = 0;; ++answer) {
    if (question.allowed[answer] != 0 && nth-- == 0) return answer;
  }
}

std::uint32_t ListedAdvisor::advise(const Question& question) {
  if (next_ >= answers_.size()) return question.usual;
  const std::uint32_t answer = answers_[next_++];
  return answer < question.allowed.size() && question.allowed[answer] != 0 ? answer : question.usual;
}

}  // namespace ordo::env
