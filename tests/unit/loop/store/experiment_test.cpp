#include "loop/store/experiment.h"

#include <gtest/gtest.h>

namespace ordo::loop {
namespace {

TEST(LoopExperimentTest, NamesComeBack) {
  for (std::size_t i = 0; i < kStates; ++i)
    EXPECT_EQ(stateOf(name(static_cast<State>(i))), static_cast<State>(i));
  for (int i = 0; i < 7; ++i) EXPECT_EQ(outcomeOf(name(static_cast<Outcome>(i))), static_cast<Outcome>(i));
  EXPECT_FALSE(stateOf("flying"));
  EXPECT_FALSE(outcomeOf(""));
}

}  // namespace
}  // namespace ordo::loop
