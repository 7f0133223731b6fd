#include <gtest/gtest.h>

#include "web/telling.h"

namespace ordo::web {
namespace {

Status hear(Telling& telling, const std::string& line) { return telling.hear(Json::parse(line), "here"); }

TEST(TrainTellingTest, EveryNumberOfATrainingIsACurveOfItsStage) {
  const auto train = tellingOfTrain();
  ASSERT_TRUE(hear(*train, R"({"stage":"practise","batch":1,"loss":5})"));
  ASSERT_TRUE(hear(*train, R"({"stage":"begin","writer":{"pid":7,"started":9},"output":"w","rollouts":64})"));
  ASSERT_TRUE(hear(*train, R"({"stage":"clone","epoch":1,"loss":2.5,"held_out_loss":3})"));
  ASSERT_TRUE(hear(*train, R"({"stage":"practise","batch":1,"loss":5,"best":true,"gains":[0.1]})"));
  ASSERT_TRUE(hear(*train, R"({"stage":"practise","batch":2,"loss":4,"kl":0.5,"best":false})"));
  Json told = train->told();
  EXPECT_EQ(told["about"], Json::parse(R"({"output":"w","rollouts":64})"));
  ASSERT_EQ(told["stages"].size(), 2u) << "what came before the last beginning is of another training";
  EXPECT_EQ(told["stages"][0]["step"], "epoch");
  EXPECT_EQ(told["stages"][1]["steps"], Json::parse("[1.0,2.0]"));
  EXPECT_EQ(told["stages"][1]["curves"][0], Json::parse(R"({"name":"kl","values":[null,0.5]})"));
  EXPECT_EQ(told["best"]["step"], 1);
  ASSERT_TRUE(hear(*train, R"({"stage":"practise","batch":2,"loss":3})"));
  ASSERT_TRUE(hear(*train, R"({"stage":"end","failure":"no memory"})"));
  told = train->told();
  EXPECT_EQ(told["stages"][1]["curves"][1]["values"], Json::parse("[5.0,3.0]"))
      << "it went on from the first";
  EXPECT_EQ(told["failure"], "no memory");
  EXPECT_FALSE(hear(*train, R"({"stage":"begin"})"));
  EXPECT_FALSE(hear(*train, R"({"stage":"practise","batch":"x"})"));
}

TEST(TrainTellingTest, ATrainingIsToldShortHoweverLongItIs) {
  const auto train = tellingOfTrain();
  Json line = Json::object();
  for (int i = 0; i < 100; ++i) line[fmt::format("number {}", i)] = 0.123456789;
  for (int i = 1; i <= 2000; ++i) {
    line["step"] = i;
    ASSERT_TRUE(train->hear(line, "here")) << "of a language model: without stages";
  }
  const Json told = train->told();
  EXPECT_EQ(told["stages"][0]["count"], 2000);
  EXPECT_EQ(told["stages"][0]["steps"].size(), kMostPoints);
  EXPECT_LT(writeJson(told).size(), 800'000u);
}

}  // namespace
}  // namespace ordo::web
