#include "tune/by_function.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <map>
#include <set>

#include "env/metric.h"
#include "notation/action.h"
#include "search/evaluation/budget.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::tune {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Not;

env::Action pipeline(const std::string& text) { return {text, notation::kPipeline, text}; }
env::Action attribute(const std::string& text) { return {text, notation::kAttribute, text}; }

std::vector<std::string> textsOf(const Track& track) {
  std::vector<std::string> texts;
  for (const search::MinedSequence& sequence : track.sequences) texts.push_back(sequence.text);
  return texts;
}

class ByFunctionTest : public engine::EngineFixture {
 protected:
  env::SessionSpec specOf(const std::string& file, std::string_view text) {
    EXPECT_TRUE(writeFile(dir_.path() / file, text));
    const auto input = engine::prepareInput((dir_.path() / file).string(), engine::Baseline{}, {});
    EXPECT_TRUE(input) << input.error().message;
    return {"small", input->compiled.bytes, actions_, input->settings()};
  }

  // What the whole program comes to.
  static double valueOf(const env::SessionSpec& spec, const search::Sequence& sequence,
                        const std::string& metric) {
    const auto session = *engine_->backend().open(spec);
    const env::StepOutcome outcome = session->apply(sequence).value();
    EXPECT_TRUE(outcome.ok()) << outcome.detail;
    return session->measure(metric)->value;
  }

  // So many emissions.
  static std::function<bool(std::size_t, double)> after(std::size_t count) {
    return [count](std::size_t emissions, double) { return emissions >= count; };
  }

  const std::vector<env::Action> actions_{pipeline("function(sroa<modify-cfg>)"), pipeline("globaldce"),
                                          pipeline("function(instsimplify)")};
  const Track track_{{0},
                     {1},
                     "",
                     "behind",
                     "",
                     {{"instcombine<no-verify-fixpoint>", 0.05},
                      {"simplifycfg", 0.05},
                      {"loop(loop-rotate)", 0},
                      {"no-such-pass", 0.01},
                      {"early-cse", 0.02}}};
  const TempDir dir_ = *TempDir::create();
};

TEST_F(ByFunctionTest, ChoicesCanBeMeasuredForWhatFunctionsHave) {
  for (const auto metric : {env::kTextBytes, env::kCodeBytes, env::kIrInstructions})
    EXPECT_TRUE(choosesByFunction(engine_->info(), std::string(metric))) << metric;
  EXPECT_FALSE(choosesByFunction(engine_->info(), "runtime"));
  EXPECT_FALSE(choosesByFunction(engine_->info(), "object_bytes"));
  EXPECT_FALSE(choosesByFunction({}, std::string(env::kTextBytes))) << "its programs have no functions";
}

TEST_F(ByFunctionTest, SequencesAreWhatWholeProgramsDoToFunctions) {
  const std::vector<env::Action> actions{pipeline("function(sroa)"), attribute("-minsize"),
                                         pipeline("globaldce"), pipeline("function(gvn,dce)"),
                                         attribute("+optsize")};
  const std::vector<search::Sequence> coreset{{1, 0, 2, 3}, {2}, {4, 3}};
  const std::vector<Track> tracks = tracksBehind({{2, 0}}, actions, coreset, {});
  ASSERT_EQ(tracks.size(), 1u) << "there is no inliner, and nothing that simplifies";
  EXPECT_THAT(tracks[0].prefix, ElementsAre(2, 0));
  EXPECT_THAT(tracks[0].suffix, IsEmpty());
  EXPECT_EQ(tracks[0].first, "");
  const std::vector<std::string> texts = textsOf(tracks[0]);
  for (const char* text : {"sroa,gvn,dce", "-minsize,sroa,gvn,dce", "gvn,dce", "sroa", "-minsize"})
    EXPECT_EQ(std::ranges::count(texts, text), 1) << text;
  EXPECT_THAT(texts, Not(Contains("globaldce")));
  EXPECT_THAT(texts, Not(Contains("")));

  search::FunctionSequences mined;
  mined.tracks["behind"] = {{"adce", 0.03}, {"sroa", 0.02}};
  const std::vector<std::string> with = textsOf(tracksBehind({{2, 0}}, actions, coreset, mined)[0]);
  EXPECT_EQ(with[0], "adce");
  EXPECT_EQ(with[1], "sroa");
  EXPECT_EQ(std::set(with.begin(), with.end()).size(), with.size());
  EXPECT_EQ(with.size(), texts.size() + 1);
}

