#include "builds/function_notes.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/sqlite.h"

namespace ordo::builds {
namespace {

TEST(FunctionNotesTest, AnotherBuildFindsWhatOneStored) {
  const TempDir dir = *TempDir::create();
  Cache one = *Cache::open(dir.path(), 1 << 20), other = *Cache::open(dir.path(), 1 << 20);
  std::mutex mutex;
  FunctionNotes here(one), there(other, &mutex);
  EXPECT_FALSE(*here.find("key"));
  const tune::RememberedFunction function{"-minsize,sroa", 12};
  ASSERT_TRUE(here.store("key", function));
  EXPECT_EQ(**there.find("key"), function);
  ASSERT_TRUE(there.store("key", {"", 0}));
  EXPECT_EQ((*here.find("key"))->best, "");
  EXPECT_FALSE(*here.find("kez"));
  EXPECT_FALSE(*one.findNote("key")) << "notes of others have keys of their own";
}

TEST(FunctionNotesTest, WhatIsNoNoteIsNothing) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1 << 20);
  FunctionNotes notes(cache);
  for (const char* text : {"", "1", "{}", R"({"best": 1, "saves": 2})", R"({"best": "sroa", "saves": -1})"}) {
    ASSERT_TRUE(notes.store("key", {"sroa", 1}));
    ASSERT_TRUE(*notes.find("key"));
    // The row as it would be, had somebody else written it.
    Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kWrite);
    Statement select = *database.prepare("SELECT key FROM target_v3");
    ASSERT_TRUE(*select.row());
    ASSERT_TRUE(cache.storeNote(select.text(0), text));
    const auto found = notes.find("key");
    ASSERT_TRUE(found) << text;
    EXPECT_FALSE(*found) << text;
  }
}

}  // namespace
}  // namespace ordo::builds
