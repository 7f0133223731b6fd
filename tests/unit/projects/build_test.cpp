#include "projects/build.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::projects {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class BuildTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "stock clang, which has no sanitizer, cannot load a plugin that needs one";
#endif
    fs::create_directories(dir_.path() / "scratch");
    fs::create_directories(dir_.path() / "src");
    ASSERT_TRUE(
        writeFile(source(), "int f(int x) { return x * 2; }\nint g(int x) { return f(x) + f(1); }\n"));
    settings_.folder = dir_.path() / "cache";
  }

  fs::path source() const { return dir_.path() / "src" / "a.c"; }
  Build build(const std::string& command, const std::string& check = "") {
    return {{"cd '" + (dir_.path() / "src").string() + "' && " + command, "", check},
            settings_,
            dir_.path() / "scratch",
            nullptr};
  }
  std::string object() const { return *readFile(dir_.path() / "src" / "a.o"); }

  const TempDir dir_ = *TempDir::create();
  builds::Settings settings_;
};

TEST_F(BuildTest, ARecordedBuildIsPlainAndHasItsModules) {
  Build recorded = build("$CC -Oz -c a.c");
  const auto lines = recorded.record();
  ASSERT_TRUE(lines) << lines.error().message;
  ASSERT_EQ(lines->size(), 1u);
  EXPECT_EQ(lines->front().source, source());
  EXPECT_EQ(lines->front().command[0], "clang-22");
  EXPECT_GT(lines->front().baseline, 0);
  EXPECT_THAT(*readFile(recorded.bitcodeOf(lines->front().key)), testing::StartsWith("BC"));
  const std::string ours = object();
  ASSERT_TRUE(runProcess({"clang-22", "-Oz", "-c", "a.c"}, {.input = {}, .dir = dir_.path() / "src"})->ok());
  EXPECT_EQ(ours, object());

  const auto again = recorded.rebuild(settings_.folder);
  ASSERT_TRUE(again) << again.error().message;
  ASSERT_EQ(again->size(), 1u);
  EXPECT_EQ(again->front().key, lines->front().key);
  EXPECT_EQ(again->front().outcome, builds::Outcome::kTuned) << again->front().reason;
}

TEST_F(BuildTest, WhatIsNotCompiledAgainIsMissed) {
  Build once = build("if [ ! -e stamp ]; then $CC -Oz -c a.c; touch stamp; fi");
  ASSERT_TRUE(once.record());
  const auto again = once.rebuild(settings_.folder);
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(again.error().message, HasSubstr("a.o again"));
}

TEST_F(BuildTest, ThatNothingCanBeTunedHasAReason) {
  const auto errorOf = [&](const std::string& command) {
    fs::remove(dir_.path() / "scratch" / "record.jsonl");
    const auto lines = build(command).record();
    return lines ? Error{} : lines.error();
  };
  EXPECT_THAT(errorOf("exit 3").message, HasSubstr("exited with status 3"));
  EXPECT_EQ(errorOf("exit 3").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(errorOf("true").code, ErrorCode::kNotFound);
  EXPECT_THAT(errorOf("true").message, HasSubstr("--clean"));
  EXPECT_THAT(errorOf("echo /usr/bin/gcc -O2 -c a.c").message, HasSubstr("ran '/usr/bin/gcc'"));
  EXPECT_THAT(errorOf("$CC -O2 -c a.c").message, HasSubstr("-O2 has no objective"));
}

TEST_F(BuildTest, ACompileCommandIsRecordedAndLeavesNothing) {
  Build listed = build("false");
  using Words = std::vector<std::string>;
  for (const Words& words :
       {Words{"clang-22", "-Oz", "-MD", "-MF", "a.d", "-c", "a.c", "-o", "a.o"},
        Words{"clang-22", "-Oz", "--write-dependencies", "-MFa.d", "-serialize-diagnostics", "a.dia", "-oa.o",
              "-c", "a.c"},
        Words{"clang-22", "-Oz", "--serialize-diagnostics", "a.dia", "--output=a.o", "-c", "--", "a.c"}}) {
    const auto lines = listed.record({{dir_.path() / "src", words}}, 2);
    ASSERT_TRUE(lines) << lines.error().message;
    EXPECT_EQ(lines->front().source, source());
    EXPECT_EQ(std::distance(fs::directory_iterator(dir_.path() / "src"), {}), 1) << words[3];
  }
  const auto missing = listed.record({{dir_.path() / "src", {"clang-22", "-Oz", "-c", "b.c"}}}, 1);
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().message, HasSubstr("no such file"));
}

TEST_F(BuildTest, ACheckSaysHowItFailed) {
  EXPECT_EQ(*build("true", "true").check(), "");
  EXPECT_THAT(*build("true", "echo broken; exit 4").check(), HasSubstr("exited with status 4:\nbroken"));
}

}  // namespace
}  // namespace ordo::projects
