#include "env/plain_advisors.h"

#include <gtest/gtest.h>

#include <array>

#include "tests/fakes/advisor_conformance.h"

namespace ordo::env {
namespace {

const DecisionSpec kSpec{"toy", 1, {"size"}, {"no", "yes", "perhaps"}};
constexpr std::array<float, 1> kFeatures{3};

TEST(PlainAdvisorsTest, Conform) {
  UsualAdvisor usual(kSpec);
  RandomAdvisor random(kSpec, 7);
  ListedAdvisor listed(kSpec, {1, 2, 0, 1});
  for (Advisor* advisor : std::initializer_list<Advisor*>{&usual, &random, &listed})
    fakes::expectConformance(*advisor);
}

TEST(PlainAdvisorsTest, RandomOnesDifferBySeedAndByModule) {
  RandomAdvisor one(kSpec, 1), other(kSpec, 2);
  EXPECT_NE(fakes::answersOf(one, "a", 5), fakes::answersOf(other, "a", 5));
  EXPECT_NE(fakes::answersOf(one, "a", 5), fakes::answersOf(one, "b", 5));
}

TEST(PlainAdvisorsTest, AListIsFollowedThenWhatIsUsual) {
  ListedAdvisor advisor(kSpec, {2, 1, 9});
  constexpr std::array<std::uint8_t, 3> kAllowed{1, 0, 1};
  const Question question{kFeatures, kAllowed, 0};
  advisor.begin("m");
  EXPECT_EQ(advisor.advise(question), 2u);
  EXPECT_EQ(advisor.advise(question), 0u) << "'yes' is not allowed";
  EXPECT_EQ(advisor.advise(question), 0u) << "there is no such answer";
  EXPECT_EQ(advisor.advise(question), 0u) << "the list has ended";
  advisor.begin("m");
  EXPECT_EQ(advisor.advise(question), 2u);
}

}  // namespace
}  // namespace ordo::env
