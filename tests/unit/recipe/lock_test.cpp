#include "recipe/lock.h"

#include <gtest/gtest.h>

namespace ordo::recipe {
namespace {

LockedFile file(const std::string& source, std::uint64_t module) {
  return {source, {0, module}, "text_bytes", 100, 90, {{{"a", env::ActionKind::kPipeline, "globaldce"}}, {}}};
}

TEST(LockTest, ALockIsReadAsItWasWrittenAndOrderedBySource) {
  const std::string text = writeLock({{file("b.c", 2), file("a.c", 3), file("a.c", 1)}});
  const Result<Lock> lock = parseLock(text, "ordo.lock");
  ASSERT_TRUE(lock) << lock.error().message;
  ASSERT_EQ(lock->files.size(), 3u);
  EXPECT_EQ(lock->files[0].module, (Hash128{0, 1}));
  EXPECT_EQ(lock->files[2].source, "b.c");
  EXPECT_EQ(lock->files[2].order.actions[0].text, "globaldce");
  EXPECT_EQ(lock->files[2].tuned, 90);
  EXPECT_EQ(writeLock(*lock), text);
}

TEST(LockTest, ModulesAreFoundByTheirHash) {
  const Lock lock{{file("a.c", 1), file("b.c", 2)}};
  EXPECT_EQ(lock.find({0, 2})->source, "b.c");
  EXPECT_EQ(lock.find({0, 3}), nullptr);
}

TEST(LockTest, WhatIsNoLockNamesItsFault) {
  const std::string text = writeLock({{file("a.c", 1)}});
  for (const auto& [from, to] :
       {std::pair("source", "sourcE"), {"0000000001", "x"}, {"\"globaldce\"", "1"}}) {
    std::string changed = text;
    changed.replace(changed.find(from), std::string(from).size(), to);
    const Result<Lock> lock = parseLock(changed, "ordo.lock");
    ASSERT_FALSE(lock) << changed;
    EXPECT_EQ(lock.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(lock.error().message.find("ordo.lock"), std::string::npos);
  }
  EXPECT_EQ(parseLock(R"({"format": 2, "files": []})", "x").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::recipe
