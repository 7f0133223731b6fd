#include "cli/passes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "notation/action.h"

namespace ordo::cli {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLongName =
    "simplifycfg<forward-switch-cond;switch-range-to-icmp;switch-to-arithmetic;switch-to-lookup;no-keep-"
    "loops;"
    "hoist-common-insts;sink-common-insts>";

recipe::Recipe twoPasses() {
  recipe::Recipe recipe;
  recipe.objective = "text_bytes";
  for (const char* name : {"sroa", kLongName}) recipe.actions.push_back({name, notation::kPipeline, name});
  recipe.reasons = {{0, 120}};
  return recipe;
}

tune::Retraced retraced() {
  tune::Retraced retraced;
  retraced.policy = "p.safetensors";
  retraced.policy_hash = {1, 2};
  tune::Opinion liked{.probability = 0.642, .rank = 1, .of = 88, .first = "sroa", .first_probability = 0.642};
  liked.clues = {{"autophase.NumAllocaInst", "allocas: 31 (usual 5)", std::log(4.2)},
                 {"ir2vec", "the kind of code (its embedding)", std::log(0.5)},
                 {"steps", "0 passes so far", 0.01}};
  tune::Opinion disliked{
      .probability = 0.002, .rank = 23, .of = 88, .first = kLongName, .first_probability = 0.31};
  retraced.states = {{352, liked}, {180, disliked}, {1179, std::nullopt}};
  return retraced;
}

TEST(PassesTest, ShowsWhatEachPassSavesLeavesAndWhatThePolicyMadeOfIt) {
  const tune::Retraced all = retraced();
  const std::string table = passTable(twoPasses(), &all, true);
  EXPECT_THAT(table, HasSubstr("   1       120  ##########      180  sroa\n"));
  EXPECT_THAT(table, HasSubstr("        policy   1st choice of 88, 64 %\n"));
  EXPECT_THAT(table, HasSubstr("        for      allocas: 31 (usual 5) x4.2\n"));
  EXPECT_THAT(table, HasSubstr("        against  the kind of code (its embedding) x0.5\n"));
  EXPECT_THAT(table, Not(HasSubstr("so far"))) << "too weak to be said";
  EXPECT_THAT(table, HasSubstr("would not have: 23rd of 88, 0.2 %; 1st was simplifycfg<forward"));
  EXPECT_THAT(table, HasSubstr("(the end)\n        policy   does not know it\n"));
}

TEST(PassesTest, FitsIntoAHundredColumns) {
  const tune::Retraced all = retraced();
  std::istringstream lines(passTable(twoPasses(), &all, true));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
    EXPECT_EQ(line.find_first_not_of(' '), line.find_first_not_of(" %"))
        << "a number lost its unit: " << line;
  }
}

TEST(PassesTest, WithoutAPolicyOrTheProgramThereIsLess) {
  tune::Retraced all = retraced();
  all.policy.clear();
  EXPECT_THAT(passTable(twoPasses(), &all, true), AllOf(HasSubstr("1 179"), Not(HasSubstr("policy"))));
  const std::string table = passTable(twoPasses(), nullptr, true);
  EXPECT_THAT(table, AllOf(HasSubstr("sroa"), HasSubstr("120"), Not(HasSubstr("leaves"))));
}

TEST(PassesTest, WhatNobodyAskedForOrNobodyKnowsIsLeftOut) {
  const tune::Retraced all = retraced();
  EXPECT_THAT(passTable(twoPasses(), &all, false),
              AllOf(HasSubstr("   1       120  ##########      180  sroa\n"), Not(HasSubstr("policy")),
                    Not(HasSubstr("(the end)"))));
  recipe::Recipe recipe = twoPasses();
  recipe.reasons.clear();
  EXPECT_THAT(passTable(recipe, &all, false),
              AllOf(HasSubstr("   1      180  sroa\n"), Not(HasSubstr("saves")), Not(HasSubstr("?"))));
}

TEST(PassesTest, SaysWhatAQuestionMarkMeans) {
  recipe::Recipe recipe = twoPasses();
  EXPECT_THAT(passTable(recipe, nullptr, true), AllOf(HasSubstr(" ?  "), HasSubstr("  ?  not measured")));
  recipe.reasons.clear();
  for (std::int64_t i = 0; i < std::ssize(recipe.actions); ++i)
    recipe.reasons.push_back({.action = i, .saves = 1});
  EXPECT_THAT(passTable(recipe, nullptr, true), Not(HasSubstr("?")));
}

TEST(PassesTest, JsonHasItAll) {
  const Json json = passesJson(twoPasses(), retraced());
  EXPECT_EQ(json["policy"]["file"], "p.safetensors");
  EXPECT_EQ(json["policy"]["hash"], (Hash128{1, 2}.hex()));
  ASSERT_EQ(json["states"].size(), 3u);
  const Json& first = json["states"][0];
  EXPECT_EQ(first["action"], "sroa");
  EXPECT_EQ(first["instructions"], 352);
  EXPECT_EQ(first["saves"], 120);
  EXPECT_EQ(first["opinion"]["rank"], 1);
  EXPECT_EQ(first["opinion"]["features"].size(), 3u);
  EXPECT_EQ(first["opinion"]["features"][0]["name"], "autophase.NumAllocaInst");
  EXPECT_EQ(json["states"][1]["saves"], nullptr);
  EXPECT_EQ(json["states"][1]["opinion"]["first"]["action"], kLongName);
  EXPECT_EQ(json["states"][2]["opinion"], nullptr);
  EXPECT_FALSE(json["states"][2].contains("action"));
}

TEST(PassesTest, JsonSaysWhyThereIsNoPolicy) {
  tune::Retraced all = retraced();
  all.policy.clear();
  all.no_policy = "it does not fit";
  const Json json = passesJson(twoPasses(), all);
  EXPECT_EQ(json["policy"], nullptr);
  EXPECT_EQ(json["no_policy"], "it does not fit");
  EXPECT_FALSE(json["states"][0].contains("opinion"));
}

}  // namespace
}  // namespace ordo::cli
