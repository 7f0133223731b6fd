#include "report/html.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <vector>

#include "report/text.h"
#include "tests/unit/report/small_study.h"

namespace ordo::report {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(HtmlTest, ThePageNeedsNothingElse) {
  const SmallStudy small = SmallStudy::complete();
  const std::string page = htmlReport(Analysis(small.study), "random");
  for (const char* foreign : {"http:", "https:", "<script", "<link", "url(", "@import", " src="})
    EXPECT_THAT(page, Not(HasSubstr(foreign)));
  EXPECT_THAT(page, HasSubstr("<svg"));
  EXPECT_THAT(page, HasSubstr(small.study.file_hash));
}

TEST(HtmlTest, TheWinnerComesFirst) {
  const SmallStudy small = SmallStudy::complete();
  const std::string page = htmlReport(Analysis(small.study), "random");
  const std::size_t verdict = page.find("good won with +10.00 %");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(verdict, page.find("<svg"));
}

TEST(HtmlTest, EveryElementIsClosed) {
  SmallStudy small = SmallStudy::complete();
  small.study.runs[0].failure = "a <strange> reason & more";
  const std::string page = htmlReport(Analysis(small.study), "random");
  std::vector<std::string> open;
  for (std::size_t at = page.find("<html"); at != std::string::npos; at = page.find('<', at + 1)) {
    const std::size_t end = page.find('>', at);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = page.substr(at + 1, end - at - 1);
    const std::string name = tag.substr(0, tag.find_first_of(" /", 1));
    if (tag.starts_with("/")) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(tag.substr(1), open.back());
      open.pop_back();
    } else if (!tag.ends_with("/") && name != "meta") {
      open.push_back(name);
    }
  }
  EXPECT_TRUE(open.empty());
}

}  // namespace
}  // namespace ordo::report
