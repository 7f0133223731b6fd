#include "mlir/learned/answer.h"

#include <gtest/gtest.h>

#include <set>

#include "mlir/model/cost.h"
#include "mlir/model/proposals.h"
#include "tests/fakes/kernels.h"

namespace ordo::learned {
namespace {

double byCosts(const model::Schedule& schedule) { return model::cost(schedule); }

TEST(Answers, AreWholeDifferentSortedAndNoWorseThanWhatTheyBeganWith) {
  const auto kernel = fakes::matmulKernel(96, 128, 64);
  const std::vector<model::Schedule> all = answers(kernel, byCosts, 12);
  ASSERT_EQ(all.size(), 12u);
  std::set<std::string> known;
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_FALSE(all[i].current());
    if (i > 0) EXPECT_LE(byCosts(all[i - 1]), byCosts(all[i]));
    known.insert(model::stepsText(all[i].steps()));
  }
  EXPECT_EQ(known.size(), all.size());
  EXPECT_LE(byCosts(all.front()), byCosts(model::proposals(kernel, 1).front()));
  EXPECT_EQ(model::stepsText(answers(kernel, byCosts, 12).back().steps()),
            model::stepsText(all.back().steps()));
}

TEST(Answers, FollowWhateverJudges) {
  // Whoever likes registers of 3 rows gets them.
  const Judge odd = [](const model::Schedule& schedule) {
    return schedule.progress(1).registers[0] == 3 ? 1.0 : 2.0;
  };
  EXPECT_EQ(answers(fakes::matmulKernel(96, 128, 64), odd, 1).front().progress(1).registers[0], 3);
}

TEST(Answers, AreNoneWhereThereIsNothingToDo) {
  EXPECT_TRUE(answers(std::make_shared<const model::Kernel>(), byCosts, 3).empty());
}

TEST(Exploration, BeginsWithTheFairOneAndDiffersFromSeedToSeed) {
  const auto kernel = fakes::matmulKernel(96, 128, 64);
  const std::vector<model::Schedule> one = exploration(kernel, byCosts, 24, 1),
                                     other = exploration(kernel, byCosts, 24, 2);
  ASSERT_EQ(one.size(), 24u);
  EXPECT_EQ(model::stepsText(one.front().steps()), "fair");
  std::set<std::string> of_one, both;
  for (const model::Schedule& schedule : one) of_one.insert(model::stepsText(schedule.steps()));
  EXPECT_EQ(of_one.size(), one.size());
  both = of_one;
  for (const model::Schedule& schedule : other) both.insert(model::stepsText(schedule.steps()));
  EXPECT_GT(both.size(), 36u);
}

}  // namespace
}  // namespace ordo::learned
