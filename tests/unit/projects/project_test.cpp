#include "projects/project.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "recipe/lock.h"
#include "support/files.h"

namespace ordo::projects {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kLoop =
    "int NAME(int* a, int n) { int s = 0; for (int i = 0; i < n; i++) { a[i] *= 3; s += a[i] % 7; }\n"
    "  for (int i = 0; i < n; i++) if (a[i] & 1) s ^= a[i] << 2; return s; }\n";

// Two files and a program, built by a line of shell.
class ProjectTest : public testing::Test {
 protected:
  void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "stock clang, which has no sanitizer, cannot load a plugin that needs one";
#endif
    fs::current_path(dir_.path());
    for (const std::string name : {"one", "two"})
      ASSERT_TRUE(writeFile(name + ".c", "#define NAME " + name + "\n" + kLoop));
    ASSERT_TRUE(writeFile("main.c", "int main(void) { return 0; }\n"));
    options_.commands.build =
        "for f in one two main; do [ -e $f.o ] || $CC -Oz -c $f.c || exit; done; clang-22 -o prog one.o "
        "two.o main.o";
    options_.settings.folder = dir_.path() / "cache";
    options_.settings.log = dir_.path() / "cache" / "log";
    options_.seconds = 2;
    options_.jobs = 2;
  }
  void TearDown() override { fs::current_path("/"); }

  const TempDir dir_ = *TempDir::create();
  ProjectOptions options_;
};

TEST_F(ProjectTest, ItIsTunedLinkedAndPinned) {
  const Result<Tuned> tuned = tuneProject(options_);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_TRUE(tuned->relinked);
  EXPECT_FALSE(tuned->checked);
  ASSERT_EQ(tuned->modules.size(), 3u);
  ASSERT_EQ(tuned->binaries.size(), 1u);
  EXPECT_EQ(tuned->binaries[0].path, "prog");
  EXPECT_LE(tuned->binaries[0].after.text, tuned->binaries[0].before.text);
  const auto lock = recipe::parseLock(*readFile("ordo.lock"), "lock");
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(lock->files.size(), 3u);
  EXPECT_EQ(builds::readLog(options_.settings.log)->size(), 3u);
}

TEST_F(ProjectTest, WhatTheCheckRefusesIsPlainAgain) {
  // The plain object is the first that is seen.
  options_.commands.check = "[ -e plain.o ] || cp two.o plain.o; cmp two.o plain.o";
  options_.seconds = 4;
  const Result<Tuned> tuned = tuneProject(options_);
  ASSERT_TRUE(tuned) << tuned.error().message;
  EXPECT_THAT(tuned->failed, HasSubstr("differ"));
  EXPECT_THAT(tuned->refused, ElementsAre((dir_.path() / "two.c").string()));
  EXPECT_TRUE(tuned->checked);
  EXPECT_EQ(*readFile("two.o"), *readFile("plain.o"));
}

TEST_F(ProjectTest, AProjectThatFailsByItselfIsNotTuned) {
  options_.commands.check = "false";
  EXPECT_THAT(tuneProject(options_).error().message, HasSubstr("before anything was tuned"));
  options_.commands.build = "exit 2";
  EXPECT_EQ(tuneProject(options_).error().code, ErrorCode::kInvalidArgument);
  EXPECT_FALSE(fs::exists("ordo.lock"));
}

}  // namespace
}  // namespace ordo::projects
