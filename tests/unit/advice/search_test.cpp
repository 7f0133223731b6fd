#include "advice/search.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "support/rng.h"

namespace ordo::advice {
namespace {

const env::DecisionSpec kSpec{"toy", 1, {"gain"}, {"no", "yes"}};

// A module that asks `gains.size()` questions; "yes" to one with gain g costs g bytes less, and the one after
// a "yes" is asked as worth one byte more than it was. Usual is "no".
struct ToyModule {
  std::vector<int> gains;

  Result<Tried> operator()(env::Advisor& advisor) const {
    Tried tried;
    env::LoggedAdvisor logged(advisor, tried.log);
    logged.begin("toy");
    tried.cost = 1000;
    int more = 0;
    for (const int gain : gains) {
      const std::array<float, 1> features{static_cast<float>(gain + more)};
      constexpr std::array<std::uint8_t, 2> kBoth{1, 1};
      const bool yes = logged.advise({features, kBoth, 0}) == 1;
      if (yes) tried.cost -= gain + more;
      more = yes ? 1 : 0;
    }
    return tried;
  }
};

TEST(SearchDecisionsTest, GainsOfSingleDecisionsAddUp) {
  const Result<Found> found = searchDecisions(kSpec, ToyModule{{5, -3, -1, 7, 0, -2}}, {});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->usual, 1000);
  EXPECT_EQ(found->best, 1000 - 5 - 7 - 1) << "the one after the 7 is worth 1 then";
  EXPECT_EQ(found->answers, (std::vector<std::uint32_t>{1, 0, 0, 1, 1, 0}));
  EXPECT_EQ(found->tries, 7u);
  ASSERT_EQ(found->examples.size(), 6u);
  EXPECT_EQ(found->examples[1].saved[1], -2) << "-3, and 1 more after a yes";
  EXPECT_EQ(found->examples[1].saved[0], 0);
}

TEST(SearchDecisionsTest, TriesNoMoreThanItMay) {
  const ToyModule module{std::vector<int>(1000, 1)};
  const Result<Found> found = searchDecisions(kSpec, module, {.tries = 50, .seed = 3});
  ASSERT_TRUE(found);
  EXPECT_LE(found->tries, 51u);
  EXPECT_GE(found->tries, 25u) << "a sample over all of them";
}

TEST(SearchDecisionsTest, KeepsWhatItFoundUntilItIsEnough) {
  int questions = 0;
  const Result<Found> found =
      searchDecisions(kSpec, ToyModule{{5, -3, 7, 9}}, {.enough = [&] { return questions++ == 2; }});
  ASSERT_TRUE(found);
  EXPECT_EQ(found->tries, 3u);
  EXPECT_EQ(found->examples.size(), 2u);
  EXPECT_EQ(found->best, 1000 - 5);
}

TEST(SearchDecisionsTest, ATryThatFailsIsPassedOver) {
  int calls = 0;
  const ToyModule module{{1, 2, 3}};
  const Try fragile = [&](env::Advisor& advisor) -> Result<Tried> {
    if (++calls == 3) return fail(ErrorCode::kUnsupported, "no code");
    return module(advisor);
  };
  const Result<Found> found = searchDecisions(kSpec, fragile, {});
  ASSERT_TRUE(found);
  EXPECT_TRUE(std::isnan(found->examples[1].saved[1]));
  EXPECT_EQ(found->best, 1000 - 1 - 3);
}

TEST(SearchDecisionsTest, WhatWasFoundIsReadAgain) {
  const Result<Found> found = searchDecisions(kSpec, ToyModule{{5, -3, 7}}, {});
  ASSERT_TRUE(found);
  std::string line = writeFound("a.bc", *found);
  const Result<FoundLine> read = parseFound(kSpec, line, "file:1");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->module, "a.bc");
  EXPECT_EQ(read->found.best, found->best);
  EXPECT_EQ(read->found.examples, found->examples);
  EXPECT_EQ(parseFound(kSpec, writeFailure("b.bc", "signal 11"), "file:2")->failure, "signal 11");

  Rng rng(1);
  for (int i = 0; i < 2000; ++i) {
    std::string bad = line;
    bad[rng.below(bad.size())] = static_cast<char>(rng.next());
    if (rng.chance(0.2)) bad.resize(rng.below(bad.size()));
    if (const Result<FoundLine> other = parseFound(kSpec, bad, "file:1"); other) {
      for (const Example& example : other->found.examples) {
        EXPECT_EQ(example.features.size(), 1u);
        EXPECT_EQ(example.saved.size(), 2u);
      }
    }
  }
}

}  // namespace
}  // namespace ordo::advice
