#include "experience/slim.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "experience/encode.h"
#include "experience/reader.h"
#include "experience/writer.h"
#include "support/files.h"
#include "tests/unit/experience/samples.h"

namespace ordo::experience {
namespace {

using testing::HasSubstr;

// Values 0 to 99 in some order, then ten failures. Each sequence is as long as its place.
Run longRun() {
  experience::Run run = sampleRun();
  run.tried.clear();
  for (std::uint32_t i = 0; i < 110; ++i) {
    run.tried.push_back({Sequence(i, 1), std::nullopt, std::nullopt});
    if (i < 100) run.tried.back().value = i * 37 % 100;
  }
  return run;
}

TEST(SlimTest, KeepsTheBestAndSomeOthersInTheirOrder) {
  const experience::Run run = slim(longRun(), {.best = 3, .others = 5, .seed = 1});
  ASSERT_EQ(run.tried.size(), 8u);
  std::vector<double> best;
  for (const Attempt& attempt : run.tried) {
    if (attempt.value && *attempt.value < 3) best.push_back(*attempt.value);
  }
  EXPECT_THAT(best, testing::UnorderedElementsAre(0, 1, 2));
  for (std::size_t i = 1; i < run.tried.size(); ++i)
    EXPECT_LT(run.tried[i - 1].actions.size(), run.tried[i].actions.size());
  EXPECT_TRUE(run.states.empty());
  EXPECT_EQ(run.best.size(), 2u);
  EXPECT_TRUE(run.best[0].states.empty());
}

TEST(SlimTest, ChanceDependsOnItsSeedAndTheRunOnly) {
  const auto text = [](const experience::Run& run, std::uint64_t seed) {
    return encode(Record(slim(run, {.best = 3, .others = 5, .seed = seed})));
  };
  EXPECT_EQ(text(longRun(), 1), text(longRun(), 1));
  EXPECT_NE(text(longRun(), 1), text(longRun(), 2));
  experience::Run other = longRun();
  other.key.seed = 9;
  std::string of_other = text(other, 1);
  of_other.replace(of_other.find("\"seed\":9"), 8, "\"seed\":1");
  EXPECT_NE(of_other, text(longRun(), 1)) << "not the same places in every run";
}

TEST(SlimTest, WhatIsSmallStaysWhole) {
  EXPECT_EQ(slim(sampleRun(), kSlimSample).tried.size(), 4u);
  EXPECT_EQ(slim(sampleRun(), {.best = 0, .others = 0, .seed = 1}).tried.size(), 0u);
}

TEST(SlimTest, AFileBecomesAFileOfTheSameFormat) {
  const TempDir dir = *TempDir::create();
  const auto from = dir.path() / "e.jsonl", to = dir.path() / "slim.jsonl";
  {
    const auto writer = Writer::open(from, sampleHeader());
    ASSERT_TRUE(writer);
    ASSERT_TRUE((*writer)->add(longRun()));
    ASSERT_TRUE((*writer)->add(Omission{"b", "", "why"}));
  }
  ASSERT_TRUE(writeSlim(from, to, {.best = 3, .others = 5, .seed = 1}));
  auto reader = Reader::open(to);
  ASSERT_TRUE(reader) << reader.error().message;
  EXPECT_EQ(reader->header().sample, (Sample{3, 5, 1}));
  EXPECT_TRUE(reader->header().observations.empty());
  EXPECT_EQ(std::get<experience::Run>(**reader->next()).tried.size(), 8u);
  EXPECT_EQ(std::get<Omission>(**reader->next()).uri, "b");
  EXPECT_FALSE(reader->next()->has_value());

  EXPECT_THAT(writeSlim(to, from, kSlimSample).error().message, HasSubstr("is slim already"));
  EXPECT_THAT(writeSlim(from, from, kSlimSample).error().message, HasSubstr("name another file"));
  EXPECT_EQ(writeSlim(dir.path() / "none", to, kSlimSample).error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::experience
