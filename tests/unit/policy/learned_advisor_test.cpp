#include "policy/learned_advisor.h"

#include <gtest/gtest.h>

#include <array>

#include "support/hash.h"
#include "support/rng.h"
#include "tests/fakes/advisor_conformance.h"

namespace ordo::policy {
namespace {

// Says yes to what is small: its logit of "yes" is 1 - log1p(size).
AdvisorInfo info() {
  return {.spec = {"toy", 1, {"size", "uses"}, {"no", "yes"}},
          .architecture = Architecture::kLinear,
          .caution = {0.5f, 0},
          .low = {0, 0},
          .high = {1000, 10},
          .backend_version = "22.1.8",
          .provenance = "by hand"};
}
std::vector<Tensor> tensors() {
  return {{"logits.weight", {2, 4}, {0, 0, 0, 0, -8, 0, 0, 0}},
          {"logits.bias", {2}, {0, 1}},
          {"value.weight", {1, 4}, {0, 0, 0, 0}},
          {"value.bias", {1}, {0}}};
}

AdvisorWeights weights(AdvisorInfo of = info()) {
  Result<AdvisorWeights> made = AdvisorWeights::create(std::move(of), tensors(), "test");
  EXPECT_TRUE(made) << made.error().message;
  return *std::move(made);
}

std::uint32_t answer(const AdvisorWeights& of, float size, float uses, std::uint32_t usual,
                     std::array<std::uint8_t, 2> allowed = {1, 1}) {
  Network::Scratch scratch;
  const std::array<float, 2> features{size, uses};
  return of.answer({features, allowed, usual}, scratch);
}

TEST(LearnedAdvisorTest, AnswersByWhatIsSavedWithCaution) {
  const AdvisorWeights of = weights();
  EXPECT_EQ(answer(of, 0, 1, 0), 1u) << "1 is saved, which is more than 0.5";
  EXPECT_EQ(answer(of, 1, 1, 0), 0u) << "0.31 is not enough";
  EXPECT_EQ(answer(of, 1, 1, 1), 1u);
  EXPECT_EQ(answer(of, 100, 1, 1), 0u);
  EXPECT_EQ(answer(of, 100, 1, 1, {0, 1}), 1u) << "what is not allowed";
}

TEST(LearnedAdvisorTest, IsNotAskedAboutWhatIsUnlikeAllItHasSeen) {
  EXPECT_EQ(answer(weights(), 0, 11, 0), 0u);
  EXPECT_EQ(answer(weights(), 2000, 1, 1), 1u);
}

TEST(LearnedAdvisorTest, Conforms) {
  LearnedAdvisor advisor(std::make_shared<const AdvisorWeights>(weights()));
  fakes::expectConformance(advisor);
}

TEST(LearnedAdvisorTest, IsReadAsItWasWritten) {
  const Result<AdvisorWeights> read = AdvisorWeights::parse(writeAdvisor(info(), tensors()), "file");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->info(), info());
  EXPECT_EQ(answer(*read, 0, 1, 0), 1u);
}

TEST(LearnedAdvisorTest, RefusesWhatDoesNotHoldTogether) {
  const auto complaint = [](AdvisorInfo of, std::vector<Tensor> parts) {
    const Result<AdvisorWeights> read = AdvisorWeights::parse(writeAdvisor(of, std::move(parts)), "file");
    return read ? "" : read.error().message;
  };
  AdvisorInfo wrong = info();
  wrong.spec.features.push_back("more");
  wrong.low.push_back(0);
  wrong.high.push_back(0);
  EXPECT_NE(complaint(wrong, tensors()).find("should take 5"), std::string::npos)
      << complaint(wrong, tensors());
  wrong = info();
  wrong.caution.pop_back();
  EXPECT_NE(complaint(wrong, tensors()).find("caution"), std::string::npos);
  wrong = info();
  wrong.caution[0] = -1;
  EXPECT_NE(complaint(wrong, tensors()).find("caution"), std::string::npos);
  wrong = info();
  wrong.low.pop_back();
  EXPECT_NE(complaint(wrong, tensors()).find("like.low"), std::string::npos);
  wrong = info();
  wrong.spec.answers[1] = "no";
  EXPECT_NE(complaint(wrong, tensors()).find("twice"), std::string::npos);
}

// One score for each answer: its own feature, less one if it is the last.
AdvisorInfo singleInfo() {
  return {.spec = {"toy", 1, {"gain[0]", "gain[1]", "gain[2]", "size"}, {"0", "1", "none"}},
          .architecture = Architecture::kLinear,
          .caution = {0.5f, 0.5f, 0.5f},
          .low = {0, 0},
          .high = {1000, 10},
          .backend_version = "22.1.8",
          .provenance = "by hand"};
}
std::vector<Tensor> singleTensors() {
  return {{"logits.weight", {1, 4}, {8, 0, 0, -1}},
          {"logits.bias", {1}, {0}},
          {"value.weight", {1, 4}, {0, 0, 0, 0}},
          {"value.bias", {1}, {0}}};
}

TEST(LearnedAdvisorTest, OneNetworkMayScoreAnswersOneByOne) {
  const Result<AdvisorWeights> made = AdvisorWeights::create(singleInfo(), singleTensors(), "test");
  ASSERT_TRUE(made) << made.error().message;
  Network::Scratch scratch;
  const auto answers = [&](std::array<float, 4> features, std::uint32_t usual,
                           std::array<std::uint8_t, 3> allowed = {1, 1, 1}) {
    return made->answer({features, allowed, usual}, scratch);
  };
  EXPECT_EQ(answers({1, 9, 9, 0}, 0), 1u);
  EXPECT_EQ(answers({1, 9, 9, 0}, 0, {1, 0, 1}), 2u) << "what is not allowed";
  EXPECT_EQ(answers({9, 10, 0, 0}, 0), 0u) << "0.1 is not enough";
  EXPECT_EQ(answers({0, 9, 0, 11}, 2), 2u) << "unlike all it has seen";
  EXPECT_EQ(answers({0, 9, 2000, 0}, 0), 0u);
  EXPECT_EQ(answers({0, 9, 2000, 0}, 0, {1, 1, 0}), 1u) << "what is not allowed is like anything";
  LearnedAdvisor advisor(std::make_shared<const AdvisorWeights>(*made));
  fakes::expectConformance(advisor);
}

TEST(LearnedAdvisorTest, TheNumbersOfOneAnswerAreItsOwnAndThoseOfAll) {
  const AnswerColumns columns = columnsOf(singleInfo().spec);
  EXPECT_EQ(columns.own, (std::vector<std::size_t>{0}));
  EXPECT_EQ(columns.shared, (std::vector<std::size_t>{3}));
  EXPECT_EQ(columnsOf({"toy", 1, {"gain[0]", "gain[1]"}, {"0", "1", "none"}}).own.size(), 0u)
      << "not of every answer";
  AdvisorInfo wrong = singleInfo();
  wrong.low.push_back(0);
  EXPECT_FALSE(AdvisorWeights::create(wrong, singleTensors(), "test"));
  wrong = singleInfo();
  wrong.spec.features[0] = "gain";
  EXPECT_FALSE(AdvisorWeights::create(wrong, singleTensors(), "test"));
}

// What comes from outside is hostile.
TEST(LearnedAdvisorTest, SurvivesDamagedFiles) {
  const std::string good = writeAdvisor(info(), tensors());
  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = good;
    for (std::uint64_t n = 1 + rng.below(3); n > 0; --n)
      bad[rng.below(bad.size())] = static_cast<char>(rng.next());
    if (rng.chance(0.2)) bad.resize(rng.below(bad.size()));
    if (const Result<AdvisorWeights> read = AdvisorWeights::parse(bad, "file")) (void)answer(*read, 1, 1, 0);
  }
}

}  // namespace
}  // namespace ordo::policy
