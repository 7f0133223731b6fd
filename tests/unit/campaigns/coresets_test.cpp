#include "campaigns/coresets.h"

#include <fmt/ranges.h>
#include <gtest/gtest.h>

#include "search/evaluation/evaluator.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::campaigns {
namespace {

class CoresetsTest : public testing::Test {
 protected:
  CoresetsTest() {
    const auto subject = host_.prepare("toy/100");
    for (const env::Action& action : subject->spec.actions) header_.actions.push_back(action.name);
    header_.baseline = "clang-Oz";
  }

  std::uint32_t action(const std::string& name) const {
    return static_cast<std::uint32_t>(std::ranges::find(header_.actions, name) - header_.actions.begin());
  }

  // A run whose best sequence takes the count from 100 to `value`.
  experience::Run run(const std::string& uri, const std::string& objective, experience::Sequence best,
                      double value) const {
    experience::Run run;
    run.key.uri = uri;
    run.key.objective = objective;
    run.references = {{"clang-Oz", {{objective, 100}}}};
    run.best = {{std::move(best), {{objective, value}}}};
    return run;
  }

  double value(const std::string& uri, const std::vector<std::string>& names) {
    const auto subject = host_.prepare(uri);
    search::Sequence sequence;
    for (const std::string& name : names) sequence.push_back(action(name));
    fakes::ToyBackend backend;
    const auto evaluator = *search::Evaluator::open(backend, subject->spec, {"count", ""});
    return evaluator->evaluate({sequence}).front().value;
  }

  study::ToyHost host_;
  Stage stage_{host_, {.stop = nullptr}};
  experience::Header header_;
};

TEST_F(CoresetsTest, WhatServesMostComesFirst) {
  const std::uint32_t dec = action("dec"), halve = action("halve-if-multiple-of-4");
  const auto coresets = coresetsOf(header_,
                                   {run("toy/50", "count", experience::Sequence(5, dec), 45),
                                    run("toy/100", "count", {halve}, 50), run("toy/60", "count", {dec}, 100)},
                                   stage_, {});
  ASSERT_TRUE(coresets) << coresets.error().message;
  const std::string half = "halve-if-multiple-of-4";
  EXPECT_EQ(*coresets,
            (search::KnowledgeFile::Coresets{{"count", {{half}, std::vector<std::string>(5, "dec")}}}))
      << "what gained nothing is no candidate";
}

TEST_F(CoresetsTest, TheFirstIsBetteredByWhatNoSearchFound) {
  header_.max_length = 4;
  const std::uint32_t dec = action("dec"), inc = action("inc");
  const auto coresets = coresetsOf(
      header_, {run("toy/50", "count", {dec, inc, dec}, 49), run("toy/64", "count", {dec}, 63)}, stage_, {});
  ASSERT_TRUE(coresets) << coresets.error().message;
  const std::vector<std::string>& first = coresets->at("count").front();
  EXPECT_LE(first.size(), 4u);
  EXPECT_LT(value("toy/50", first) + value("toy/64", first), 49 + 62)
      << fmt::format("{}", fmt::join(first, " "));
}

TEST_F(CoresetsTest, TheSecondIsBetteredForWhatTheFirstLeaves) {
  header_.max_length = 2;
  const std::uint32_t dec = action("dec"), noop = action("noop");
  const std::uint32_t halve = action("halve-if-multiple-of-4");
  const std::vector<experience::Run> runs{run("toy/64", "count", {halve, halve}, 16),
                                          run("toy/50", "count", {dec, noop}, 49)};
  const auto served = [&](std::size_t count) {
    const auto coresets = coresetsOf(header_, runs, stage_, {.size = 2, .bettered = count});
    double sum = 0;
    for (const char* uri : {"toy/64", "toy/50"}) {
      double least = 100;
      for (const std::vector<std::string>& names : coresets->at("count"))
        least = std::min(least, value(uri, names));
      sum += least;
    }
    return sum;
  };
  EXPECT_LT(served(2), served(1));
}

TEST_F(CoresetsTest, EachObjectiveHasItsOwn) {
  const std::uint32_t halve = action("halve-if-multiple-of-4");
  const auto coresets = coresetsOf(
      header_, {run("toy/100", "count", {halve}, 50), run("toy/60", "cost", {halve, halve}, 98)}, stage_, {});
  ASSERT_TRUE(coresets);
  EXPECT_EQ(coresets->at("count"), (std::vector<std::vector<std::string>>{{"halve-if-multiple-of-4"}}));
  EXPECT_EQ(coresets->size(), 2u);
}

// Halving is best where it can be done, of 64 alone.
TEST_F(CoresetsTest, AreForTheProgramsThatAreNamedAndSuit) {
  const experience::Sequence dec(4, action("dec")), halve{action("halve-if-multiple-of-4")};
  const std::vector<experience::Run> runs{run("toy/51", "count", dec, 50), run("toy/64", "count", halve, 32)};
  const auto first = [&](CoresetOptions options) {
    options.bettered = 0;
    const auto coresets = coresetsOf(header_, runs, stage_, options);
    EXPECT_TRUE(coresets) << coresets.error().message;
    return coresets->at("count").front().front();
  };
  const std::string decrease = "dec", half = "halve-if-multiple-of-4";
  EXPECT_EQ(first({}), half);
  EXPECT_EQ(first({.on = {.from = {"toy/53", "toy/51"}}}), decrease);
  const std::vector<std::string> both{"toy/64", "toy/53 enabled"};
  EXPECT_EQ(first({.on = {.from = both}}), half);
  EXPECT_EQ(first({.on = {.from = both, .kind = "linkonce"}}), decrease);
  EXPECT_EQ(coresetsOf(header_, runs, stage_, {.on = {.from = {"toy/64"}, .kind = "linkonce"}}).error().code,
            ErrorCode::kNotFound);
}

TEST_F(CoresetsTest, CandidatesAreOfThePackagesThatAreTriedOnFirst) {
  const auto decreased = [&](const std::string& uri, std::size_t times) {
    return run(uri, "count", experience::Sequence(times, action("dec")), 99);
  };
  const auto coresets = coresetsOf(
      header_, {decreased("debian/bc/a.c", 9), decreased("debian/bc/b.c", 8), decreased("toy/64", 4)}, stage_,
      {.on = {.from = {"toy/53"}}, .candidates = 1, .bettered = 0});
  ASSERT_TRUE(coresets) << coresets.error().message;
  EXPECT_EQ(coresets->at("count").front(), std::vector<std::string>(4, "dec"));
}

TEST_F(CoresetsTest, WithoutProgramsThereIsNone) {
  const auto coresets = coresetsOf(header_, {run("toy/bad", "count", {action("dec")}, 99)}, stage_, {});
  ASSERT_FALSE(coresets);
  EXPECT_EQ(coresets.error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::campaigns
