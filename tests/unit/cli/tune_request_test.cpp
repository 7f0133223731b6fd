#include "cli/tune_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::cli {
namespace {

using testing::HasSubstr;

TuneRequest filled(TuneRequest request) {
  chooseDefaults(request);
  return request;
}

std::string refusalOf(TuneRequest request) {
  const Status status = checkRequest(filled(std::move(request)));
  return status ? "" : status.error().message;
}

TEST(TuneRequestTest, WhatSuitsTheObjectiveIsChosen) {
  const TuneRequest bytes = filled({});
  EXPECT_EQ(bytes.baseline, "clang-Oz");
  EXPECT_EQ(bytes.budget, "10s");
  const TuneRequest time = filled({.objective = "runtime"});
  EXPECT_EQ(time.baseline, "clang-O3");
  EXPECT_EQ(time.budget, "90s");
  EXPECT_EQ(filled({.baseline = "clang-O2"}).baseline, "clang-O2") << "what is said stays";
}

TEST(TuneRequestTest, WhatIsAboutTheClockGoesWithRunTimeOnly) {
  EXPECT_EQ(refusalOf({}), "");
  EXPECT_EQ(refusalOf({.objective = "runtime", .reward = "immediate", .run = "./a"}), "");
  EXPECT_THAT(refusalOf({.run = "./a"}), HasSubstr("--objective runtime"));
  EXPECT_THAT(refusalOf({.reward = "final"}), HasSubstr("--reward is for"));
  EXPECT_THAT(refusalOf({.no_profile = true}), HasSubstr("--no-profile is for"));
  EXPECT_THAT(refusalOf({.objective = "runtime", .prior = "agent"}), HasSubstr("--prior is for metrics"));
}

TEST(TuneRequestTest, WhatCannotBeIsRefusedWithARemedy) {
  EXPECT_THAT(refusalOf({.searcher = "polcy"}), HasSubstr("policy"));
  EXPECT_THAT(refusalOf({.objective = "runtime", .reward = "imediate"}), HasSubstr("immediate"));
  EXPECT_THAT(refusalOf({.objective = "runtime", .stdin_file = "in"}), HasSubstr("--run"));
  EXPECT_THAT(refusalOf({.jobs = 0}), HasSubstr("1 to 256"));
}

TEST(TuneRequestTest, OneRunIsOfOneProgram) {
  const std::string said =
      refusalOf({.files = {"src/a.cpp", "src/b.c"}, .objective = "runtime", .run = "./prog -9 big.txt"});
  EXPECT_THAT(said, HasSubstr("write a program.toml beside them"));
  for (const char* line : {"name = \"prog\"", "language = \"c++\"", "sources = [\"a.cpp\", \"b.c\"]"})
    EXPECT_THAT(said, HasSubstr(line));
  EXPECT_EQ(refusalOf({.files = {"a.cpp"}, .objective = "runtime", .run = "./prog"}), "");
}

}  // namespace
}  // namespace ordo::cli
