#include "agent_method/feedback.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ordo::agent_method {
namespace {

Json measured(int value) { return {{"value", value}, {"gain", (100 - value) / 100.0}, {"best", false}}; }

// Nothing is made up and nothing said twice; a value keeps its gain, but not its place.
TEST(ShuffledFeedbackTest, ValuesAreThoseOfOtherSequences) {
  ShuffledFeedback feedback(3, 100, 200, -1);
  std::vector<int> told, shown;
  for (int value = 0; value < 50; ++value) {
    Json result = measured(value);
    result["left"] = {{"compiles", 7}};
    feedback.shuffle(result);
    told.push_back(value);
    shown.push_back(result["value"].get<int>());
    EXPECT_EQ(result["gain"].get<double>(), (100 - shown.back()) / 100.0);
    EXPECT_EQ(result["left"]["compiles"], 7);
  }
  EXPECT_NE(shown, told);
  std::ranges::sort(shown);
  EXPECT_EQ(std::ranges::adjacent_find(shown), shown.end());
}

TEST(ShuffledFeedbackTest, NumbersOfAListChangePlacesAndNothingElseDoes) {
  ShuffledFeedback feedback(1, 100, 200, -1);
  Json result{{"parts", Json::array()}, {"features", Json::object()}, {"sequence", {"sroa", "gvn"}}};
  for (int i = 0; i < 20; ++i) {
    result["parts"].push_back({{"at", i}, {"action", "sroa"}, {"saves", 100 + i}});
    result["features"][std::to_string(i)] = i;
  }
  const Json before = result;
  feedback.shuffle(result);
  EXPECT_NE(result["parts"], before["parts"]);
  EXPECT_NE(result["features"], before["features"]);
  EXPECT_EQ(result["sequence"], before["sequence"]);
  int saves = 0, count = 0;
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(result["parts"][i]["at"], i);
    saves += result["parts"][i]["saves"].get<int>() - 100;
    count += result["features"][std::to_string(i)].get<int>();
  }
  EXPECT_EQ(saves, 190);
  EXPECT_EQ(count, 190);
  // An error stays what it is.
  Json error{{"error", {{"code", "failed"}, {"number", 3}}}};
  feedback.shuffle(error);
  EXPECT_EQ(error["error"]["number"], 3);
}

}  // namespace
}  // namespace ordo::agent_method
