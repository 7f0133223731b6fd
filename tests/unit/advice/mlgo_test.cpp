#include "advice/mlgo.h"

#include <gtest/gtest.h>

#include <limits>

#include "notation/decisions.h"
#include "support/rng.h"

namespace ordo::advice {
namespace {

const env::DecisionSpec kSpec{"toy", 1, {"size", "uses"}, {"no", "yes"}};

env::AdviceLog sample() {
  return {kSpec, {{"a.c", {12, -3}, 0, 1}, {"a.c", {10, 0}, 1, 1}, {"b.c", {1 << 20, 5}, 1, 0}}};
}

TEST(MlgoTest, ALogIsReadAsItWasWritten) {
  const Result<env::AdviceLog> read = parseMlgoLog(kSpec, writeMlgoLog(sample()), "log");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, sample());
}

TEST(MlgoTest, AStreamComesInPiecesOfAnySize) {
  const std::string bytes = writeMlgoLog(sample());
  for (const std::size_t piece : {1, 3, 7, 64}) {
    MlgoStream stream(kSpec, "pipe");
    env::AdviceLog log{kSpec, {}};
    for (std::size_t at = 0; at < bytes.size(); at += piece)
      ASSERT_TRUE(stream.feed(std::string_view(bytes).substr(at, piece),
                              [&](const env::Advice& advice) { log.advice.push_back(advice); }));
    EXPECT_TRUE(stream.whole());
    EXPECT_EQ(log, sample());
  }
}

TEST(MlgoTest, OtherTensorsAndOutcomesArePassedOver) {
  using namespace std::string_literals;
  const std::string bytes =
      R"({"features":[{"name":"uses","type":"int64_t","port":0,"shape":[1]},{"name":"more","type":"float","port":0,)"
      R"("shape":[2]},{"name":"size","type":"int32_t","port":0,"shape":[1]}],"score":{"name":"reward","type":"float",)"
      R"("port":0,"shape":[1]}})"
      "\n{\"context\":\"f\"}\n{\"observation\":0}\n"
      "\7\0\0\0\0\0\0\0"
      "\n\n\n\n\n\n\n\n"
      "\5\0\0\0\n"
      "{\"outcome\":0}\n\0\0\0\0\n"s;
  const Result<env::AdviceLog> read = parseMlgoLog(kSpec, bytes, "log");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->advice, (std::vector<env::Advice>{{"f", {5, 7}, 0, 0}}));
}

TEST(MlgoTest, SaysWhatDoesNotFit) {
  const env::DecisionSpec other{"other", 1, {"size", "colour"}, {"no", "yes"}};
  EXPECT_NE(parseMlgoLog(other, writeMlgoLog(sample()), "log").error().message.find("1 of the 2 features"),
            std::string::npos);
  std::string cut = writeMlgoLog(sample());
  cut.resize(cut.size() - 4);
  EXPECT_NE(parseMlgoLog(kSpec, cut, "log").error().message.find("in the middle"), std::string::npos);
}

env::Advice eviction() {
  env::Advice advice{"f", std::vector<float>(notation::evictDecision().features.size(), 0.25f), 32, 3};
  for (std::size_t i = 0; i < 33; ++i) {
    advice.features[i] = i == 3 || i == 32;  // mask
    for (const std::size_t whole : {1, 4, 5, 18, 19}) advice.features[33 * whole + i] = 2;
  }
  return advice;
}

TEST(MlgoTest, EvictionsAreTensorsOf33) {
  const env::AdviceLog log{notation::evictDecision(), {eviction()}};
  const std::string bytes = writeMlgoLog(log);
  EXPECT_EQ(bytes.size() - bytes.find("\"observation\":0}\n") - 17, 3436u + 2 * 8 + 1);
  const Result<env::AdviceLog> read = parseMlgoLog(log.spec, bytes, "log");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(*read, log);
}

TEST(MlgoTest, WhatLlvmCannotDivideIsANumberAndTheUsualIsToEvictNothing) {
  env::AdviceLog log{notation::evictDecision(), {eviction()}};
  log.advice[0].features[33 * 6] = std::numeric_limits<float>::infinity();
  std::string bytes = writeMlgoLog(log);
  for (const std::string_view own : {"eviction_default", "index_to_evict"})
    bytes[bytes.find(own)] = 'x';  // a compiler says neither
  const Result<env::AdviceLog> read = parseMlgoLog(log.spec, bytes, "log");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->advice[0].features[33 * 6], 1e6f);
  EXPECT_EQ(read->advice[0].usual, 32u);
}

TEST(MlgoTest, AnswersAreWholeNumbersOf64Bits) {
  const std::string bytes = writeMlgoAnswers(sample());
  ASSERT_EQ(bytes.size(), 24u);
  EXPECT_EQ(bytes[0], 1);
  EXPECT_EQ(bytes[8], 1);
  EXPECT_EQ(bytes[16], 0);
}

// What comes from outside is hostile.
TEST(MlgoTest, SurvivesAnyBytes) {
  const std::string good = writeMlgoLog(sample());
  Rng rng(2);
  for (int i = 0; i < 3000; ++i) {
    std::string bad = good;
    for (std::uint64_t n = 1 + rng.below(4); n > 0; --n)
      bad[rng.below(bad.size())] = static_cast<char>(rng.next());
    if (rng.chance(0.2)) bad.resize(rng.below(bad.size()));
    if (const Result<env::AdviceLog> log = parseMlgoLog(kSpec, bad, "log")) {
      for (const env::Advice& advice : log->advice) EXPECT_LT(advice.answer, 2u);
    }
  }
}

}  // namespace
}  // namespace ordo::advice
