#include "builds/cache.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>

#include "support/files.h"
#include "tests/fakes/eventually.h"

namespace ordo::builds {
namespace {

constexpr std::uint64_t kMany = 1 << 20;

TEST(BuildCacheTest, WhatIsStoredIsFoundByOthers) {
  const TempDir dir = *TempDir::create();
  Cache one = *Cache::open(dir.path() / "new" / "folder", kMany);
  Cache other = *Cache::open(dir.path() / "new" / "folder", kMany);
  EXPECT_FALSE(*one.find("k"));
  ASSERT_TRUE(one.store("k", {"order", 100, 90, 0.2, 70}));
  ASSERT_TRUE(one.storeObject("k", std::string("\x7f"
                                               "ELF\0\xff",
                                               6)));
  ASSERT_TRUE(one.storeNote("k", "text"));
  EXPECT_EQ((*other.find("k"))->order, "order");
  EXPECT_EQ((*other.find("k"))->tuned, 90);
  EXPECT_EQ((*other.find("k"))->code, 70);
  EXPECT_EQ(**other.findObject("k"), std::string("\x7f"
                                                 "ELF\0\xff",
                                                 6));
  EXPECT_EQ(**other.findNote("k"), "text");
  EXPECT_FALSE(*other.findObject("j"));
}

// One bit of an object is another program.
TEST(BuildCacheTest, WhatIsDamagedIsNotThere) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), kMany);
  const auto keep = [&] {
    ASSERT_TRUE(cache.store("k", {"order", 100, 90, 5}));
    ASSERT_TRUE(cache.storeObject("k", "object"));
    ASSERT_TRUE(cache.storeNote("k", "text"));
  };
  keep();
  // Another's row is damage, too: an index may lead astray.
  for (const char* damage : {"UPDATE object_v2 SET bytes = X'6f626a656375'",
                             "UPDATE known_v3 SET code = 'ordes'", "UPDATE known_v3 SET tuned = 91",
                             "UPDATE known_v3 SET code_bytes = 91", "UPDATE target_v3 SET text = 'texu'",
                             "UPDATE object_v2 SET key = 'j'", "UPDATE object_v2 SET hash = ''"}) {
    SCOPED_TRACE(damage);
    Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kWrite);
    ASSERT_TRUE(database.run(damage));
    const bool objects = std::string_view(damage).starts_with("UPDATE object");
    const bool known = std::string_view(damage).starts_with("UPDATE known");
    EXPECT_EQ(cache.findObject("k")->has_value(), !objects);
    EXPECT_FALSE(cache.findObject("j")->has_value());
    EXPECT_EQ(cache.find("k")->has_value(), !known);
    EXPECT_EQ(cache.findNote("k")->has_value(), objects || known);
    keep();
    EXPECT_TRUE(cache.findObject("k")->has_value() && cache.find("k")->has_value() &&
                cache.findNote("k")->has_value());
  }
  // A shorter search does not replace a longer one, but what is left of a damaged one.
  Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kWrite);
  ASSERT_TRUE(database.run("UPDATE known_v3 SET seconds = 1e6"));
  ASSERT_TRUE(cache.store("k", {"short", 100, 95, 0.2}));
  EXPECT_EQ((*cache.find("k"))->order, "short");
}

TEST(BuildCacheTest, TheLongerSearchStays) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), kMany);
  ASSERT_TRUE(cache.store("k", {"long", 100, 80, 5}));
  ASSERT_TRUE(cache.store("k", {"short", 100, 90, 0.2}));
  EXPECT_EQ((*cache.find("k"))->order, "long");
  ASSERT_TRUE(cache.store("k", {"again", 100, 85, 5}));
  EXPECT_EQ((*cache.find("k"))->order, "again");
}

TEST(BuildCacheTest, ObjectsUnusedLongestGo) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1000);
  for (int i = 0; i < 8; ++i) ASSERT_TRUE(cache.storeObject(std::to_string(i), std::string(120, 'x')));
  {
    Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kWrite);
    ASSERT_TRUE(database.run("UPDATE object_v2 SET used = used - 10000 * (10 - key)"));
  }
  EXPECT_TRUE(cache.findObject("0")->has_value());  // now the latest
  ASSERT_TRUE(cache.storeObject("new", std::string(120, 'x')));
  EXPECT_TRUE(cache.findObject("0")->has_value());
  EXPECT_TRUE(cache.findObject("new")->has_value());
  EXPECT_TRUE(cache.findObject("7")->has_value());
  EXPECT_FALSE(cache.findObject("1")->has_value());
  EXPECT_FALSE(cache.findObject("2")->has_value());
}

TEST(BuildCacheTest, AFileThatIsNoneIsSetAside) {
  const TempDir dir = *TempDir::create();
  std::ofstream(dir.path() / "builds.sqlite") << std::string(5000, 'x');
  Result<Cache> cache = Cache::open(dir.path(), kMany);
  ASSERT_TRUE(cache) << cache.error().message;
  EXPECT_TRUE(cache->store("k", {}));
  EXPECT_EQ(readFile(dir.path() / "builds.sqlite.broken")->size(), 5000u);
}

TEST(BuildCacheTest, AFolderThatCannotBeIsUnavailable) {
  const TempDir dir = *TempDir::create();
  std::ofstream(dir.path() / "file") << "x";
  EXPECT_EQ(Cache::open(dir.path() / "file", kMany).error().code, ErrorCode::kUnavailable);
}

TEST(BuildCacheTest, WhoIsKilledWhileWritingLeavesItWhole) {
  const TempDir dir = *TempDir::create();
  {
    Cache cache = *Cache::open(dir.path(), kMany);
  }
  std::vector<pid_t> writers;
  for (int w = 0; w < 4; ++w) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      Cache cache = *Cache::open(dir.path(), kMany);
      for (int i = 0;; ++i) {
        const std::string key = std::to_string(w) + "-" + std::to_string(i % 50);
        if (!cache.storeObject(key, std::string(3000, static_cast<char>('a' + w)))) ::_exit(1);
      }
    }
    writers.push_back(pid);
  }
  {
    Cache cache = *Cache::open(dir.path(), kMany);
    for (const char* first : {"0-0", "1-0", "2-0", "3-0"})  // all of them are at it
      fakes::eventually([&] { return cache.findObject(first)->has_value(); });
  }
  for (const pid_t pid : writers) {
    ::kill(pid, SIGKILL);
    int status = 0;
    ::waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status));  // none had failed before
  }
  Cache cache = *Cache::open(dir.path(), kMany);
  EXPECT_EQ(**cache.findObject("0-0"), std::string(3000, 'a'));
  Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kRead);
  Statement check = *database.prepare("PRAGMA integrity_check");
  ASSERT_TRUE(*check.row());
  EXPECT_EQ(check.text(0), "ok");
}

}  // namespace
}  // namespace ordo::builds
