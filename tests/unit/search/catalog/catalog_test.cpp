// What every searcher of the catalog promises.
#include "search/catalog/catalog.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cmath>
#include <memory>
#include <optional>

#include "search/driver/driver.h"
#include "tests/fakes/toy_session.h"

namespace ordo::search {
namespace {

using fakes::toySpec;

// On which each pass takes a millisecond, and nothing else takes any time.
class PassClock final : public Clock {
 public:
  double seconds() const override { return 0.001 * passes_; }
  void tick() { ++passes_; }

 private:
  std::atomic<int> passes_ = 0;
};

class SearcherConformance : public testing::TestWithParam<const SearcherInfo*> {
 protected:
  // Searches from the empty sequence, with nothing before or after that costs evaluations.
  SearchResult run(const env::SessionSpec& spec, Budget budget, std::uint64_t seed = 1,
                   EvaluatorOptions options = {}, fakes::ToyOptions toy = {},
                   const SearcherInfo* searcher = GetParam()) {
    fakes::ToyBackend backend(toy);
    auto evaluator = Evaluator::open(backend, spec, {.metric = "count", .screen = ""}, std::move(options));
    SearchOptions search_options;
    search_options.searcher = searcher;
    search_options.budget = budget;
    search_options.seed = seed;
    search_options.max_length = 30;
    auto result = search(**evaluator, search_options);
    if (!result) ADD_FAILURE() << result.error().message;
    return *std::move(result);
  }

  // What a searcher with a list of its own promises, where others find something better than `given`.
  static double promised(double better, double given) { return GetParam()->finite ? given : better; }
};

std::vector<std::string> allActions() {
  std::vector<std::string> names = fakes::kToyActions;
  names.insert(names.end(), fakes::kToyFailures.begin(), fakes::kToyFailures.end());
  return names;
}

TEST_P(SearcherConformance, ImprovesTheProgramWithinItsEvaluations) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const auto count = static_cast<std::int64_t>(100 + 37 * seed);
    const SearchResult result = run(toySpec(count, fakes::kToyActions), {.evaluations = 600}, seed);
    EXPECT_LE(result.best.value, promised((static_cast<double>(count) - 1) / 2, static_cast<double>(count)));
    EXPECT_LE(result.statistics.evaluations, 600u);
  }
}

TEST_P(SearcherConformance, SurvivesASpaceFullOfFailures) {
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const SearchResult result = run(toySpec(200, allActions()), {.evaluations = 1500}, seed);
    EXPECT_LE(result.best.value, promised(199, 200));
    EXPECT_LE(result.statistics.evaluations, 1500u);
  }
  const SearchResult hopeless = run(toySpec(200, fakes::kToyFailures), {.evaluations = 300});
  EXPECT_EQ(hopeless.best.value, 200);
}

TEST_P(SearcherConformance, TheSameSeedGivesTheSameResult) {
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    const SearchResult a = run(toySpec(5000, allActions()), {.evaluations = 400}, seed);
    const SearchResult b = run(toySpec(5000, allActions()), {.evaluations = 400}, seed);
    EXPECT_EQ(a.best.actions, b.best.actions);
    EXPECT_EQ(a.best.value, b.best.value);
    EXPECT_EQ(a.best.number, b.best.number);
    EXPECT_EQ(a.statistics.passes, b.statistics.passes);
    EXPECT_EQ(a.statistics.measurements, b.statistics.measurements);
  }
}

TEST_P(SearcherConformance, LearnsFromTheAnswers) {
  const std::string_view name = GetParam()->name;
  if (GetParam()->finite || name == "rio" || name == "random") return;
  // As with a compiler, most actions do nothing.
  std::vector<std::string> actions = fakes::kToyActions;
  for (int i = 0; i < 24; ++i) actions.push_back(fmt::format("noop{}=noop", i));
  const auto logarithmOfBest = [&](const SearcherInfo* searcher) {
    double sum = 0;
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const auto count = static_cast<std::int64_t>(5000 + 300 * seed);
      sum += std::log(run(toySpec(count, actions), {.evaluations = 1000}, seed, {}, {}, searcher).best.value);
    }
    return sum / 4;
  };
  EXPECT_LT(logarithmOfBest(GetParam()), logarithmOfBest(find("rio")) + std::log(0.8));
}

