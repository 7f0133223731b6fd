#include "datasets/tests.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

// Programs under test are shell scripts: what matters is what they write and how they end.
class TestsTest : public testing::Test {
 protected:
  fs::path script(std::string_view text) {
    const fs::path path = dir_.path() / "program";
    EXPECT_TRUE(writeFile(path, fmt::format("#!/bin/sh\n{}\n", text)));
    fs::permissions(path, fs::perms::owner_all);
    return path;
  }

  Program program(std::vector<ordo::datasets::ProgramTest> tests) {
    Program program;
    program.dir = dir_.path();
    program.tests = std::move(tests);
    return program;
  }

  void write(const char* file, std::string_view text) { ASSERT_TRUE(writeFile(dir_.path() / file, text)); }

  TestResult run(std::string_view text, ordo::datasets::ProgramTest test) {
    test.name = "only";
    const auto report = runTests(program({std::move(test)}), script(text));
    EXPECT_TRUE(report) << report.error().message;
    return report ? report->results.at(0) : TestResult{};
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(TestsTest, InputArgumentsFolderAndStatusReachTheProgram) {
  write("in", "from the input\n");
  write("out", "from the input\n2 a b\nin\n");
  const auto result = run("cat; echo $# \"$1\"; ls in; exit 3",
                          {.name = "", .args = {"a b", ""}, .input = "in", .expected = "out", .exit = 3});
  EXPECT_TRUE(result.passed) << result.failure;
}

TEST_F(TestsTest, WithoutInputAProgramReadsNothing) {
  write("out", "");
  EXPECT_TRUE(run("cat", {.name = "", .args = {}, .input = {}, .expected = "out"}).passed);
}

TEST_F(TestsTest, OutputAndStatusAreBothCompared) {
  write("out", "a\n");
  EXPECT_EQ(run("echo b", {.name = "", .args = {}, .input = {}, .expected = "out"}).failure,
            "line 1: expected 'a', got 'b'");
  EXPECT_EQ(run("echo a; exit 1", {.name = "", .args = {}, .input = {}, .expected = "out"}).failure,
            "exited with status 1, expected status 0");
  EXPECT_THAT(run("kill -SEGV $$", {.name = "", .args = {}, .input = {}, .expected = "out"}).failure,
              HasSubstr("was killed by signal 11"));
}

TEST_F(TestsTest, AHangingProgramIsEndedAtItsLimit) {
  write("out", "");
  const auto result =
      run("sleep 60", {.name = "", .args = {}, .input = {}, .expected = "out", .exit = 0, .timeout_s = 0.1});
  EXPECT_THAT(result.failure, HasSubstr("ran past its time"));
}

// As timed runs are: what one leaves, the next does not see, and nothing outside is touched.
TEST_F(TestsTest, ATestIsConfined) {
  write("out", "data\n");
  write("data", "data\n");
  const std::string text = fmt::format(
      "[ -e left ] && echo left; echo x >left; (echo x >data; echo x >{0}/new) 2>/dev/null; cat {0}/data",
      dir_.path().string());
  for (int i = 0; i < 2; ++i) {
    const auto result = run(text, {.name = "", .args = {}, .input = {}, .expected = "out"});
    EXPECT_TRUE(result.passed) << result.failure;
  }
  EXPECT_FALSE(fs::exists(dir_.path() / "new"));
  EXPECT_FALSE(fs::exists(dir_.path() / "left"));
}

TEST_F(TestsTest, TheReportCoversEveryTest) {
  write("out", "a\n");
  const auto tests = program({{.name = "one", .args = {"a"}, .input = {}, .expected = "out"},
                              {.name = "two", .args = {"b"}, .input = {}, .expected = "out"},
                              {.name = "three", .args = {"a"}, .input = {}, .expected = "out"}});
  const auto report = runTests(tests, script("echo $1"));
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_FALSE(report->passed());
  EXPECT_EQ(report->summary(), "1 of 3 tests failed: two: line 1: expected 'a', got 'b'");
  EXPECT_EQ(TestReport({{"one", true, "", 0}}).summary(), "1 test passed");
}

TEST_F(TestsTest, WhatCannotBeTriedIsAnError) {
  write("out", "");
  const auto tests = program({{.name = "t", .args = {}, .input = {}, .expected = "out"}});
  EXPECT_FALSE(runTests(tests, dir_.path() / "missing"));
  fs::remove(dir_.path() / "out");
  EXPECT_FALSE(runTests(tests, script("true")));
}

TEST_F(TestsTest, ARelativeExecutableIsFoundFromTheFolderOfTheTests) {
  write("out", "");
  const fs::path relative = fs::relative(script("true"), fs::current_path());
  const auto report =
      runTests(program({{.name = "t", .args = {}, .input = {}, .expected = "out"}}), relative);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->passed());
}

TEST_F(TestsTest, RunsAreReportedAsTheyWere) {
  ordo::datasets::ProgramTest test;
  test.name = "args";
  test.args = {"a"};
  test.expected = "nowhere";
  const auto runs =
      runProgram(program({test}), script("echo $1 $WORD; echo e >&2; exit 3"), {.environment = {"WORD=b"}});
  ASSERT_TRUE(runs) << runs.error().message;
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ(runs->at(0).name, "args");
  EXPECT_EQ(runs->at(0).result.out, "a b\n");
  EXPECT_EQ(runs->at(0).result.err, "e\n");
  EXPECT_EQ(runs->at(0).result.exit_code, 3);
}

TEST_F(TestsTest, WithoutTestsOnlyWhatPromisesToRunIsRun) {
  Program generated = program({});
  EXPECT_TRUE(runProgram(generated, script("echo ran"))->empty());
  generated.runnable = true;
  const auto runs = runProgram(generated, script("echo ran"));
  ASSERT_EQ(runs->size(), 1u);
  EXPECT_EQ(runs->at(0).result.out, "ran\n");
}

TEST(FirstDifferenceTest, SaysWhereTextsDepart) {
  EXPECT_EQ(firstDifference("", ""), "");
  EXPECT_EQ(firstDifference("a\nb\n", "a\nb\n"), "");
  EXPECT_EQ(firstDifference("a\nb\nc\n", "a\nb\nd\n"), "line 3: expected 'c', got 'd'");
  EXPECT_EQ(firstDifference("a\nb\n", "a\n"), "line 2: expected 'b', got the end of output");
  EXPECT_EQ(firstDifference("a\n", "a\nb\n"), "line 2: expected the end of output, got 'b'");
  EXPECT_EQ(firstDifference("a\n", "a"), "line 1: expected 'a', got 'a' without a newline");
  EXPECT_EQ(firstDifference("\t\x7f\n", "?\n"), "line 1: expected '\\x09\\x7f', got '?'");
}

TEST(FirstDifferenceTest, ShowsThePartOfALongLineThatDiffers) {
  const std::string same(1000, 'x');
  const std::string text = firstDifference(same + "1" + same, same + "2" + same);
  EXPECT_THAT(text, HasSubstr("expected '...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx1xxxxx"));
  EXPECT_THAT(text, HasSubstr("got '...xxxxxxxxxxxxxxxxxxxxxxxxxxxxxx2xxxxx"));
  EXPECT_LT(text.size(), 200u);
}

}  // namespace
}  // namespace ordo::datasets
