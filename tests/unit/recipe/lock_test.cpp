#include "recipe/lock.h"

#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/json.h"
#include "support/rng.h"

namespace ordo::recipe {
namespace {

LockedFile file(const std::string& source, std::uint64_t module) {
  return {source, {0, module}, "text_bytes", 100, 90, {{{"a", notation::kPipeline, "globaldce"}}, {}}};
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

TEST(LockTest, OneModuleIsMadeInSeveralWays) {
  LockedFile plain = file("a.c", 1), sections = file("a.c", 1);
  plain.flags = {"-Oz"};
  sections.flags = {"-Oz", "-ffunction-sections"};
  const Result<Lock> lock = parseLock(writeLock({{sections, plain, file("b.c", 2)}}), "ordo.lock");
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_EQ(lock->find({0, 1}, {"-Oz"})->flags, plain.flags);
  EXPECT_EQ(lock->find({0, 1}, {"-Oz", "-ffunction-sections"})->flags, sections.flags);
  EXPECT_EQ(lock->find({0, 1}, {"-Os"}), nullptr);
  // Of format 2 nobody knows.
  EXPECT_EQ(lock->find({0, 2}, {"-Os"})->source, "b.c");
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
  EXPECT_EQ(parseLock(R"({"format": 4, "files": []})", "x").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(parseLock(R"({"format": 0, "files": []})", "x").error().code, ErrorCode::kCorrupt);
}

TEST(LockTest, TheFirstFormatHasNoChecksums) {
  Json json = *parseJson(writeLock({{file("a.c", 1)}}), "ordo.lock");
  json["format"] = 1;
  json["files"][0].erase("checksum");
  EXPECT_TRUE(parseLock(json.dump(), "ordo.lock"));
  json["format"] = 2;
  EXPECT_EQ(parseLock(json.dump(), "ordo.lock").error().code, ErrorCode::kCorrupt);
}

// Each file has its own, so what one branch locked can be merged into another.
TEST(LockTest, FilesOfTwoLocksMakeOne) {
  Json one = *parseJson(writeLock({{file("a.c", 1)}}), "1");
  const Json two = *parseJson(writeLock({{file("b.c", 2)}}), "2");
  one["files"].push_back(two["files"][0]);
  EXPECT_EQ(parseLock(one.dump(1), "ordo.lock")->files.size(), 2u);
}

TEST(LockTest, DamageIsFoundOrDidNoHarm) {
  const std::string whole = writeLock({{file("a.c", 1), file("b.c", 2)}});
  Rng rng(5);
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    std::string text = whole;
    if (rng.chance(0.1)) text.resize(rng.below(text.size()));
    for (std::uint64_t flips = rng.below(4); flips > 0 && !text.empty(); --flips) {
      char& byte = text[rng.below(text.size())];
      byte = static_cast<char>(byte ^ (1 << rng.below(8)));
    }
    if (const Result<Lock> lock = parseLock(text, "ordo.lock")) {
      EXPECT_EQ(writeLock(*lock), whole) << text;
    } else {
      ++found;
      const bool newer = text.find("\"format\": 3,") == text.npos;
      EXPECT_TRUE(lock.error().code == ErrorCode::kCorrupt ||
                  (lock.error().code == ErrorCode::kUnsupported && newer))
          << lock.error().message;
    }
  }
  EXPECT_GT(found, 1000);
}

TEST(LockTest, NoPassesAreNotTheCompilersOwn) {
  LockedFile none = file("a.c", 1), own = file("b.c", 2);
  none.order = {{}, R"({"codegen_level":2})"};
  own.order = {};
  const std::string text = writeLock({{none, own}});
  const Result<Lock> lock = parseLock(text, "ordo.lock");
  ASSERT_TRUE(lock) << lock.error().message;
  EXPECT_FALSE(lock->files[0].order.none());
  EXPECT_TRUE(lock->files[1].order.none());
  // Who wrote an older one meant the compiler's own by both.
  std::string old = text;
  old.replace(old.find("\"format\": 3"), 11, "\"format\": 2");
  const Result<Lock> read = parseLock(old, "ordo.lock");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_TRUE(read->files[0].order.none());
}

}  // namespace
}  // namespace ordo::recipe
