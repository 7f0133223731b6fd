#include <gtest/gtest.h>

#include "web/telling.h"

namespace ordo::web {
namespace {

Status hear(Telling& telling, const std::string& line) { return telling.hear(Json::parse(line), "here"); }

TEST(TuneTellingTest, OfSeveralTuningsTheLastIsTold) {
  const auto tune = tellingOfTune();
  EXPECT_TRUE(tune->writer().is_null());
  ASSERT_TRUE(hear(*tune, R"({"event":"writer","writer":{"pid":7,"started":9}})"));
  EXPECT_EQ(tune->writer()["pid"], 7);
  for (int i = 0; i < 2; ++i) {
    ASSERT_TRUE(hear(*tune, R"({"event":"begin","program":"p","objective":"o","baseline":"b"})"));
    ASSERT_TRUE(
        hear(*tune, R"({"event":"best","compiles":2,"seconds":1.5,"value":7,"baseline":9,"actions":["a"]})"));
    ASSERT_TRUE(hear(*tune, R"({"event":"progress","compiles":30,"seconds":4})"));
    ASSERT_TRUE(hear(*tune, R"({"event":"something new"})"));
    EXPECT_FALSE(tune->ended());
    ASSERT_TRUE(hear(*tune, R"({"event":"end","failure":"","saves":[{"action":"a","saves":2}]})"));
  }
  const Json told = tune->told();
  EXPECT_EQ(told["programs"], 2);
  EXPECT_EQ(told["curve"], Json::parse("[[2,1.5,7.0]]")) << "of the second";
  EXPECT_EQ(told["best"][0]["actions"], Json({"a"}));
  EXPECT_EQ(told["compiles"], 30);
  EXPECT_EQ(told["baseline_value"], 9);
  EXPECT_EQ(told["saves"][0]["action"], "a");
  EXPECT_TRUE(tune->ended());
  for (const char* wrong : {R"({"event":"best"})", R"({})", R"({"event":"writer"})", R"({"event":"end"})"})
    EXPECT_EQ(hear(*tune, wrong).error().code, ErrorCode::kCorrupt) << wrong;
}

TEST(TuneTellingTest, TheSecondBaselineIsOfTheProgramThatSaysIt) {
  const auto tune = tellingOfTune();
  ASSERT_TRUE(hear(
      *tune,
      R"({"event":"begin","program":"p","objective":"o","baseline":"b","reference":{"name":"bare-Oz","value":9}})"));
  EXPECT_EQ(tune->told()["reference"], Json::parse(R"({"name":"bare-Oz","value":9.0})"));
  EXPECT_FALSE(hear(
      *tune, R"({"event":"begin","program":"p","objective":"o","baseline":"b","reference":{"name":7}})"));
  ASSERT_TRUE(hear(*tune, R"({"event":"begin","program":"q","objective":"o","baseline":"b"})"));
  EXPECT_TRUE(tune->told()["reference"].is_null());
}

TEST(TuneTellingTest, AnAnswerIsSmallHoweverLongTheSearchIs) {
  const auto tune = tellingOfTune();
  ASSERT_TRUE(hear(*tune, R"({"event":"begin","program":"p","objective":"o","baseline":"b"})"));
  Json best = Json::parse(R"({"event":"best","seconds":1.5})");
  best["actions"] = std::vector<std::string>(60, "instcombine");
  for (int i = 0; i < 3000; ++i) {
    best["compiles"] = i;
    best["value"] = 20000 - i;
    ASSERT_TRUE(tune->hear(best, "here"));
  }
  const Json told = tune->told();
  EXPECT_EQ(told["improvements"], 3000);
  EXPECT_EQ(told["best"].back()["value"], 17001);
  EXPECT_LT(writeJson(told).size(), 60'000u);
}

}  // namespace
}  // namespace ordo::web