TEST_F(ByFunctionTest, WhatIsChosenIsWhatTheWholeProgramComesTo) {
  env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  for (const auto metric : {env::kIrInstructions, env::kTextBytes}) {
    const std::string objective(metric);
    const double least = valueOf(spec, {0, 1}, objective);
    const Result<ByFunction> chosen = chooseByFunction(
        *engine_, spec, {track_}, {.objective = objective, .least = least, .done = after(12)});
    ASSERT_TRUE(chosen) << chosen.error().message;
    ASSERT_TRUE(chosen->found());
    EXPECT_EQ(chosen->track, 0u);
    EXPECT_LT(chosen->value, least);
    EXPECT_LE(chosen->emissions, 12u);
    EXPECT_FALSE(chosen->choices.functions.empty());
    EXPECT_THAT(chosen->choices.sequences, Not(Contains("no-such-pass")));
    double saved = 0;
    for (const auto& [name, saves] : chosen->saved) saved += saves;
    if (metric == env::kIrInstructions) EXPECT_EQ(least - chosen->value, saved) << "a sum over functions";
    spec.actions.push_back(env::choose(chosen->choices));
    const auto choice = static_cast<env::ActionIndex>(spec.actions.size() - 1);
    EXPECT_EQ(valueOf(spec, {0, choice, 1}, objective), chosen->value);
  }
}

TEST_F(ByFunctionTest, AKnownProgramIsNotMadeAgain) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  const std::string objective(env::kIrInstructions);
  ByFunctionOptions options{.objective = objective, .least = 1e9, .done = after(6)};
  const Result<ByFunction> made = chooseByFunction(*engine_, spec, {track_}, options);
  Track known = track_;
  auto session = *engine_->backend().open(spec);
  ASSERT_TRUE(session->apply(std::vector<env::ActionIndex>{0})->ok());
  known.program = session->observe(engine_->info().program)->text();
  session = nullptr;
  known.prefix = {2};  // is not carried out
  const Result<ByFunction> found = chooseByFunction(*engine_, spec, {known}, options);
  ASSERT_TRUE(made && found);
  EXPECT_EQ(found->value, made->value);
  EXPECT_EQ(found->choices, made->choices);
}

TEST_F(ByFunctionTest, AnotherTrackIsOnlyBegunIfThereIsTimeForIt) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  Track second = track_;
  second.program = "no program";
  ByFunctionOptions options{.objective = std::string(env::kIrInstructions), .least = 1e9, .done = after(6)};
  EXPECT_TRUE(chooseByFunction(*engine_, spec, {track_, second}, options)) << "four would be for each";
  options.done = after(12);
  EXPECT_FALSE(chooseByFunction(*engine_, spec, {track_, second}, options));
}

TEST_F(ByFunctionTest, WhatIsNotBelowTheLeastIsNotFound) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  const Result<ByFunction> chosen =
      chooseByFunction(*engine_, spec, {track_},
                       {.objective = std::string(env::kIrInstructions), .least = 1, .done = after(6)});
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_FALSE(chosen->found());
  EXPECT_THAT(chosen->choices.functions, IsEmpty());
}

TEST_F(ByFunctionTest, WhatIsBeyondALimitIsNotFound) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  for (const double most : {1.0, 1e9}) {
    const Result<ByFunction> chosen = chooseByFunction(*engine_, spec, {track_},
                                                       {.objective = std::string(env::kIrInstructions),
                                                        .least = 1e9,
                                                        .limits = {{std::string(env::kCodeBytes), most}},
                                                        .done = after(6)});
    ASSERT_TRUE(chosen) << chosen.error().message;
    EXPECT_EQ(chosen->found(), most > 1);
  }
}

