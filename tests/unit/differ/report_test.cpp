#include "differ/report.h"

#include <gmock/gmock.h>

#include "support/files.h"

namespace ordo::differ {
namespace {

using testing::HasSubstr;
using Verdict = FunctionReport::Verdict;

class CompareTest : public testing::Test {
 protected:
  void SetUp() override { setInstallPrefix(std::filesystem::path(ORDO_BIN_DIR).parent_path()); }

  static Request request(std::string_view original, std::string_view optimized) {
    Request result;
    result.original = fmt::format("target triple = \"x86_64-unknown-linux-gnu\"\n{}", original);
    result.optimized = fmt::format("target triple = \"x86_64-unknown-linux-gnu\"\n{}", optimized);
    result.inputs = 20;
    return result;
  }
};

TEST_F(CompareTest, ReportsOfEqualRequestsAreEqual) {
  const Request once = request(
      "define i32 @f(i32 %x) { %r = add i32 %x, 1  ret i32 %r }\ndefine void @g(i32, ...) { ret void }",
      "define i32 @f(i32 %x) { %r = add i32 %x, 2  ret i32 %r }\ndefine void @g(i32, ...) { ret void }");
  const auto first = compare(once), second = compare(once);
  ASSERT_TRUE(first) << first.error().message;
  ASSERT_TRUE(second);
  EXPECT_EQ(first->count(Verdict::kWrong), 1u);
  EXPECT_EQ(first->count(Verdict::kSkipped), 1u);
  ASSERT_NE(first->wrong(), nullptr);
  EXPECT_EQ(first->wrong()->name, "f");
  EXPECT_EQ(first->wrong()->detail, second->wrong()->detail);
  EXPECT_EQ(first->wrong()->input, second->wrong()->input);
  EXPECT_THAT(first->summary(), HasSubstr("1 of 2 functions wrong: f: "));
}

TEST_F(CompareTest, OneFunctionCanBeAskedFor) {
  Request one = request("define void @f() { ret void }\ndefine void @g() { ret void }",
                        "define void @f() { ret void }\ndefine void @g() { ret void }");
  one.function = "g";
  const auto report = compare(one);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->functions.size(), 1u);
  EXPECT_EQ(report->functions.front().name, "g");
  EXPECT_THAT(report->summary(), HasSubstr("1 of 1 functions compared, 20 inputs"));
}

TEST_F(CompareTest, RefusesWhatItCannotRead) {
  const auto report = compare(request("nonsense", "nonsense"));
  ASSERT_FALSE(report);
  EXPECT_EQ(report.error().code, ErrorCode::kCorrupt);
}

TEST(ReportTest, SurvivesJson) {
  Report report;
  FunctionReport function;
  function.name = "f";
  function.verdict = Verdict::kWrong;
  function.detail = "returns 1, not 2";
  function.input = "f(3)";
  function.input_number = 7;
  function.compared = 4;
  function.void_inputs = 5;
  function.blocks = 6;
  function.reached = 2;
  report.functions = {function};
  report.blocks = 9;
  report.reached = 3;
  const auto parsed = parseReport(toJson(report));
  ASSERT_TRUE(parsed) << parsed.error().message;
  EXPECT_EQ(toJson(*parsed), toJson(report));
  EXPECT_EQ(parsed->functions.front().input_number, 7u);
}

TEST(ReportTest, NamesTheFieldThatIsWrong) {
  Json json = toJson(Report{});
  json["functions"] = Json::array({{{"name", "f"}, {"verdict", "perhaps"}}});
  const auto parsed = parseReport(json);
  ASSERT_FALSE(parsed);
  EXPECT_EQ(parsed.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(parsed.error().message, HasSubstr("perhaps"));
}

}  // namespace
}  // namespace ordo::differ
