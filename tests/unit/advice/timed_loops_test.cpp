#include "advice/timed_loops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace ordo::advice {
namespace {

const env::DecisionSpec kSpec{"toy", 1, {"trips"}, {"llvm", "1x1", "8x1"}};
constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(TimedLoopsTest, ALineIsReadBack) {
  const std::string line =
      writeTimed({"1/7", "avx2", "", {12}, {10, 300}, {{20, 40, 10}, {123.456, kNone, 61.72}}});
  const Result<TimedLoop> read = parseTimed(kSpec, line, "it");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->name, "1/7");
  EXPECT_EQ(read->target, "avx2");
  EXPECT_EQ(read->features, std::vector<float>{12});
  EXPECT_EQ(read->counts, (std::vector<long>{10, 300}));
  EXPECT_EQ(read->ns[0], (std::vector<double>{20, 40, 10}));
  EXPECT_EQ(read->ns[1][0], 123.5);
  EXPECT_TRUE(std::isnan(read->ns[1][1]));
}

TEST(TimedLoopsTest, ExamplesSaveTheLogarithmOfTheSpeedup) {
  const std::vector<Example> examples =
      examplesOf({"1/7", "avx2", "", {12}, {10, 300}, {{20, 40, 10}, {100, kNone, 50}}});
  ASSERT_EQ(examples.size(), 2u);
  EXPECT_EQ(examples[0].usual, 0u);
  EXPECT_EQ(examples[0].saved[0], 0);
  EXPECT_NEAR(examples[0].saved[1], -std::log(2), 1e-6);
  EXPECT_NEAR(examples[1].saved[2], std::log(2), 1e-6);
  EXPECT_TRUE(std::isnan(examples[1].saved[1]));
}

TEST(TimedLoopsTest, AFailureIsKept) {
  const Result<TimedLoop> read = parseTimed(kSpec, writeTimed({"1/7", "sse2", "no loop", {}, {}, {}}), "it");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->failure, "no loop");
  EXPECT_TRUE(examplesOf(*read).empty());
}

TEST(TimedLoopsTest, WhatDoesNotFitIsRefused) {
  for (const char* line :
       {"no JSON", R"({"module":"1/7"})", R"({"module":"1/7","features":[1,2],"counts":[1],"ns":[[1,1,1]]})",
        R"({"module":"1/7","features":[1],"counts":[1],"ns":[[1,1]]})",
        R"({"module":"1/7","features":[1],"counts":[1],"ns":[[null,1,1]]})",
        R"({"module":"1/7","features":[1],"counts":[1],"ns":[[1,0,1]]})",
        R"({"module":"1/7","features":[1],"counts":[1],"ns":[[1,"x",1]]})",
        R"({"module":"1/7","features":[1],"counts":[1],"ns":[7]})"})
    EXPECT_FALSE(parseTimed(kSpec, line, "it")) << line;
}

TEST(TimedLoopsTest, LoopsHaveNames) {
  EXPECT_EQ(loopNamed("1/7")->text, loopSource(1, 7).text);
  for (const char* name : {"", "1", "1/", "/1", "1/x", "1/2/3", "-1/2"})
    EXPECT_FALSE(loopNamed(name)) << name;
}

}  // namespace
}  // namespace ordo::advice
