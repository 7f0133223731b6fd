// What any env::Advisor promises (env/advisor.h). A test of an implementation calls this with one of its own.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "env/advisor.h"
#include "support/rng.h"

namespace ordo::fakes {

// Asks `count` random questions of a module and returns the answers.
inline std::vector<std::uint32_t> answersOf(env::Advisor& advisor, std::string_view module,
                                            std::uint64_t seed, int count = 200) {
  const env::DecisionSpec& spec = advisor.spec();
  Rng rng(seed);
  std::vector<std::uint32_t> answers;
  advisor.begin(module);
  for (int i = 0; i < count; ++i) {
    std::vector<float> features(spec.features.size());
    for (float& value : features) value = static_cast<float>(rng.below(40));
    std::vector<std::uint8_t> allowed(spec.answers.size());
    for (std::uint8_t& one : allowed) one = rng.chance(0.8);
    const auto usual = static_cast<std::uint32_t>(rng.below(allowed.size()));
    allowed[usual] = 1;
    const env::Question question{features, allowed, usual};
    EXPECT_TRUE(env::fits(spec, question));
    answers.push_back(advisor.advise(question));
    EXPECT_LT(answers.back(), allowed.size());
    EXPECT_EQ(allowed[answers.back()], 1) << "question " << i << ": an answer that was not allowed";
  }
  return answers;
}

inline void expectConformance(env::Advisor& advisor) {
  const env::DecisionSpec spec = advisor.spec();
  EXPECT_FALSE(spec.name.empty());
  EXPECT_GE(spec.answers.size(), 1u);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const std::vector<std::uint32_t> first = answersOf(advisor, "a.c", seed);
    answersOf(advisor, "b.c", seed + 10);
    EXPECT_EQ(answersOf(advisor, "a.c", seed), first) << "what was asked before begin() counts";
  }
  EXPECT_EQ(advisor.spec(), spec) << "the spec changes";
}

}  // namespace ordo::fakes