TEST_F(ByFunctionTest, ManyFunctionsHaveMoreOfABudget) {
  EXPECT_EQ(shareOf(0, 1000), 0);
  EXPECT_LT(shareOf(4, 1000), shareOf(40, 1000));
  EXPECT_LT(shareOf(100'000, 1000), 0.5);
  EXPECT_EQ(shareOf(100'000, search::Budget::kUnlimited), shareOf(100'000, 1000));
}

TEST_F(ByFunctionTest, WhatIsTooLittleForFunctionsIsLeftToTheWhole) {
  EXPECT_EQ(shareOf(40, 10), 0);
  EXPECT_GT(shareOf(40, 20), 0);
  EXPECT_EQ(shareOf(2, 60), 0);
}

TEST_F(ByFunctionTest, TheSameSeedChoosesTheSame) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  const auto choose = [&] {
    return *chooseByFunction(
        *engine_, spec, {track_},
        {.objective = std::string(env::kIrInstructions), .least = 1e9, .seed = 3, .done = after(8)});
  };
  const ByFunction one = choose(), other = choose();
  EXPECT_EQ(one.choices, other.choices);
  EXPECT_EQ(one.value, other.value);
  EXPECT_EQ(one.emissions, other.emissions);
}

class Memory final : public FunctionMemory {
 public:
  Result<std::optional<RememberedFunction>> find(std::string_view key) override {
    const auto found = known.find(key);
    return found == known.end() ? std::nullopt : std::optional(found->second);
  }
  Status store(std::string_view key, const RememberedFunction& function) override {
    known.insert_or_assign(std::string(key), function);
    return {};
  }
  std::map<std::string, RememberedFunction, std::less<>> known;
};

TEST_F(ByFunctionTest, AFunctionIsKnownAgainInAnotherProgram) {
  Memory memory;
  const auto choose = [&](const env::SessionSpec& spec, std::size_t emissions) {
    const Result<ByFunction> chosen = chooseByFunction(*engine_, spec, {track_},
                                                       {.objective = std::string(env::kIrInstructions),
                                                        .least = 1e9,
                                                        .memory = &memory,
                                                        .done = after(emissions)});
    EXPECT_TRUE(chosen) << chosen.error().message;
    return *chosen;
  };
  const ByFunction first = choose(specOf("small.c", engine::kSmallProgram), 12);
  EXPECT_EQ(first.functions, 2u);
  EXPECT_EQ(first.remembered, 0u);
  ASSERT_EQ(memory.known.size(), 2u);
  // With another function in front, and a string that makes others' names shift.
  const std::string edited =
      "const char* name(int n) { return n > 3 ? \"many\" : \"few\"; }\n" + std::string(engine::kSmallProgram);
  const ByFunction second = choose(specOf("edited.c", edited), 1);
  EXPECT_EQ(second.functions, 3u);
  EXPECT_EQ(second.remembered, 2u);
  std::map<std::string, double> saved(second.saved.begin(), second.saved.end());
  for (const auto& [name, saves] : first.saved) EXPECT_GE(saved[name], saves) << name;
  // A function that is cold is another one.
  std::string cold = edited;
  cold.replace(cold.find("static int weight"), 6, "__attribute__((cold)) static");
  EXPECT_EQ(choose(specOf("cold.c", cold), 1).remembered, 2u) << "name() and main()";
}

// A function that is to be left alone says so, and choices are told by that (llvm/actions/choices.h).
TEST_F(ByFunctionTest, ATrackThatCannotBeBegunIsLeft) {
  const env::SessionSpec spec = specOf(
      "odd.c", "__attribute__((optnone)) int f(int x) { return x; }\nint g(int x) { return f(x) + 1; }\n");
  const Result<ByFunction> chosen =
      chooseByFunction(*engine_, spec, {track_},
                       {.objective = std::string(env::kIrInstructions), .least = 1e9, .done = after(6)});
  ASSERT_TRUE(chosen) << chosen.error().message;
  EXPECT_FALSE(chosen->found());
  EXPECT_EQ(chosen->emissions, 0u);
}

TEST_F(ByFunctionTest, LabelsAreTheSizesOfEachFunctionWithEachSequence) {
  const env::SessionSpec spec = specOf("small.c", engine::kSmallProgram);
  const auto labels = labelsOf(*engine_, spec, track_, std::string(env::kIrInstructions));
  ASSERT_TRUE(labels && *labels);
  EXPECT_EQ((*labels)->track, "behind");
  ASSERT_EQ((*labels)->sizes.size(), 2u) << "main and weight";
  double whole = 0, best = 0;
  for (const std::vector<double>& sizes : (*labels)->sizes) {
    ASSERT_EQ(sizes.size(), 1 + track_.sequences.size());
    EXPECT_EQ(sizes[4], -1) << "it fails";
    whole += sizes[0];
    best += std::min({sizes[0], sizes[1], sizes[2], sizes[3], sizes[5]});
  }
  EXPECT_LT(best, whole);
  EXPECT_EQ(whole, valueOf(spec, {0, 1}, std::string(env::kIrInstructions)));
}

}  // namespace
}  // namespace ordo::tune
