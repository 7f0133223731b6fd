#include "advice/evolve.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::advice {
namespace {

// Least at 1, 2, 3, …, and a hundred times as steep in the last direction as in the first.
double costOf(const std::vector<double>& at) {
  double cost = 0;
  for (std::size_t i = 0; i < at.size(); ++i)
    cost += std::pow(100, static_cast<double>(i) / static_cast<double>(at.size() - 1)) *
            std::pow(at[i] - static_cast<double>(i + 1), 2);
  return cost;
}

void advance(Evolution& evolution, std::size_t generations) {
  for (std::size_t i = 0; i < generations; ++i) {
    const auto tried = evolution.candidates(10);
    std::vector<double> costs;
    for (const std::vector<double>& one : tried) costs.push_back(costOf(one));
    evolution.learn(tried, costs);
  }
}

TEST(EvolveTest, FindsWhatIsLeast) {
  Evolution evolution(std::vector<double>(6, 0), 0.5, 1);
  const double before = costOf(evolution.mean());
  advance(evolution, 200);
  EXPECT_LT(costOf(evolution.mean()), before * 1e-6);
  EXPECT_EQ(evolution.generation(), 200u);
}

TEST(EvolveTest, GoesOnFromWhatWasWritten) {
  Evolution evolution(std::vector<double>(4, 0), 0.5, 7);
  advance(evolution, 5);
  Result<Evolution> read = Evolution::parse(evolution.write(), "state");
  ASSERT_TRUE(read) << read.error().message;
  advance(evolution, 5);
  advance(*read, 5);
  EXPECT_EQ(read->write(), evolution.write());
}

TEST(EvolveTest, RefusesWhatDoesNotHoldTogether) {
  for (const std::string_view bad :
       {"", "{}",
        R"({"generation":1,"seed":1,"step":0,"mean":[1],"variance":[1],"path":[0],"step_path":[0]})",
        R"({"generation":1,"seed":1,"step":1,"mean":[1,2],"variance":[1],"path":[0],"step_path":[0]})",
        R"({"generation":1,"seed":1,"step":1,"mean":[1],"variance":[-1],"path":[0],"step_path":[0]})"})
    EXPECT_FALSE(Evolution::parse(bad, "state")) << bad;
}

}  // namespace
}  // namespace ordo::advice
