#include "loop/learning/lore.h"

#include <gtest/gtest.h>

#include <cmath>

#include "experience/reader.h"
#include "support/files.h"

namespace ordo::loop {
namespace {

std::string sequences(const std::vector<std::string>& actions, const std::string& space = "size") {
  return writeSequences({{.source = "a.c",
                          .program = hashBytes("a"),
                          .baseline = "clang-Oz",
                          .version = "22.1.8",
                          .space = space,
                          .space_hash = hashBytes("s"),
                          .actions = actions}});
}

class LoopLoreTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(store_.lease("me", 0, 1e9)); }

  void closed(const std::string& id, const std::string& candidate, std::optional<double> value,
              const std::vector<Option>& among, const std::string& toolchain = "") {
    Experiment experiment{.id = id, .candidate = candidate, .toolchain = toolchain, .created_s = 1};
    ASSERT_TRUE(store_.add("me", experiment, among));
    Reward reward;
    reward.verdict = Verdict::kInconclusive;
    reward.value = value;
    if (value) reward.error = 0.01;
    experiment.outcome = Outcome::kInconclusive;
    experiment.state = State::kClosed;
    ASSERT_TRUE(store_.advance("me", State::kProposed, experiment, 2));
    ASSERT_TRUE(store_.addReward("me", id, reward, false, 3));
  }

  std::vector<Option> both() const {
    return {{"fast", 0.75, sequences({"sroa", "gvn"})}, {"slow", 0.25, sequences({})}};
  }

  TempDir dir_ = *TempDir::create();
  Store store_ = *Store::open(dir_.path() / "loop.sqlite", true);
};

TEST_F(LoopLoreTest, IsExperienceWithItsTrials) {
  closed("one", "fast", 0.1, both());
  closed("two", "slow", -0.1, both());
  const auto lore = collectLore(store_, "");
  ASSERT_TRUE(lore) << lore.error().message;
  const auto text = writeLore(*lore, {"gvn", "sroa"});
  ASSERT_TRUE(text) << text.error().message;
  const std::filesystem::path file = dir_.path() / "e.jsonl";
  ASSERT_TRUE(writeFile(file, *text));
  auto reader = *experience::Reader::open(file);
  EXPECT_EQ(reader.header().baseline, "clang-Oz");
  const auto first = std::get<experience::Run>(**reader.next());
  EXPECT_EQ(first.key.searcher, "loop/fast");
  EXPECT_EQ(first.key.uri, "a.c");
  EXPECT_EQ(first.hash, hashBytes("a"));
  EXPECT_EQ(first.best.front().actions, (experience::Sequence{1, 0}));
  EXPECT_LT(first.best.front().values.at("runtime"), 1);
  EXPECT_GT(std::get<experience::Run>(**reader.next()).best.front().values.at("runtime"), 1);
  EXPECT_FALSE(reader.next()->has_value());
  ASSERT_EQ(reader.trials().size(), 2u);
  EXPECT_EQ(reader.trials()[1].candidate, "slow");
  EXPECT_EQ(reader.trials()[1].among.at("fast"), 0.75);
  EXPECT_EQ(reader.trials()[1].reward, -0.1);
}

TEST_F(LoopLoreTest, WhatTeachesNothingIsLeftOutWithTheReason) {
  closed("one", "fast", std::nullopt, both());
  closed("two", "fast", 0.1, both(), "another");
  closed("three", "fast", 0.1, {});
  closed("four", "fast", 0.1, {{"fast", 1, ""}});
  closed("five", "fast", 0.1, {{"fast", 1, sequences({"gvn"})}});
  closed("six", "fast", 0.1, both());
  const auto lore = collectLore(store_, "");
  ASSERT_TRUE(lore) << lore.error().message;
  ASSERT_EQ(lore->trials.size(), 1u);
  EXPECT_EQ(lore->trials.front().id, "six");
  ASSERT_EQ(lore->left_out.size(), 5u);
  EXPECT_NE(lore->left_out.back().find("another recipe"), std::string::npos);
}

TEST_F(LoopLoreTest, AnEmptyOneIsSaid) {
  EXPECT_EQ(collectLore(store_, "").error().code, ErrorCode::kNotFound);
}

TEST_F(LoopLoreTest, RowsByOtherHandsAreRefused) {
  closed("one", "fast", 0.1, {{"fast", 0.5, sequences({})}, {"slow", 0.1, sequences({})}});
  EXPECT_EQ(collectLore(store_, "").error().code, ErrorCode::kCorrupt) << "probabilities that are not 1";
}

TEST_F(LoopLoreTest, SequencesThatAreNoneAreRefused) {
  closed("one", "fast", 0.1, {{"fast", 1, "[{}]"}});
  EXPECT_EQ(collectLore(store_, "").error().code, ErrorCode::kCorrupt);
}

TEST_F(LoopLoreTest, CandidatesOfDifferentSpacesAreRefused) {
  closed("one", "fast", 0.1, {{"fast", 0.5, sequences({})}, {"slow", 0.5, sequences({}, "speed")}});
  EXPECT_EQ(collectLore(store_, "").error().code, ErrorCode::kCorrupt);
}

TEST_F(LoopLoreTest, AnActionThatTheSpaceLacksIsNamed) {
  closed("one", "fast", 0.1, both());
  const auto text = writeLore(*collectLore(store_, ""), {"gvn"});
  ASSERT_FALSE(text);
  EXPECT_NE(text.error().message.find("'sroa'"), std::string::npos);
}

}  // namespace
}  // namespace ordo::loop
