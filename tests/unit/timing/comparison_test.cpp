#include "timing/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "support/table.h"
#include "tests/unit/timing/fake_runner.h"

namespace ordo::timing {
namespace {

using testing::HasSubstr;
using testing::Not;

Comparison named(Comparison comparison) {
  comparison.baseline = "a";
  comparison.candidate = "b";
  return comparison;
}

Comparison comparisonOf(double gain, std::uint64_t seed = 1) {
  Machine machine;
  machine.factor[1] = 1 / (1 + gain);
  FakeRunner runner(machine, seed);
  return named(compare(runner, runner.clock, {.seed = seed, .resamples = 400}, 2).value());
}

// A machine that others use for the first minute.
class BusyAtFirst final : public Runner {
 public:
  Result<Reading> run(Arm arm) override { return inner.run(arm); }
  double othersShare() override { return inner.clock.now_s < busy_until_s ? 0.95 : 0.1; }
  std::string countersProblem() const override { return ""; }

  FakeRunner inner{Machine{}, 3};
  double busy_until_s = 60;
};

TEST(ComparisonTest, AVoidTrialIsRepeated) {
  BusyAtFirst runner;
  const Comparison comparison = compare(runner, runner.inner.clock, {.resamples = 400}, 3).value();
  EXPECT_NE(comparison.verdict(), Verdict::kVoid) << comparison.trial.why;
  ASSERT_FALSE(comparison.voided.empty());
  EXPECT_THAT(comparison.voided.front(), HasSubstr("others had 95 %"));
  EXPECT_THAT(toText(comparison), HasSubstr("a void trial: others had 95 %"));
}

TEST(ComparisonTest, NotForEverAndNotWhatAProgramDid) {
  BusyAtFirst runner;
  runner.busy_until_s = 1e9;
  const Comparison busy = compare(runner, runner.inner.clock, {.resamples = 400}, 2).value();
  EXPECT_EQ(busy.verdict(), Verdict::kVoid);
  EXPECT_EQ(busy.voided.size(), 2u);
  EXPECT_EQ(busy.p, 1);

  FakeRunner failing(Machine{}, 1);
  failing.fail_at = 30;
  const Comparison failed = compare(failing, failing.clock, {.resamples = 400}, 2).value();
  EXPECT_EQ(failed.verdict(), Verdict::kVoid);
  EXPECT_TRUE(failed.voided.empty());
}

TEST(ComparisonTest, OneOfManyHasToBeClearer) {
  std::vector<Comparison> many(20, comparisonOf(0));
  many.push_back(comparisonOf(0.5));
  Comparison weak = comparisonOf(0.5);
  weak.p = 0.01;
  many.push_back(weak);
  many.push_back(identicalPrograms({}));
  adjust(many);
  EXPECT_EQ(many[20].verdict(), Verdict::kBetter);
  EXPECT_EQ(many[21].verdict(), Verdict::kNoDifference);
  EXPECT_THAT(many[21].trial.why, HasSubstr("faster by itself, but with 22 programs p is 0.21"));
  EXPECT_EQ(many[22].verdict(), Verdict::kNoDifference);

  std::vector<Comparison> one{weak};
  adjust(one);
  EXPECT_EQ(one[0].verdict(), Verdict::kBetter);
}

TEST(ComparisonTest, TheTextFitsAndSaysWhatMatters) {
  std::vector<Comparison> all{comparisonOf(0.5), comparisonOf(-0.2), comparisonOf(0),
                              named(identicalPrograms({}))};
  all[0].baseline = "build/baseline/program";
  for (const Comparison& comparison : all) {
    const std::string text = toText(comparison);
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(columnsOf(line), 100u) << line;
    EXPECT_EQ(text.back(), '\n');
  }
  EXPECT_THAT(toText(all[0]), testing::StartsWith("faster: b takes 33."));
  EXPECT_THAT(toText(all[0]), HasSubstr("A/A"));
  EXPECT_THAT(toText(all[0]), HasSubstr("cycles and instructions are not counted: there are none"));
  EXPECT_THAT(toText(all[1]), testing::StartsWith("slower: b takes"));
  EXPECT_THAT(toText(all[2]), testing::StartsWith("no difference shown between a and b"));
  EXPECT_THAT(toText(all[3]), HasSubstr("neither was run"));
  EXPECT_THAT(toText(all[3]), Not(HasSubstr("A/A")));
}

TEST(ComparisonTest, TheJsonHasWhatTheIntervalWasMadeFrom) {
  const Comparison comparison = comparisonOf(0.5);
  const Json json = toJson(comparison);
  EXPECT_EQ(json.at("verdict"), "faster");
  EXPECT_EQ(json.at("log_ratios").at("candidate").size(), json.at("blocks").get<std::size_t>());
  EXPECT_GT(json.at("candidate_to_baseline").at("low").get<double>(), 1.4);
  EXPECT_NEAR(json.at("of_baseline").at("cpu_s").get<double>(), 0.1, 0.02);
  EXPECT_TRUE(json.at("of_baseline").at("cycles").is_null());
  EXPECT_EQ(toJson(identicalPrograms({})).at("identical"), true);
}

}  // namespace
}  // namespace ordo::timing
