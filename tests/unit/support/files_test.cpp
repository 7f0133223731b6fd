#include "support/files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <map>
#include <thread>
#include <vector>

#include "tests/unit/support/ordinary_user.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FilesTest : public testing::Test {
 protected:
  std::size_t entries() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(dir_.path()), fs::directory_iterator()));
  }

  TempDir dir_ = *TempDir::create();
  const fs::path file_ = dir_.path() / "file";
};

// Files may not grow past `bytes` while this lives: a full disk in miniature.
class SmallDisk {
 public:
  explicit SmallDisk(rlim_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
    handler_ = std::signal(SIGXFSZ, SIG_IGN);
  }
  ~SmallDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  rlimit before_{};
  void (*handler_)(int) = nullptr;
};

TEST_F(FilesTest, WhatIsWrittenIsReadBack) {
  std::string bytes(300000, '\0');
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7);
  for (const std::string& content : {std::string(), std::string("text\n"), bytes}) {
    ASSERT_TRUE(writeFile(file_, content));
    EXPECT_EQ(readFile(file_).value(), content);
  }
  EXPECT_EQ(entries(), 1u) << "a temporary file was left";
}

TEST_F(FilesTest, AMissingFileIsNotFoundAndAFolderIsNotAFile) {
  EXPECT_EQ(readFile(file_).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(readFile(file_).error().message, HasSubstr(file_.string()));
  EXPECT_EQ(readFile(dir_.path()).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(writeFile(dir_.path(), "x").error().code, ErrorCode::kUnavailable);
  ASSERT_TRUE(writeFile(file_, "x"));
  EXPECT_EQ(writeFile(file_ / "below", "x").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(writeFile(dir_.path() / "no" / "file", "x").error().code, ErrorCode::kNotFound);
}

TEST_F(FilesTest, AFullDiskLeavesTheOldFile) {
  ASSERT_TRUE(writeFile(file_, "old"));
  {
    const SmallDisk disk(1000);
    const Status status = writeFile(file_, std::string(5000, 'x'));
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kUnavailable);
  }
  EXPECT_EQ(readFile(file_).value(), "old");
  EXPECT_EQ(entries(), 1u) << "a temporary file was left";
}

TEST_F(FilesTest, AFullDeviceIsReported) {
  const Status status = writeFile("/dev/full", "x");
  ASSERT_FALSE(status);
  EXPECT_THAT(status.error().message, HasSubstr("No space left on device"));
  EXPECT_TRUE(writeFile("/dev/null", "x"));
}

TEST_F(FilesTest, PermissionsAreReportedAndTheOldFileStays) {
  ASSERT_TRUE(writeFile(file_, "old"));
  fs::permissions(file_, fs::perms::none);
  fs::permissions(dir_.path(), fs::perms::owner_read | fs::perms::owner_exec | fs::perms::others_exec);
  EXPECT_TRUE(holdsForAnOrdinaryUser([this] {
    const auto content = readFile(file_);
    return !content && content.error().code == ErrorCode::kUnavailable;
  }));
  EXPECT_TRUE(holdsForAnOrdinaryUser([this] {
    const Status status = writeFile(file_, "new");
    return !status && status.error().code == ErrorCode::kUnavailable;
  }));
  fs::permissions(dir_.path(), fs::perms::owner_all);
  fs::permissions(file_, fs::perms::owner_all);
  EXPECT_EQ(readFile(file_).value(), "old");
}

TEST_F(FilesTest, WhoMayReadOrRunAFileMayDoSoAfterwards) {
  for (const fs::perms mode : {fs::perms::owner_all, fs::perms::owner_read | fs::perms::owner_write,
                               fs::perms::all, fs::perms::set_uid | fs::perms::owner_all}) {
    ASSERT_TRUE(writeFile(file_, "old"));
    fs::permissions(file_, mode);
    ASSERT_TRUE(writeFile(file_, "new"));
    EXPECT_EQ(fs::status(file_).permissions(), mode);
  }
}

TEST_F(FilesTest, ALinkKeepsPointingWhereItPoints) {
  ASSERT_TRUE(writeFile(file_, "old"));
  const fs::path link = dir_.path() / "link";
  fs::create_symlink("file", link);
  ASSERT_TRUE(writeFile(link, "new"));
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(readFile(file_).value(), "new");
}

// So long a name leaves no room for an ending of the temporary file's.
TEST_F(FilesTest, TheLongestNameThatAFileMayHaveIsWritten) {
  const fs::path longest = dir_.path() / std::string(255, 'x');
  ASSERT_TRUE(writeFile(longest, "1"));
  EXPECT_EQ(*readFile(longest), "1");
}

TEST_F(FilesTest, ReadersSeeOneWholeContentWhileWritersReplaceIt) {
  const std::string a(100000, 'a'), b(100000, 'b');
  ASSERT_TRUE(writeFile(file_, a));
  std::vector<std::thread> writers;
  for (const std::string* content : {&a, &b}) {
    writers.emplace_back([this, content] {
      for (int i = 0; i < 20; ++i) EXPECT_TRUE(writeFile(file_, *content));
    });
  }
  for (int i = 0; i < 200; ++i) {
    const auto content = readFile(file_);
    ASSERT_TRUE(content);
    EXPECT_TRUE(*content == a || *content == b) << "a mixture of " << content->size() << " bytes";
  }
  for (std::thread& writer : writers) writer.join();
}

TEST(TempDirTest, IsRemovedWithEverythingInIt) {
  fs::path path;
  {
    TempDir dir = *TempDir::create();
    path = dir.path();
    fs::create_directories(path / "a" / "b");
    ASSERT_TRUE(writeFile(path / "a" / "b" / "c", "x"));
    const TempDir moved = std::move(dir);
    EXPECT_EQ(moved.path(), path);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST(TempDirTest, TwoAreNeverTheSame) {
  const TempDir a = *TempDir::create(), b = *TempDir::create();
  EXPECT_NE(a.path(), b.path());
}

// A process that makes a temporary directory, says where it is, and then does nothing, or dies.
class Holder {
 public:
  explicit Holder(bool dies) {
    int ends[2];
    if (::pipe(ends) != 0) std::abort();
    pid_ = ::fork();
    if (pid_ == 0) {
      const TempDir dir = *TempDir::create();
      const std::string path = dir.path().string();
      (void)!::write(ends[1], path.data(), path.size());
      ::close(ends[1]);
      if (!dies) ::pause();
      ::raise(SIGKILL);
    }
    ::close(ends[1]);
    char text[256];
    for (ssize_t bytes; (bytes = ::read(ends[0], text, sizeof text)) > 0;)
      path_.append(text, static_cast<std::size_t>(bytes));
    ::close(ends[0]);
    if (dies) end();
  }
  ~Holder() { end(); }

  bool hasFolder() const { return fs::is_directory(path_); }

 private:
  void end() {
    if (pid_ > 0) ::kill(pid_, SIGKILL);
    if (pid_ > 0) ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  pid_t pid_ = 0;
  std::string path_;
};

TEST(TempDirTest, WhatAKilledProcessLeftIsRemovedByTheNextAndNothingElse) {
  const TempDir base = *TempDir::create();
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("TMPDIR", base.path().c_str(), 1);
  fs::create_directory(base.path() / "ordo.json");
  {
    const Holder alive(false), dead(true);
    ASSERT_TRUE(alive.hasFolder() && dead.hasFolder());
    const TempDir next = *TempDir::create();
    EXPECT_FALSE(dead.hasFolder());
    EXPECT_TRUE(alive.hasFolder());
    EXPECT_TRUE(fs::exists(next.path()));
    EXPECT_TRUE(fs::exists(base.path() / "ordo.json"));
  }
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", saved.c_str(), 1);
}

TEST(TempDirTest, AFolderThatNobodyMayReadIsRemovedToo) {
  EXPECT_TRUE(holdsForAnOrdinaryUser([] {
    fs::path path;
    {
      const TempDir dir = *TempDir::create();
      path = dir.path();
      fs::create_directories(path / "a" / "b");
      fs::permissions(path / "a", fs::perms::none);
      fs::permissions(path, fs::perms::none);
    }
    return !fs::exists(path);
  }));
}

TEST(TempDirTest, AMissingBaseIsReported) {
  const char* before = std::getenv("TMPDIR");
  const std::string saved = before == nullptr ? "" : before;
  ::setenv("TMPDIR", "/proc/nonexistent/folder", 1);
  const auto dir = TempDir::create();
  ASSERT_FALSE(dir);
  EXPECT_THAT(dir.error().message, HasSubstr("TMPDIR"));
  before == nullptr ? ::unsetenv("TMPDIR") : ::setenv("TMPDIR", saved.c_str(), 1);
}

TEST(PathsTest, VariablesDecideWhereDataAndCacheAre) {
  ::setenv("ORDO_DATA", "/a/data", 1);
  EXPECT_EQ(dataDir(), "/a/data");
  ::unsetenv("ORDO_DATA");
  EXPECT_EQ(dataDir(), executablePath().parent_path().parent_path() / "share" / "ordo");
  ::setenv("ORDO_CACHE", "/a/cache", 1);
  EXPECT_EQ(cacheDir(), "/a/cache");
  ::unsetenv("ORDO_CACHE");
  ::setenv("XDG_CACHE_HOME", "/xdg", 1);
  EXPECT_EQ(cacheDir(), "/xdg/ordo");
  ::unsetenv("XDG_CACHE_HOME");
}

// As in a sandbox of a package manager.
TEST(PathsTest, WithoutHomeAndTemporaryFolderThereIsStillAName) {
  std::map<std::string, std::string> saved;
  for (const char* name : {"HOME", "TMPDIR", "ORDO_CACHE", "XDG_CACHE_HOME"}) {
    if (const char* value = std::getenv(name)) saved[name] = value;
    ::unsetenv(name);
  }
  const TempDir dir = *TempDir::create();
  ::setenv("TMPDIR", (dir.path() / "gone").c_str(), 1);
  EXPECT_EQ(cacheDir().parent_path(), "/tmp");
  // Where everybody may write, what others may have put there is not ours.
  const std::string folder = fmt::format("ordo-cache-{}", ::geteuid());
  for (const char* base : {"new", "own", "open", "link", "file"}) {
    fs::create_directories(dir.path() / base / "elsewhere");
    const fs::path there = dir.path() / base / folder;
    if (base == std::string("own") || base == std::string("open")) fs::create_directory(there);
    if (base == std::string("own")) fs::permissions(there, fs::perms::owner_all);
    if (base == std::string("open")) fs::permissions(there, fs::perms::all);
    if (base == std::string("link")) fs::create_directory_symlink("elsewhere", there);
    if (base == std::string("file")) ASSERT_TRUE(writeFile(there, ""));
    const bool trusted = base == std::string("new") || base == std::string("own");
    ::setenv("TMPDIR", (dir.path() / base).c_str(), 1);
    const fs::path cache = cacheDir();
    EXPECT_EQ(cache == there, trusted) << cache;
    EXPECT_EQ(cacheDir(), cache) << "one for the process";
    EXPECT_EQ(fs::symlink_status(cache).type(), fs::file_type::directory);
    EXPECT_EQ(fs::status(cache).permissions(), fs::perms::owner_all);
  }
  ::unsetenv("TMPDIR");
  for (const auto& [name, value] : saved) ::setenv(name.c_str(), value.c_str(), 1);
}

TEST_F(FilesTest, PrivateFoldersAreThisUsersWhateverTheUmaskIs) {
  const mode_t before = ::umask(0);
  const fs::path folder = dir_.path() / "cache" / "ordo";
  EXPECT_FALSE(makePrivateFolders(folder));
  ::umask(before);
  for (const fs::path& made : {folder, folder.parent_path()})
    EXPECT_EQ(fs::status(made).permissions(), fs::perms::owner_all) << made;
  fs::permissions(folder, fs::perms::all);
  EXPECT_FALSE(makePrivateFolders(folder));
  EXPECT_EQ(fs::status(folder).permissions(), fs::perms::all) << "it was somebody's wish";
  ASSERT_TRUE(writeFile(file_, ""));
  EXPECT_EQ(makePrivateFolders(file_ / "below"), std::errc::file_exists) << "but is no folder";
}

}  // namespace
}  // namespace ordo
