#include "search/knowledge/knowledge.h"

#include <gtest/gtest.h>

#include "support/json.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

KnowledgeFile sample() {
  KnowledgeFile file{.backend = "toy",
                     .backend_version = "1",
                     .space = "small",
                     .space_hash = hashBytes("space"),
                     .objective = "count",
                     .baseline = "none",
                     .observation = "counters",
                     .budget = "10 evaluations",
                     .seed = 3};
  file.programs = {{"a", hashBytes("a"), {1, 2.5}, {"dec", "dec"}, 0.5},
                   {"b", hashBytes("b"), {3, -4}, {"enable", "dec"}, 0.25}};
  file.synergies = {{"enable", "dec", 2}, {"dec", "dec-if-even", 1}};
  file.coresets = {{"cost", {{"dec", "dec"}}}, {"count", {{"enable", "dec"}, {"dec"}}}};
  file.kinds = {{"big", {{"count", {{"dec", "dec", "dec"}, {"dec"}}}}}};
  file.estimates = {{{"", "count"}, {"counts", std::vector<double>(3, 0.5), {0.25, -1}}},
                    {{"big", "count"}, {"counts", std::vector<double>(3, 2), {0.75}}}};
  return file;
}

ErrorCode codeOf(std::string_view from, std::string_view to) {
  std::string text = writeKnowledge(sample());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  text.replace(at, from.size(), to);
  const auto parsed = parseKnowledge(text, "k.json");
  if (parsed) return ErrorCode::kInternal;
  EXPECT_TRUE(parsed.error().message.starts_with("k.json")) << parsed.error().message;
  return parsed.error().code;
}

TEST(KnowledgeTest, WhatIsWrittenIsReadBack) {
  const std::string text = writeKnowledge(sample());
  const auto parsed = parseKnowledge(text, "k.json");
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(writeKnowledge(*parsed), text);
  EXPECT_EQ(parsed->programs[1].features, (std::vector<double>{3, -4}));
  EXPECT_TRUE(parseKnowledge(writeKnowledge({}), "empty"));
}

TEST(KnowledgeTest, ADocumentThatDoesNotHoldTogetherIsRefused) {
  for (const char* format : {"\"format\": 1", "\"format\": 6"})
    EXPECT_EQ(codeOf("\"format\": 5", format), ErrorCode::kUnsupported);
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"\"space\"", "\"spice\""},
           {"\"uri\":\"b\"", "\"uri\":\"a\""},
           {"3.0,-4.0", "3.0"},
           {"3.0,-4.0", "3.0,\"x\""},
           {"3.0,-4.0", "3.0,1e999"},
           {"\"programs\":2", "\"programs\":3"},
           {"\"programs\":2", "\"programs\":0"},
           {"\"first\":\"dec\",\"second\":\"dec-if-even\"", "\"first\":\"enable\",\"second\":\"dec\""},
           {"\"actions\":[\"dec\"]}", "\"actions\":[]}"},
           {"\"observation\":\"counts\",\"weights\":[0.5,", "\"weights\":[0.5,"},
           {"\"weights\":[0.5,0.5,0.5]", "\"weights\":[]"},
           {"\"offsets\":[0.25,-1.0]", "\"offsets\":[]"},
           {"\"offsets\":[0.25,-1.0]", "\"offsets\":[0.25,-1.0,0.0]"},
           {"\"offsets\":[0.25,-1.0]", "\"offsets\":[0.25,1e999]"},
           {"{\"kind\":\"big\",\"objective\":\"count\",\"observation\"",
            "{\"kind\":\"bigger\",\"objective\":\"count\",\"observation\""},
           {"{\"kind\":\"big\",\"objective\":\"count\",\"observation\"",
            "{\"objective\":\"count\",\"observation\""},
           {"{\"objective\":\"count\",\"actions\":[\"dec\"]}", "[\"dec\"]"},
           {hashBytes("a").hex(), "no hash"},
           {"}\n", ""}}) {
    EXPECT_EQ(codeOf(from, to), ErrorCode::kCorrupt) << from << " -> " << to;
  }
}

