#include "web/study_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/study_file.h"
#include "support/files.h"
#include "tests/unit/report/small_study.h"

namespace ordo::web {
namespace {

class StudyViewTest : public testing::Test {
 protected:
  StudyViewTest() {
    const report::SmallStudy small = report::SmallStudy::complete();
    const std::filesystem::path file = dir_.path() / "small.sqlite";
    auto writer = *study::StudyWriter::open(file, small.study.settings, small.study.notes);
    for (const study::Program& program : small.study.programs) EXPECT_TRUE(writer->add(program));
    for (const study::Run& run : small.study.runs) EXPECT_TRUE(writer->add(run));
    EXPECT_TRUE(writer->close());
    auto view = openStudy(file);
    EXPECT_TRUE(view) << view.error().message;
    view_ = *std::move(view);
    endpoints_ = view_->endpoints();
  }

  Result<Json> ask(std::string_view name, const Json& body) {
    return std::ranges::find(endpoints_, name, &Endpoint::name)->answer(body);
  }
  static Json pick(Json suites, Json sizes) {
    return {{"objective", "ir_instructions"},
            {"baseline", "clang-Oz"},
            {"suites", std::move(suites)},
            {"sizes", std::move(sizes)}};
  }

  TempDir dir_ = *TempDir::create();
  std::unique_ptr<View> view_;
  std::vector<Endpoint> endpoints_;
};

TEST_F(StudyViewTest, TheStudyIsDescribed) {
  const Json about = *ask("about", nullptr);
  EXPECT_EQ(about["programs"].size(), 3u);
  EXPECT_EQ(about["suites"], Json({"a", "b"}));
  EXPECT_EQ(about["methods"].size(), 2u);
  EXPECT_EQ(about["programs"][1]["instructions"], 500);
  EXPECT_EQ(about["runs"], 12);
}

TEST_F(StudyViewTest, WhatIsPickedIsAnalysedAlone) {
  const Json all = *ask("ranking", pick(Json::array(), Json::array()));
  EXPECT_EQ(all["programs"], 3);
  EXPECT_EQ(all["rows"][0]["method"], "good");
  EXPECT_NEAR(all["rows"][0]["clamped"][1]["mean"].get<double>(), 0.1, 1e-12);  // 88 and 92 of 100
  const Json a = *ask("ranking", pick({"a"}, Json::array()));
  EXPECT_EQ(a["programs"], 2);
  const Json about = *ask("about", nullptr);
  const Json one = *ask("ranking", pick({"a"}, Json::array({about["programs"][0]["size"]})));
  EXPECT_EQ(one["programs"], 1);
  const Result<Json> none = ask("ranking", pick({"no-such"}, Json::array()));
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().code, ErrorCode::kNotFound);
}

TEST_F(StudyViewTest, TwoMethodsAreComparedProgramByProgram) {
  Json body = pick(Json::array(), Json::array());
  body["a"] = "random";
  body["b"] = "good";
  const Json pairs = (*ask("pairs", body))["pairs"];
  ASSERT_EQ(pairs.size(), 3u);
  EXPECT_NEAR(pairs[0]["a"].get<double>(), 0.04, 1e-12);
  EXPECT_NEAR(pairs[0]["b"].get<double>(), 0.1, 1e-12);
  body["b"] = "no-such";
  EXPECT_FALSE(ask("pairs", body));
}

TEST_F(StudyViewTest, QuestionsThatAreNotAsTheyShouldBeAreErrors) {
  EXPECT_FALSE(ask("ranking", Json::array()));
  Json body = pick(Json::array(), Json::array());
  body["more"] = 1;
  EXPECT_FALSE(ask("ranking", body));
  body = pick(Json::array(), Json::array());
  body["baseline"] = "no-such";
  EXPECT_FALSE(ask("ranking", body));
  body["suites"] = 1;
  EXPECT_FALSE(ask("ranking", body));
}

TEST(StudyViewFileTest, WhatIsNoStudyIsAnError) { EXPECT_FALSE(openStudy("/proc/nonexistent.sqlite")); }

}  // namespace
}  // namespace ordo::web
