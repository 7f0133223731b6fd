#include "learn/samples.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::learn {
namespace {

using experience::Best;
using experience::Header;

Header header() {
  Header header;
  header.backend = "toy";
  header.version = "1";
  header.space = "small";
  header.baseline = "clang-Oz";
  header.budget = "100evals";
  header.knowledge = "none";
  header.max_length = 10;
  header.max_instructions = 5000;
  header.best = 8;
  header.actions = {"base", "dec"};
  for (const policy::Input& input : policy::kInputs)
    header.observations.push_back({std::string(input.name), input.version, input.dtype, input.width});
  return header;
}

experience::State state(std::int64_t instructions) {
  std::vector<std::int64_t> counts(policy::kInputs[0].width);
  counts[policy::kTotalInsts] = instructions;
  return {counts, std::vector<float>(policy::kInputs[1].width)};
}

// A program of 20 instructions, 10 under the baseline, and `best` of it.
experience::Run run(const std::string& uri, std::vector<Best> best) {
  experience::Run run;
  run.key = {uri, "ir_instructions", "random", 1};
  run.references = {{"initial", {{"ir_instructions", 20}}}, {"clang-Oz", {{"ir_instructions", 10}}}};
  run.states = {state(20), state(10), state(9)};
  run.best = std::move(best);
  return run;
}

Best twoSteps(double value) { return {{0, 1}, {{"ir_instructions", value}}, {0, 1, 2}}; }

class SamplesTest : public testing::Test {
 protected:
  Result<Samples> read(const std::vector<experience::Run>& runs, const Header& written = header()) {
    return samplesOf(written, runs, encoder_);
  }

  policy::Encoder encoder_{2};
};

TEST_F(SamplesTest, EveryStepIsOneAndSoIsToStop) {
  const auto samples = read({run("debian/a/x.c", {twoSteps(9)})});
  ASSERT_TRUE(samples) << samples.error().message;
  EXPECT_EQ(samples->actions.sizes(), (std::vector<std::int64_t>{3}));
  EXPECT_TRUE(samples->actions.equal(torch::tensor(std::vector<std::int64_t>{0, 1, 2})));
  EXPECT_EQ(samples->features.size(1), static_cast<std::int64_t>(encoder_.width()));
  EXPECT_EQ(samples->packages, std::vector<std::string>(3, "debian/a"));
  EXPECT_TRUE(samples->values.allclose(torch::full({3}, 0.1)));
  // A tenth is more than a full gain, and the steps share it.
  EXPECT_NEAR(samples->weights.sum().item<double>(), kLeastWeight + 1, 1e-6);
}

TEST_F(SamplesTest, TheBetterSequenceCountsMore) {
  const auto samples = read({run("debian/a/x.c", {twoSteps(9), {{0}, {{"ir_instructions", 10}}, {0, 1}}})});
  ASSERT_TRUE(samples);
  const double better = samples->weights.slice(0, 0, 3).sum().item<double>();
  const double worse = samples->weights.slice(0, 3, 5).sum().item<double>();
  EXPECT_NEAR(worse / better, std::exp(-0.1 / kTemperature), 1e-6);
}

TEST_F(SamplesTest, WhatHasNoBaselineTeachesNothing) {
  experience::Run alone = run("debian/a/x.c", {twoSteps(9)});
  alone.references.erase("clang-Oz");
  EXPECT_EQ(read({alone}).error().code, ErrorCode::kInvalidArgument);
}

TEST_F(SamplesTest, SaysWhatIsMissing) {
  Header blind = header();
  blind.observations.pop_back();
  experience::Run run_of_it = run("debian/a/x.c", {});
  for (experience::State& each : run_of_it.states) each.pop_back();
  const auto samples = read({run_of_it}, blind);
  ASSERT_FALSE(samples);
  EXPECT_NE(samples.error().message.find("ir2vec"), std::string::npos);
}

TEST_F(SamplesTest, WholePackagesAreHeldOut) {
  std::vector<experience::Run> runs;
  for (int i = 0; i < 40; ++i) {
    runs.push_back(run(fmt::format("debian/p{}/x.c", i / 2), {twoSteps(9)}));
    runs.back().key.seed = static_cast<std::uint64_t>(i);
  }
  const auto samples = read(runs);
  ASSERT_TRUE(samples);
  const auto [held, others] = holdOut(*samples, 0.3);
  EXPECT_EQ(held.packages.size() + others.packages.size(), samples->packages.size());
  EXPECT_GT(held.packages.size(), 0u);
  EXPECT_GT(others.packages.size(), held.packages.size());
  for (const std::string& package : held.packages) EXPECT_EQ(std::ranges::count(others.packages, package), 0);
}

}  // namespace
}  // namespace ordo::learn