TEST(KnowledgeTest, IsUsedByTheIndicesOfTheActionsThatThereAre) {
  const auto actions = fakes::toySpec(9, {"noop", "dec", "enable"}).actions;
  const auto knowledge = knowledgeFor(sample(), actions, {1, 2});
  ASSERT_TRUE(knowledge);
  ASSERT_EQ(knowledge->synergies.size(), 1u) << "the other needs an action that is not there";
  EXPECT_EQ(knowledge->synergies[0].first, 2u);
  EXPECT_EQ(knowledge->synergies[0].second, 1u);
  const auto coreset = [&](const std::string& objective) {
    const auto found = knowledge->coreset(objective);
    return std::vector<Sequence>(found.begin(), found.end());
  };
  EXPECT_EQ(coreset("count"), (std::vector<Sequence>{{2, 1}, {1}}));
  EXPECT_EQ(coreset("cost"), (std::vector<Sequence>{{1, 1}}));
  EXPECT_EQ(coreset("beauty"), coreset("cost")) << "better than none";
  EXPECT_EQ(coreset("count=1+cost=1"), (std::vector<Sequence>{{2, 1}, {1, 1}, {1}})) << "they take turns";
  EXPECT_EQ(coreset("count=1+cost=3"), (std::vector<Sequence>{{1, 1}, {2, 1}, {1}}));
  EXPECT_EQ(coreset("count=1+beauty=3"), coreset("count"));
  EXPECT_EQ(coreset("beauty=1+truth=3"), coreset("cost")) << "better than none";
  EXPECT_TRUE(Knowledge{}.coreset("count").empty());
  ASSERT_EQ(knowledge->examples.size(), 2u);
  EXPECT_EQ(knowledge->examples[0].best, (Sequence{1, 1}));
}

TEST(KnowledgeTest, WhatServesAKindComesFirstForIt) {
  const auto actions = fakes::toySpec(9, {"noop", "dec", "enable"}).actions;
  const auto coreset = [&](std::string_view kind, const std::string& objective) {
    const auto knowledge = knowledgeFor(sample(), actions, {}, kind);
    const auto found = knowledge->coreset(objective);
    return std::vector<Sequence>(found.begin(), found.end());
  };
  EXPECT_EQ(coreset("big", "count"), (std::vector<Sequence>{{1, 1, 1}, {1}, {2, 1}})) << "each once";
  EXPECT_EQ(coreset("big", "cost"), coreset("", "cost")) << "nothing is known of the kind";
  EXPECT_EQ(coreset("small", "count"), coreset("", "count"));
  EXPECT_EQ(coreset("big/red", "count"), coreset("big", "count")) << "which it is as well";
  EXPECT_EQ(coreset("bigger", "count"), coreset("", "count"));
}

TEST(KnowledgeTest, WhatServesAKindOfAKindComesBeforeWhatServesThat) {
  const auto actions = fakes::toySpec(9, {"noop", "dec", "enable"}).actions;
  KnowledgeFile file = sample();
  file.kinds["big/red"] = {{"count", {{"enable"}, {"dec"}}}};
  const auto known = knowledgeFor(file, actions, {}, "big/red");
  const auto coreset = known->coreset("count");
  EXPECT_EQ(std::vector<Sequence>(coreset.begin(), coreset.end()),
            (std::vector<Sequence>{{2}, {1}, {1, 1, 1}, {2, 1}}));
  EXPECT_TRUE(known->openings.empty()) << "the estimate is of sequences that come later";
}

