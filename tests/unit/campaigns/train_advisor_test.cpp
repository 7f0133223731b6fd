#include "campaigns/train_advisor.h"

#include <gtest/gtest.h>

#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "support/json.h"
#include "tests/unit/campaigns/fake_advise.h"

namespace ordo::campaigns {
namespace {

// Modules in which it pays to say yes where the first feature is below 10, and advisors that save a tenth.
std::string script() {
  Json examples = Json::array();
  for (int i = 0; i < 40; ++i) {
    std::vector<int> features(notation::inlineDecision().features.size(), 3);
    features[0] = i % 20;
    examples.push_back({{"features", features}, {"usual", 0}, {"saved", {0, i % 20 < 10 ? 32 : -32}}});
  }
  const std::string found = writeJson({{"usual", 100}, {"best", 90}, {"examples", examples}}).substr(1);
  return fmt::format(R"(#!/bin/sh
command=$1
shift
if [ $command = search ]; then
  shift 2
  for m; do echo '{{"module":"'$m'",'{}; done
  exit
fi
advised=
while [ $1 != -- ]; do
  advised=$advised,90
  shift 2
done
shift
for m; do echo '{{"module":"'$m'","usual":100,"advised":['${{advised#,}}']}}'; done
)",
                     "'" + found + "'");
}

TEST(TrainAdvisorTest, LearnsGoesOnAndSaysWhatItIsWorth) {
  const FakeAdvise fake(script());
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options;
  options.programs = {fake.add("a.bc"), fake.add("b.bc")};
  options.held_out = {fake.add("c.bc")};
  options.generations = 1;
  options.run = run->path();
  options.provenance = "a test";
  std::string notes;
  options.note = [&](std::string_view text) { notes += std::string(text) + "\n"; };
  // ".bc" files are looked at: bitcode begins so.
  for (const char* name : {"a.bc", "b.bc", "c.bc"}) fake.add(name, "BC\xC0\xDE");
  const Result<TrainedAdvisor> trained = trainInlining(options);
  ASSERT_TRUE(trained) << trained.error().message;
  const Result<policy::AdvisorWeights> weights = policy::AdvisorWeights::parse(trained->weights, "it");
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->info().spec, notation::inlineDecision());
  EXPECT_EQ(weights->info().provenance, "a test");
  EXPECT_EQ(weights->info().high[0], 19);
  EXPECT_EQ(trained->held_out.smaller, 1u);
  std::vector<float> features(38, 3);
  const std::vector<std::uint8_t> both{1, 1};
  policy::Network::Scratch scratch;
  features[0] = 2;
  EXPECT_EQ(weights->answer({features, both, 0}, scratch), 1u) << notes;
  features[0] = 18;
  EXPECT_EQ(weights->answer({features, both, 0}, scratch), 0u);

  // What was searched is not searched again.
  std::size_t searched = 0;
  options.progress = [&](std::string_view text) { return !(searched += text.starts_with("train:")) || true; };
  ASSERT_TRUE(trainInlining(options));
  EXPECT_EQ(searched, 0u);
}

TEST(TrainAdvisorTest, StopsWhenItIsTold) {
  const FakeAdvise fake(script());
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options;
  for (const char* name : {"a.bc", "b.bc", "c.bc"}) fake.add(name, "BC\xC0\xDE");
  options.programs = {fake.folder()};
  options.held_out = {fake.folder()};
  options.run = run->path();
  options.progress = [](std::string_view) { return false; };
  const Result<TrainedAdvisor> trained = trainInlining(options);
  ASSERT_TRUE(trained);
  EXPECT_TRUE(trained->weights.empty());
}

}  // namespace
}  // namespace ordo::campaigns
