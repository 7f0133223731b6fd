#include "campaigns/train_vectorizing.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "advice/timed_loops.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "tests/unit/campaigns/fake_advise.h"

namespace ordo::campaigns {
namespace {

const env::DecisionSpec& spec() { return notation::vectorFactorsDecision(); }

std::size_t answer(std::string_view name) {
  return static_cast<std::size_t>(std::ranges::find(spec().answers, name) - spec().answers.begin());
}

std::vector<float> features(float all) { return std::vector<float>(spec().features.size(), all); }

// A folder in which loops were timed whose features say whether 8x2 doubles the speed or halves it.
TempDir timed(int loops) {
  TempDir run = *TempDir::create();
  std::ofstream out(run.path() / "times.jsonl");
  for (int i = 0; i < loops; ++i) {
    const bool pays = i / 2 % 2 == 0;
    std::vector<double> ns(spec().answers.size(), 150);
    ns[0] = 100;
    ns[answer("8x2")] = pays ? 50 : 200;
    for (const char* target : {"sse2", "avx2", "avx512"})
      out << advice::writeTimed(
          {fmt::format("{}/{}", 1 + i % 2, i / 2), target, "", features(pays ? 10 : 90), {0}, {ns}});
  }
  return run;
}

TEST(TrainVectorizingTest, LearnsFromWhatWasTimedAndTimesNothingTwice) {
  const FakeAdvise fake("#!/bin/sh\nexit 1\n");
  const TempDir run = timed(60);
  VectorizingTraining options;
  options.loops = 60;
  options.most_epochs = 300;
  options.run = run.path();
  options.provenance = "a test";
  const Result<TrainedVectorizing> trained = trainVectorizing(options);
  ASSERT_TRUE(trained) << trained.error().message;
  const Result<policy::AdvisorWeights> weights = policy::AdvisorWeights::parse(trained->weights, "it");
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->info().spec, spec());
  EXPECT_EQ(weights->info().provenance, "a test");
  EXPECT_EQ(trained->held_out.slower, 0u);
  EXPECT_GT(trained->held_out.log_speedup, 0.2) << "of half of log 2";
  const std::vector<std::uint8_t> all(spec().answers.size(), 1);
  policy::Network::Scratch scratch;
  EXPECT_EQ(weights->answer({features(10), all, 0}, scratch), answer("8x2"));
  EXPECT_EQ(weights->answer({features(90), all, 0}, scratch), 0u);
  EXPECT_EQ(weights->answer({features(5), all, 0}, scratch), 0u) << "unlike all that was seen";
}

TEST(TrainVectorizingTest, WhatIsMissingIsTimedAndKept) {
  const std::string line = advice::writeTimed(
      {"NAME", "", "", features(10), {0}, {std::vector<double>(spec().answers.size(), 9)}});
  const FakeAdvise fake(fmt::format(R"(#!/bin/sh
while [ "$1" != -- ]; do shift; done
shift
for m; do echo '{}' | sed "s,NAME,$m,"; done
)",
                                    line.substr(0, line.size() - 1)));
  const TempDir run = *TempDir::create();
  VectorizingTraining options;
  options.loops = 40;
  options.most_epochs = 1;
  options.run = run.path();
  ASSERT_TRUE(trainVectorizing(options));
  std::size_t timed_before = 0;
  options.progress = [&](std::string_view text) {
    timed_before += text.find("timed") != std::string_view::npos;
    return true;
  };
  ASSERT_TRUE(trainVectorizing(options));
  EXPECT_EQ(timed_before, 0u);
}

TEST(TrainVectorizingTest, StopsWhenItIsToldAndNeedsSomeLoops) {
  const FakeAdvise fake("#!/bin/sh\nexit 1\n");
  const TempDir run = timed(60);
  VectorizingTraining options;
  options.loops = 0;
  options.run = run.path();
  options.progress = [](std::string_view) { return false; };
  const Result<TrainedVectorizing> stopped = trainVectorizing(options);
  ASSERT_TRUE(stopped);
  EXPECT_TRUE(stopped->weights.empty());
  const TempDir empty = *TempDir::create();
  options.run = empty.path();
  EXPECT_EQ(trainVectorizing(options).error().code, ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace ordo::campaigns