TEST(KnowledgeTest, FilesOfBeforeAreRead) {
  KnowledgeFile file = sample();
  file.kinds.clear();
  file.estimates.clear();
  for (const char* format : {"\"format\": 2", "\"format\": 3"}) {
    std::string text = writeKnowledge(file);
    text.replace(text.find("\"format\": 5"), 11, format);
    const std::size_t estimates = text.find(",\n  \"estimates\": []");
    ASSERT_NE(estimates, std::string::npos);
    text.erase(estimates, std::string_view(",\n  \"estimates\": []").size());
    EXPECT_TRUE(parseKnowledge(text, "k.json"));
  }
}

TEST(KnowledgeTest, EstimatesOfBeforeAreOfAutophase) {
  std::string text = writeKnowledge(sample());
  text.replace(text.find("\"format\": 5"), 11, "\"format\": 4");
  constexpr std::string_view kObservation = "\"observation\":\"counts\",";
  for (std::size_t at = text.find(kObservation); at != std::string::npos; at = text.find(kObservation))
    text.erase(at, kObservation.size());
  const auto file = parseKnowledge(text, "k.json");
  ASSERT_TRUE(file) << file.error().message;
  EXPECT_EQ(file->estimates.at({"", "count"}).observation, "autophase");
  EXPECT_EQ(file->estimates.at({"", "count"}).weights, std::vector<double>(3, 0.5));
}

TEST(KnowledgeTest, AnEstimateIsOfTheFirstSequencesOfTheProgramsKind) {
  const auto actions = fakes::toySpec(9, {"noop", "dec", "enable"}).actions;
  const auto openings = [&](const KnowledgeFile& file, std::string_view kind) {
    return knowledgeFor(file, actions, {}, kind)->openings;
  };
  EXPECT_EQ(openings(sample(), "").at("count").sequences, (std::vector<Sequence>{{2, 1}, {1}}));
  EXPECT_EQ(openings(sample(), "").at("count").estimate.offsets, (std::vector<double>{0.25, -1}));
  EXPECT_EQ(openings(sample(), "big").at("count").sequences, (std::vector<Sequence>{{1, 1, 1}}));
  EXPECT_EQ(openings(sample(), "big").at("count").estimate.weights.front(), 2);
  EXPECT_EQ(openings(sample(), "").count("cost"), 0u);
  KnowledgeFile file = sample();
  file.estimates.erase({"big", "count"});
  EXPECT_TRUE(openings(file, "big").empty()) << "the other's is of sequences that come later";
}

TEST(KnowledgeTest, AnEstimateOfWhatCannotBeDoneAsItIsIsNone) {
  KnowledgeFile file = sample();
  file.coresets["count"][1] = {"codegen<a>", "dec"};
  const auto knowledge = knowledgeFor(file, fakes::toySpec(9, {"noop", "dec", "enable"}).actions, {});
  EXPECT_EQ(knowledge->coreset("count").size(), 2u);
  EXPECT_TRUE(knowledge->openings.empty());
}

TEST(KnowledgeTest, AChoiceOfTheCodeGeneratorThatTheSpaceLacksIsLeftOut) {
  KnowledgeFile file = sample();
  file.coresets = {{"count", {{"codegen<a>", "dec", "codegen<b>"}, {"codegen<a>", "gone"}}}};
  std::vector<env::Action> actions = fakes::toySpec(9, {"noop", "dec"}).actions;
  actions.push_back({"codegen<b>", fakes::kToySetting, "-b"});
  const auto knowledge = knowledgeFor(file, actions, {});
  ASSERT_TRUE(knowledge);
  const auto found = knowledge->coreset("count");
  EXPECT_EQ(std::vector<Sequence>(found.begin(), found.end()), (std::vector<Sequence>{{1, 2}}));
}

TEST(KnowledgeTest, FeaturesMustBeThoseOfTheExamples) {
  const auto actions = fakes::toySpec(9, {"dec"}).actions;
  EXPECT_FALSE(knowledgeFor(sample(), actions, {1, 2, 3}));
  EXPECT_TRUE(knowledgeFor(sample(), actions, {}));
  EXPECT_FALSE(knowledgeFor({}, actions, {1}));
}

}  // namespace
}  // namespace ordo::search
