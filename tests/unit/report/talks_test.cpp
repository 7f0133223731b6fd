#include "report/talks.h"

#include <gtest/gtest.h>

#include "report/markdown.h"
#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

TEST(TalksTest, AnswersAreOfAllDialoguesAlsoThoseWithout) {
  SmallStudy small = SmallStudy::complete();
  EXPECT_TRUE(talkTable(small.study, "ir_instructions").rows.empty());
  study::Talk talk;
  talk.answered = true;
  talk.value = 80;
  talk.replies = 3;
  talk.calls = 4;
  talk.failed_calls = 1;
  talk.prompt_tokens = 1000;
  talk.flops = 2e9;
  talk.flops_from = "the model";
  for (const char* program : {"a/1", "a/2", "b/1"}) small.add("agent", program, 1, 95, 90).talk = talk;
  small.add("agent", "b/1", 2, 95, 90).failure = "the model broke";
  std::ranges::sort(small.study.runs, {}, &study::Run::key);
  const Table table = talkTable(small.study, "ir_instructions");
  ASSERT_EQ(table.rows.size(), 1u);
  const std::vector<std::string>& row = table.rows[0];
  EXPECT_EQ(row.size(), table.columns.size());
  EXPECT_EQ(row[0], "agent");
  EXPECT_EQ(row[1], "4");
  EXPECT_EQ(row[2], "75.0 %");
  EXPECT_TRUE(row[3].starts_with("+15.00 %")) << row[3];  // suites: 20 % and 10 %
  EXPECT_EQ(row[6], "25.0 %");
  EXPECT_NE(markdownReport(Analysis(small.study), "random").find("### Dialogues"), std::string::npos);
}

}  // namespace
}  // namespace ordo::report
