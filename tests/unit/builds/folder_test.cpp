#include "builds/folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "support/files.h"

namespace ordo::builds {
namespace {

namespace fs = std::filesystem;

mode_t modeOf(const fs::path& path) {
  struct stat status{};
  return ::stat(path.c_str(), &status) == 0 ? status.st_mode & 07777 : 0;
}

TEST(FolderTest, ANewOneIsForThisUserAlone) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(checkFolder(dir.path() / "a" / "b", Sharing::kNobody));
  EXPECT_EQ(modeOf(dir.path() / "a" / "b"), 0700u);
  const mode_t before = ::umask(0);
  EXPECT_TRUE(checkFile(dir.path() / "file", Sharing::kNobody));
  ::umask(before);
  EXPECT_EQ(modeOf(dir.path() / "file"), 0600u);
}

TEST(FolderTest, WhereOthersMayWriteNothingIsTrusted) {
  const TempDir dir = *TempDir::create();
  for (const mode_t mode : {02770u, 0777u, 01777u, 0702u}) {
    ASSERT_EQ(::chmod(dir.path().c_str(), mode), 0);
    EXPECT_EQ(checkFolder(dir.path(), Sharing::kNobody).error().code, ErrorCode::kUnavailable) << mode;
  }
  ASSERT_EQ(::chmod(dir.path().c_str(), 0755), 0);
  EXPECT_TRUE(checkFolder(dir.path(), Sharing::kNobody));
}

TEST(FolderTest, AGroupSharesWhatIsMadeForIt) {
  const TempDir dir = *TempDir::create();
  EXPECT_FALSE(checkFolder(dir.path() / "missing", Sharing::kGroup));
  for (const mode_t mode : {0700u, 0770u, 02750u, 02777u}) {
    ASSERT_EQ(::chmod(dir.path().c_str(), mode), 0);
    EXPECT_FALSE(checkFolder(dir.path(), Sharing::kGroup)) << mode;
  }
  ASSERT_EQ(::chmod(dir.path().c_str(), 02770), 0);
  EXPECT_TRUE(checkFolder(dir.path(), Sharing::kGroup));
  const mode_t before = ::umask(077);
  EXPECT_TRUE(checkFile(dir.path() / "file", Sharing::kGroup));
  ::umask(before);
  EXPECT_EQ(modeOf(dir.path() / "file"), 0660u);
  EXPECT_FALSE(checkFile(dir.path() / "file", Sharing::kNobody));
}

TEST(FolderTest, ALinkIsNoFile) {
  const TempDir dir = *TempDir::create();
  std::ofstream(dir.path() / "elsewhere") << "x";
  fs::create_symlink("elsewhere", dir.path() / "link");
  EXPECT_FALSE(checkFile(dir.path() / "link", Sharing::kNobody));
  EXPECT_FALSE(checkFile(dir.path() / "link", Sharing::kGroup));
}

TEST(FolderTest, WhatAnotherUserOwnsIsNotTrusted) {
  if (::geteuid() != 0) GTEST_SKIP() << "only root can give files away";
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(checkFile(dir.path() / "file", Sharing::kNobody));
  ASSERT_EQ(::chown((dir.path() / "file").c_str(), 12345, 12345), 0);
  EXPECT_FALSE(checkFile(dir.path() / "file", Sharing::kNobody));
  ASSERT_EQ(::chown(dir.path().c_str(), 12345, 12345), 0);
  EXPECT_FALSE(checkFolder(dir.path(), Sharing::kNobody));
}

}  // namespace
}  // namespace ordo::builds
