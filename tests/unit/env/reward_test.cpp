#include "env/reward.h"

#include <gtest/gtest.h>

#include <set>

namespace ordo::env {
namespace {

const std::vector<std::string> kMetrics{"ir_instructions", "text_bytes"};
const std::vector<std::string> kBaselines{"clang-O3", "clang-Oz"};

TEST(RewardTest, EveryNameIsReadBack) {
  for (const std::string& metric : kMetrics) {
    for (const char* unit : {"", "/initial", "/clang-Oz", "/gap:clang-O3"}) {
      for (const char* when : {"", "@end"}) {
        const std::string name = metric + unit + when;
        const Result<Reward> reward = parseReward(name, kMetrics, kBaselines);
        ASSERT_TRUE(reward) << name;
        EXPECT_EQ(reward->name(), name);
      }
    }
  }
}

TEST(RewardTest, AllOfThemAreListedOnceAndCanBeAskedFor) {
  std::set<std::string> names;
  for (const Reward& reward : allRewards(kMetrics, kBaselines)) {
    EXPECT_TRUE(names.insert(reward.name()).second) << reward.name();
    EXPECT_TRUE(parseReward(reward.name(), kMetrics, kBaselines)) << reward.name();
  }
  EXPECT_EQ(names.size(), 2u * 2u * (2u + 2u * 2u));
  EXPECT_TRUE(names.contains("text_bytes/gap:clang-Oz@end"));
}

TEST(RewardTest, OfAnExperimentThereIsWhatABaselineCanBeRunBesideAtTheEnd) {
  const std::vector<std::string> metrics{"text_bytes", kRuntime};
  const Result<Reward> reward = parseReward("runtime/clang-O3@end", metrics, kBaselines);
  ASSERT_TRUE(reward) << reward.error().message;
  EXPECT_EQ(*reward->scale(1, 1), 1);
  EXPECT_EQ(
      definition(*reward),
      "last step: 1 - C(T) / C(clang-O3), measured in turns; -1 if it is broken; others: 0; C = runtime");
  for (const char* none : {"runtime", "runtime@end", "runtime/clang-O3", "runtime/initial@end",
                           "runtime/initial", "runtime/gap:clang-O3@end"}) {
    const Result<Reward> refused = parseReward(none, metrics, kBaselines);
    ASSERT_FALSE(refused) << none;
    EXPECT_NE(refused.error().message.find("the reward is runtime/BASELINE@end"), std::string::npos);
  }
  EXPECT_FALSE(parseReward("runtime/clang-O3@end", kMetrics, kBaselines)) << "where nothing runs";
  std::size_t listed = 0;
  for (const Reward& one : allRewards(metrics, kBaselines)) listed += one.metric == kRuntime;
  EXPECT_EQ(listed, 2u);
}

TEST(RewardTest, AnUnknownNameSuggestsTheNearest) {
  const auto complaint = [](const char* name) {
    return parseReward(name, kMetrics, kBaselines).error().message;
  };
  EXPECT_NE(complaint("text_byte").find("did you mean 'text_bytes'"), std::string::npos);
  EXPECT_NE(complaint("text_bytes/clang-Ox").find("did you mean 'clang-O"), std::string::npos);
  EXPECT_NE(complaint("text_bytes/inital").find("did you mean 'initial'"), std::string::npos);
  const std::string foreign = complaint("IrInstructionCountOz");
  EXPECT_NE(foreign.find("is ir_instructions/gap:bare-Oz here"), std::string::npos) << foreign;
  EXPECT_NE(foreign.find("Metrics: ir_instructions, text_bytes. Baselines: clang-O3, clang-Oz"),
            std::string::npos)
      << foreign;
  EXPECT_FALSE(parseReward("text_bytes/gap:initial", kMetrics, kBaselines));
  EXPECT_FALSE(parseReward("", kMetrics, kBaselines));
  EXPECT_FALSE(parseReward("text_bytes/", kMetrics, kBaselines));
}

TEST(RewardTest, ScalesAreAsDefined) {
  const auto scale = [](const char* name) { return parseReward(name, kMetrics, kBaselines)->scale(200, 50); };
  EXPECT_EQ(*scale("text_bytes"), 1);
  EXPECT_EQ(*scale("text_bytes/initial"), 200);
  EXPECT_EQ(*scale("text_bytes/clang-Oz"), 50);
  EXPECT_EQ(*scale("text_bytes/gap:clang-Oz@end"), 150);
}

TEST(RewardTest, ADenominatorThatIsNotPositiveIsAnErrorNotAClamp) {
  const auto scale = [](const char* name, double initial, double baseline) {
    return parseReward(name, kMetrics, kBaselines)->scale(initial, baseline);
  };
  EXPECT_FALSE(scale("text_bytes/initial", 0, 0));
  EXPECT_FALSE(scale("text_bytes/clang-Oz", 10, 0));
  EXPECT_FALSE(scale("text_bytes/clang-Oz", 10, std::numeric_limits<double>::quiet_NaN()));
  const Result<double> gap = scale("text_bytes/gap:clang-Oz", 100, 120);
  ASSERT_FALSE(gap);
  EXPECT_NE(gap.error().message.find("use text_bytes/clang-Oz"), std::string::npos) << gap.error().message;
}

TEST(RewardTest, DefinitionsNameWhatTheyDivideBy) {
  const auto text = [](const char* name) { return definition(*parseReward(name, kMetrics, kBaselines)); };
  EXPECT_EQ(text("text_bytes"), "step t: (C(t-1) - C(t)); C = text_bytes");
  EXPECT_EQ(text("text_bytes/gap:clang-Oz@end"),
            "last step: (C(0) - C(T)) / (C(0) - C(clang-Oz)); others: 0; C = text_bytes");
}

}  // namespace
}  // namespace ordo::env
