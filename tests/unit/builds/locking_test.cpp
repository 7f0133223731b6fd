#include "builds/locking.h"

#include <gtest/gtest.h>

#include "notation/action.h"
#include "notation/codegen.h"
#include "support/files.h"

namespace ordo::builds {
namespace {

LogLine lineOf(const std::string& source, const std::string& object, const std::string& key) {
  LogLine line;
  line.source = source;
  line.object = object;
  line.outcome = Outcome::kCached;
  line.objective = "text_bytes";
  line.tuned = 90;
  line.key = key;
  line.module = hashBytes(key).hex();
  return line;
}

TEST(LockingTest, NamesAreRelativeToTheLock) {
  EXPECT_EQ(lockedName("/p/ordo.lock", "/p/src/a.c"), "src/a.c");
  EXPECT_EQ(lockedName("/p/./x/../ordo.lock", "/p/b/../a.c"), "a.c");
  EXPECT_EQ(lockedName("ordo.lock", "a.c"), "a.c");
}

TEST(LockingTest, TheLatestCompilationOfEachObjectIsLocked) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1 << 20);
  const std::string order =
      recipe::writeOrder({{{"a", notation::kPipeline, "globaldce"}}, notation::write({})});
  ASSERT_TRUE(cache.store("new", {order, 100, 95, 1}));
  ASSERT_TRUE(cache.store("own", {"", 50, 50, 1}));
  LogLine plain;
  plain.source = "/p/plain.c";
  plain.object = "/p/plain.o";
  const auto lock = lockFrom({lineOf("/p/a.c", "/p/a.o", "old"), lineOf("/p/a.c", "/p/a.o", "new"),
                              lineOf("/p/b.c", "/p/b.o", "own"), lineOf("/q/c.c", "/p/c.o", "gone"), plain},
                             cache, "/p/ordo.lock");
  ASSERT_TRUE(lock) << lock.error().message;
  ASSERT_EQ(lock->files.size(), 2u);
  EXPECT_EQ(lock->files[0].source, "a.c");
  EXPECT_EQ(lock->files[0].module, hashBytes("new"));
  EXPECT_EQ(lock->files[0].order.actions.size(), 1u);
  EXPECT_EQ(lock->files[0].baseline, 100);
  EXPECT_EQ(lock->files[1].source, "b.c");
  EXPECT_TRUE(lock->files[1].order.actions.empty());
}

TEST(LockingTest, WhatTheCacheHasLostCannotBeLocked) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1 << 20);
  EXPECT_EQ(lockFrom({lineOf("/p/a.c", "/p/a.o", "gone")}, cache, "/p/l").error().code,
            ErrorCode::kUnavailable);
  EXPECT_EQ(lockFrom({}, cache, "/p/l").error().code, ErrorCode::kNotFound);
}

}  // namespace
}  // namespace ordo::builds