TEST_P(SearcherConformance, KeepsToBudgetsOfAnySize) {
  for (const unsigned evaluations : {1u, 2u, 10u, 100u, 1000u}) {
    const SearchResult result = run(toySpec(500, allActions()), {.evaluations = double(evaluations)});
    // The winner is always confirmed, once with and once without what could be left out.
    EXPECT_LE(result.statistics.evaluations, evaluations + 2);
  }
}

TEST_P(SearcherConformance, KeepsToAnyKindOfBudget) {
  const env::SessionSpec spec = toySpec(100'000, fakes::kToyActions);
  const SearchResult passes = run(spec, {.passes = 500});
  // The sequence that crosses the line, and the confirmation of two winners, are not cut short.
  EXPECT_LE(passes.statistics.passes, 500u + 3 * 30);
  const auto clock = std::make_shared<PassClock>();
  run(spec, {.seconds = 0.5}, 1, {.clock = clock}, {.on_action = [&] { clock->tick(); }});
  EXPECT_LE(clock->seconds(), 0.5 + 0.001 * 3 * 30) << "the same";
}

TEST_P(SearcherConformance, EndsWhenASpaceOfOneActionIsExhausted) {
  const SearchResult one = run(toySpec(20, {"dec"}), {.seconds = 60});
  EXPECT_EQ(one.best.value, promised(1, 20));
  const SearchResult none = run(toySpec(20, {"noop"}), {.seconds = 60});
  EXPECT_EQ(none.best.value, 20);
  EXPECT_TRUE(none.best.actions.empty());
}

TEST_P(SearcherConformance, StopsSoonAfterTheFlag) {
  std::atomic<bool> stop = false;
  std::atomic<int> passes = 0;
  constexpr int kBefore = 1000;
  const SearchResult result = run(toySpec(100'000, fakes::kToyActions), {}, 1, {.jobs = 2, .stop = &stop},
                                  {.on_action = [&] { stop = ++passes >= kBefore || stop; }});
  // What is under way is finished, and the winner confirmed.
  EXPECT_LE(passes, kBefore + (2 + 2) * 30);
  EXPECT_LE(result.best.value, promised(99'999, 100'000)) << "what was found is kept";
}

TEST_P(SearcherConformance, ScreensWithoutLosingItsWay) {
  fakes::ToyBackend backend;
  const env::SessionSpec spec = toySpec(1000, {"dec", "enable", "noop", "base=dec,dec,dec,dec,dec", "inc"});
  auto evaluator =
      Evaluator::open(backend, spec, {.metric = "cost", .screen = "count", .screen_margin = 0.001});
  SearchOptions options;
  options.searcher = GetParam();
  options.budget.evaluations = 800;
  options.seeds = {{}, {3}};
  auto result = search(**evaluator, options);
  ASSERT_TRUE(result);
  if (GetParam()->finite) return;
  EXPECT_LT(result->best.value, result->seeds[1].value);
  EXPECT_GT(result->statistics.screened, 0u);
}

INSTANTIATE_TEST_SUITE_P(Catalog, SearcherConformance, testing::ValuesIn(catalog().begin(), catalog().end()),
                         [](const auto& entry) { return std::string(entry.param->name); });

// A space with whole pipelines, the first of them the baseline.
env::SessionSpec pipelineSpec() {
  const std::string heavy =
      "noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop,noop";
  return toySpec(100,
                 {"Oz=" + heavy + ",dec,dec", "O1=" + heavy + ",dec,noop", "O2=" + heavy + ",enable,dec"});
}

TEST(SearcherCatalogTest, FiniteSearchersTryTheirListsAndEnd) {
  for (const auto& [name, evaluations, best] :
       {std::tuple{"best_of_baselines", 3u, Sequence{2}}, std::tuple{"oz_twice", 9u, Sequence{2, 2}}}) {
    fakes::ToyBackend backend;
    auto evaluator = Evaluator::open(backend, pipelineSpec(), {.metric = "count", .screen = ""});
    auto seeds = (*evaluator)->evaluate({{0}, {}});
    SearchContext context(**evaluator, std::move(seeds), 10, Rng(1));
    find(name)->make()->run(context);
    EXPECT_EQ((*evaluator)->statistics().evaluations, 2 + evaluations) << name;
    EXPECT_FALSE(context.done());
  }
}

class KnowingSearcherTest : public testing::Test {
 protected:
  // What `searcher` found in at most `evaluations`, with them in the order in which they were tried.
  const Evaluation& find(std::string_view searcher, const env::SessionSpec& spec, Knowledge knowledge,
                         double evaluations) {
    evaluator_ = *Evaluator::open(backend_, spec, {.metric = "count", .screen = ""});
    evaluator_->limit({.evaluations = evaluations});
    auto seeds = evaluator_->evaluate({{}});
    context_.emplace(*evaluator_, std::move(seeds), 10, Rng(1), SearchContext::OnImprovement{},
                     std::move(knowledge));
    search::find(searcher)->make()->run(*context_);
    return context_->best();
  }

  fakes::ToyBackend backend_;
  std::unique_ptr<Evaluator> evaluator_;
  std::optional<SearchContext> context_;
};

TEST_F(KnowingSearcherTest, ACoresetIsTriedInOrder) {
  const env::SessionSpec spec = toySpec(100, {"dec", "inc"});
  const Knowledge knowledge{.coresets = {{"count", {{1}, {0}, {0, 0}, Sequence(11, 0)}}}};
  EXPECT_EQ(find("coreset", spec, knowledge, 3).value, 99) << "the seed and two";
  EXPECT_EQ(find("coreset", spec, knowledge, 100).value, 98) << "one of them is too long";
  EXPECT_FALSE(context_->done());
}

TEST_F(KnowingSearcherTest, TheNearestNeighbourComesFirst) {
  const env::SessionSpec spec = toySpec(100, {"dec", "inc"});
  // The second feature counts in units of a thousand, the third never varies.
  Knowledge knowledge{.examples = {{{0, 1000, 5}, {0, 0}}, {{1, 3000, 5}, {0}}}};
  knowledge.features = {0.9, 2900, 7};
  EXPECT_EQ(find("nearest_neighbour", spec, knowledge, 2).value, 99);
  knowledge.features = {0.1, 1100, 7};
  EXPECT_EQ(find("nearest_neighbour", spec, knowledge, 2).value, 98);
  knowledge.features = {};
  EXPECT_EQ(find("nearest_neighbour", spec, knowledge, 100).value, 100) << "nobody knows what it is like";
}

TEST_F(KnowingSearcherTest, WalksFollowTheGraph) {
  // Of 30 actions only the two that help each other are on the graph.
  std::vector<std::string> actions{"enable", "dec"};
  for (int i = 0; i < 28; ++i) actions.push_back(fmt::format("noop{}=noop", i));
  const Knowledge knowledge{.synergies = {{0, 1, 3}, {1, 1, 9}}};
  EXPECT_LE(find("graph_genetic", toySpec(100, actions), knowledge, 200).value, 76)
      << "at best 10 steps of 3";
  EXPECT_GT(find("graph_genetic", toySpec(100, actions), {}, 200).value, 80);
}

TEST(SearcherCatalogTest, NamesAreUniqueAndFound) {
  std::string previous;
  for (const SearcherInfo* searcher : catalog()) {
    EXPECT_LT(previous, searcher->name);
    EXPECT_EQ(find(searcher->name), searcher);
    EXPECT_FALSE(searcher->summary.empty());
    previous = searcher->name;
  }
  EXPECT_EQ(find("simulated-annealing"), nullptr);
  EXPECT_NE(find("evolutionary"), nullptr) << "the default";
}

}  // namespace
}  // namespace ordo::search
