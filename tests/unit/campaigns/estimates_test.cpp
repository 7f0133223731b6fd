#include "campaigns/estimates.h"

#include <gtest/gtest.h>

#include "policy/encoder.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

class EstimatesTest : public testing::Test {
 protected:
  EstimatesTest() {
    const auto subject = host_.prepare("toy/100");
    for (const env::Action& action : subject->spec.actions) header_.actions.push_back(action.name);
    known_.coresets = {{"cost", {{"dec"}, {"halve-if-multiple-of-4"}, {"inc"}, {"noop"}, {"dec", "dec"}}},
                       {"ir_instructions", {{"dec"}, {"inc"}}}};
  }

  // Learns from runs of these programs.
  Status learn(const std::vector<std::string>& uris, EstimateOptions options = {}) {
    options.observation = "autophase";  // the toy's
    options.openings = 4;
    std::vector<experience::Run> runs;
    for (const std::string& uri : uris) runs.emplace_back().key.uri = uri;
    return addEstimates(header_, runs, stage_, options, known_);
  }

  study::ToyHost host_;
  Stage stage_{host_, {.stop = nullptr}};
  experience::Header header_;
  search::KnowledgeFile known_;
};

// What the toy costs is about ten times its count, which is all that is seen of it.
TEST_F(EstimatesTest, SayWhatWillCostMore) {
  std::vector<std::string> uris;
  for (int count = 40; count < 100; ++count) uris.push_back(fmt::format("toy/{}", count));
  ASSERT_TRUE(learn(uris));
  const search::Estimate& estimate = known_.estimates.at({"", "cost"});
  EXPECT_EQ(estimate.offsets.size(), 4u) << "of the first";
  EXPECT_GT(estimate.weights.at(policy::kTotalInsts), 0);
  EXPECT_EQ(known_.estimates.size(), 1u) << "the number of instructions needs no estimate";
  std::vector<std::int64_t> counts(estimate.weights.size(), 0);
  counts[policy::kTotalInsts] = 50;
  const double half = estimate.rank(1, counts, 1000);
  counts[policy::kTotalInsts] = 99;
  EXPECT_LT(half, estimate.rank(0, counts, 1000));
}

TEST_F(EstimatesTest, AreOfAKindsOwnSequences) {
  known_.kinds = {{"linkonce", {{"cost", {{"dec", "dec"}, {"inc"}}}}}};
  const std::vector<std::string> uris{"toy/60 enabled", "toy/61 enabled", "toy/62 enabled", "toy/63"};
  ASSERT_TRUE(learn(uris, {.on = {.kind = "linkonce"}}));
  EXPECT_EQ(known_.estimates.at({"linkonce", "cost"}).offsets.size(), 2u);
  EXPECT_FALSE(known_.estimates.contains({"", "cost"}));
}

TEST_F(EstimatesTest, WithTooLittleToLearnFromThereIsNone) {
  known_.estimates[{"", "cost"}] = {"autophase", {1}, {1, 2}};
  ASSERT_TRUE(learn({"toy/50"}));
  EXPECT_TRUE(known_.estimates.empty()) << "one of before is not kept";
  known_.coresets = {{"cost", {{"dec"}, {"unheard of"}, {"inc"}}}};
  ASSERT_TRUE(learn({"toy/50", "toy/60", "toy/70"}));
  EXPECT_TRUE(known_.estimates.empty());
  EXPECT_EQ(learn({"toy/bad"}).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::campaigns
