#include "projects/free_search.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/clock.h"
#include "support/files.h"

namespace ordo::projects {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

// Two files and a function that only one module of both can leave out.
class FreeSearchTest : public testing::Test {
 protected:
  void SetUp() override {
    fs::create_directories(dir_.path() / "scratch");
    fs::create_directories(dir_.path() / "src");
    write("a.c",
          "int helper(int);\nint unused(int x) { return helper(x) * 77 + x / 3; }\n"
          "int main(int n, char** v) { (void)v; return helper(n); }\n");
    write("b.c", "int helper(int x) { return x * 2; }\nint more(int x) { return x % 1000 + helper(x); }\n");
    settings_.folder = dir_.path() / "cache";
    back_ = fs::current_path();
    fs::current_path(dir_.path() / "src");
  }
  void TearDown() override { fs::current_path(back_); }

  void write(const char* name, std::string_view text) const {
    ASSERT_TRUE(writeFile(dir_.path() / "src" / name, text));
  }
  Result<FreeResult> search(const std::string& command, const FreeSearchOptions& options) const {
    Build build({command, "", ""}, settings_, dir_.path() / "scratch", nullptr);
    return tryFreeFlags(build, options);
  }
  static std::string best(const FreeResult& result) {
    return builds::writeFreeFlags(result.trials[result.best].choices);
  }

  const TempDir dir_ = *TempDir::create();
  fs::path back_;
  builds::Settings settings_;
};

constexpr const char* kBuild =
    "$CC -Oz -fno-asynchronous-unwind-tables -c a.c && $CC -Oz -fno-asynchronous-unwind-tables -c b.c && "
    "$CC -Oz -o prog a.o b.o";

TEST_F(FreeSearchTest, TheBestIsTheSmallestAndBuildsAgainTheSame) {
  FreeSearchOptions options;
  options.metric = "code_bytes";
  options.seconds = 1e9;
  std::size_t heard = 0;
  options.on_trial = [&](const FreeTrial&) { ++heard; };
  const Result<FreeResult> found = search(kBuild, options);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(heard, found->trials.size());
  EXPECT_THAT(found->trials.front().choices, IsEmpty());
  EXPECT_THAT(best(*found), HasSubstr("lto="));
  for (const FreeTrial& trial : found->trials) {
    if (!trial.trouble.empty()) continue;
    EXPECT_GE(trial.bytes, found->trials[found->best].bytes);
    ASSERT_EQ(trial.binaries.size(), 1U);
    EXPECT_EQ(trial.bytes, static_cast<double>(trial.binaries.begin()->second.code));
  }
  const auto troubled = std::ranges::find_if(found->trials, [](const FreeTrial& trial) {
    return builds::writeFreeFlags(trial.choices).find("save") != std::string::npos;
  });
  ASSERT_NE(troubled, found->trials.end());
  EXPECT_THAT(troubled->trouble, HasSubstr("-msave-restore")) << "what a machine does not have is no failure";
}

TEST_F(FreeSearchTest, WhatASearchCannotGoOnBehindIsLeftOut) {
  FreeSearchOptions options;
  options.for_search = true;
  options.lto = false;
  options.seconds = 1e9;
  const Result<FreeResult> found = search(kBuild, options);
  ASSERT_TRUE(found) << found.error().message;
  for (const FreeTrial& trial : found->trials) {
    const std::string text = builds::writeFreeFlags(trial.choices);
    for (const char* none : {"lto", "thin", "all", "outline", "merge", "link-inline"})
      EXPECT_EQ(text.find(none), std::string::npos) << text;
  }
}

TEST_F(FreeSearchTest, WithoutTimeThereIsTheBuildAsItIs) {
  FreeSearchOptions options;
  options.seconds = -1;
  const Result<FreeResult> found = search(kBuild, options);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->trials.size(), 1U);
  EXPECT_EQ(found->best, 0U);
}

TEST_F(FreeSearchTest, ABuildThatLinksNothingOrIsNotOursIsNamed) {
  const auto errorOf = [&](const std::string& command) {
    const Result<FreeResult> found = search(command, {});
    return found ? Error{} : found.error();
  };
  EXPECT_EQ(errorOf("exit 3").code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(errorOf("$CC -Oz -c a.c").code, ErrorCode::kNotFound);
  EXPECT_THAT(errorOf("$CC -Oz -c a.c").message, HasSubstr("links no program"));
  EXPECT_THAT(errorOf("clang-22 -Oz -o prog a.c b.c").message, HasSubstr("no compilation was captured"));
}

}  // namespace
}  // namespace ordo::projects
