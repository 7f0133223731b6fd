#include "runtime/drafts.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/fakes/toy_session.h"

namespace ordo::runtime {
namespace {

constexpr env::ActionIndex kNoop = 0, kDec = 1, kInc = 2;

class DraftsTest : public testing::Test {
 protected:
  // A count of 1000, which is also what is limited, to nothing.
  Result<Drafts> open(const search::Sequence& start) {
    search::Objective objective{.metric = "count", .screen = ""};
    objective.limits = {{"count", std::numeric_limits<double>::infinity()}};
    evaluator_ = *search::Evaluator::open(backend_, fakes::toySpec(1000, {"noop", "dec", "inc"}),
                                          std::move(objective));
    return Drafts::open(*evaluator_, start, {}, 60);
  }

  fakes::ToyBackend backend_;
  std::unique_ptr<search::Evaluator> evaluator_;
};

TEST_F(DraftsTest, FeaturesSayWhatIsNew) {
  Result<Drafts> drafts = open({kDec});
  ASSERT_TRUE(drafts) << drafts.error().message;
  const auto proposals = drafts->propose({kDec}, 8);
  ASSERT_TRUE(proposals) << proposals.error().message;
  ASSERT_FALSE(proposals->empty());
  for (const Proposal& proposal : *proposals) {
    const auto times = [&](env::ActionIndex action) {
      return static_cast<double>(std::ranges::count(proposal.actions, action));
    };
    ASSERT_EQ(proposal.features.size(), 5u);
    EXPECT_EQ(proposal.features[kNoop], times(kNoop));
    EXPECT_EQ(proposal.features[kDec], times(kDec) - 1);
    EXPECT_EQ(proposal.features[kInc], times(kInc));
    const double count = 1000 + times(kInc) - times(kDec);
    EXPECT_NEAR(proposal.features[3], std::log((1 + count) / (1 + 999)), 1e-12);
    EXPECT_EQ(proposal.features[4], proposal.features[3]);
  }
}

TEST_F(DraftsTest, NothingComesTwiceAndNothingGrowsWithoutEnd) {
  Result<Drafts> drafts = open({kDec});
  ASSERT_TRUE(drafts);
  std::set<double> counts;
  search::Sequence around{kDec};
  std::size_t given = 0;
  for (int generation = 0; generation < 20; ++generation) {
    const auto proposals = drafts->propose(around, 6);
    ASSERT_TRUE(proposals);
    for (const Proposal& proposal : *proposals) {
      EXPECT_TRUE(counts.insert(proposal.features[3]).second) << "equal counts are equal programs here";
      EXPECT_LE(proposal.actions.size(), 24u);
      around = proposal.actions;
      ++given;
    }
  }
  EXPECT_GT(given, 12u);
}

}  // namespace
}  // namespace ordo::runtime
