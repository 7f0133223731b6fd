#include "frontend/alive.h"

#include <gmock/gmock.h>

#include <cstdlib>

#include "support/files.h"

namespace ordo::frontend {
namespace {

using testing::HasSubstr;

// A PATH on which `alive-tv` is a script.
class AliveTest : public testing::Test {
 protected:
  AliveTest() : dir_(*TempDir::create()), path_(std::getenv("PATH")) {}
  ~AliveTest() override { ::setenv("PATH", path_.c_str(), 1); }

  void install(std::string_view script) {
    const auto file = dir_.path() / "alive-tv";
    ASSERT_TRUE(writeFile(file, fmt::format("#!/bin/sh\n{}\n", script)));
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    ::setenv("PATH", fmt::format("{}:{}", dir_.path().string(), path_).c_str(), 1);
  }

 private:
  TempDir dir_;
  std::string path_;
};

TEST_F(AliveTest, IsNotMissedWhereItIsNot) {
  ::setenv("PATH", "/proc/nonexistent", 1);
  const auto asked = askAlive("a", "b", 1);
  ASSERT_TRUE(asked) << asked.error().message;
  EXPECT_FALSE(asked->has_value());
}

TEST_F(AliveTest, CountsWhatItSays) {
  install(
      "cat << END\nERROR: Value mismatch\n\nSummary:\n  12 correct transformations\n  1 incorrect "
      "transformations\n"
      "  2 failed-to-prove transformations\n  3 Alive2 errors\nEND\nexit 1");
  const auto asked = askAlive("a", "b", 10);
  ASSERT_TRUE(asked && asked->has_value());
  EXPECT_EQ((*asked)->correct, 12);
  EXPECT_EQ((*asked)->incorrect, 1);
  EXPECT_EQ((*asked)->unknown, 5);
  EXPECT_EQ((*asked)->first, "Value mismatch");
}

TEST_F(AliveTest, SaysWhyThereIsNoAnswer) {
  install("echo 'cannot read that' >&2; exit 255");
  auto asked = askAlive("a", "b", 10);
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(asked.error().message, HasSubstr("cannot read that"));
  install("sleep 20");
  asked = askAlive("a", "b", 0.2);
  ASSERT_FALSE(asked);
  EXPECT_EQ(asked.error().code, ErrorCode::kDeadlineExceeded);
}

}  // namespace
}  // namespace ordo::frontend
