#include "datasets/harvest_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::datasets {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class HarvestStoreTest : public testing::Test {
 protected:
  static PackageRecord sample() {
    PackageRecord record;
    record.package = "zlib";
    record.version = "1:1.2";
    record.recipe = hashBytes("recipe").hex();
    record.licence = "Zlib";
    record.builder = "configure";
    record.notes = {"a note"};
    record.modules = {{"a.c", hashBytes("a"), "c", {"-DX=\"1\""}}, {"dir/b.c@2", hashBytes("b"), "c++", {}}};
    record.failures = {{"c.c", "does not compile"}};
    record.seconds = 1.5;
    return record;
  }

  TempDir dir_ = *TempDir::create();
  HarvestStore store_{dir_.path() / "store"};
};

TEST_F(HarvestStoreTest, ARecordIsReadAsItWasWritten) {
  ASSERT_TRUE(store_.prepare());
  ASSERT_TRUE(store_.addRecord(sample()));
  EXPECT_THAT(store_.packages(), ElementsAre("zlib"));
  const auto read = store_.record("zlib");
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(writePackageRecord(*read), writePackageRecord(sample()));
}

TEST_F(HarvestStoreTest, ModulesAreFoundByUri) {
  ASSERT_TRUE(store_.prepare());
  ASSERT_TRUE(store_.addRecord(sample()));
  ASSERT_TRUE(store_.addModule(hashBytes("b"), "b"));
  const auto path = store_.find("debian/zlib/dir/b.c@2");
  ASSERT_TRUE(path) << path.error().message;
  EXPECT_EQ(*readFile(*path), "b");
  EXPECT_EQ(*store_.find("zlib/dir/b.c@2"), *path);
  EXPECT_THAT(store_.find("debian/zlib/x.c").error().message, HasSubstr("no module x.c"));
  EXPECT_THAT(store_.find("debian/xz/x.c").error().message, HasSubstr("ordo dataset harvest xz"));
  EXPECT_EQ(store_.find("debian/zlib").error().code, ErrorCode::kInvalidArgument);
}

TEST_F(HarvestStoreTest, ListsBySplitOfTheManifest) {
  ASSERT_TRUE(store_.prepare());
  ASSERT_TRUE(store_.addRecord(sample()));
  HarvestManifest manifest;
  EXPECT_THAT(*store_.list(manifest, Split::kAll), ElementsAre("debian/zlib/a.c", "debian/zlib/dir/b.c@2"));
  HarvestPackage zlib;
  zlib.name = "zlib";
  zlib.split = Split::kTest;
  manifest.packages.push_back(zlib);
  EXPECT_THAT(*store_.list(manifest, Split::kTest), ElementsAre("debian/zlib/a.c", "debian/zlib/dir/b.c@2"));
  EXPECT_THAT(*store_.list(manifest, Split::kTrain), IsEmpty());
}

TEST_F(HarvestStoreTest, NoStoreHasNoPackages) { EXPECT_THAT(store_.packages(), IsEmpty()); }

TEST_F(HarvestStoreTest, BrokenRecordsAreRefused) {
  const std::string good = writePackageRecord(sample());
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = good;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_FALSE(parsePackageRecord(good.substr(0, good.size() / 2), "r"));
  EXPECT_EQ(parsePackageRecord(changed("\"format\": 1", "\"format\": 2"), "r").error().code,
            ErrorCode::kUnsupported);
  EXPECT_THAT(parsePackageRecord(changed(hashBytes("a").hex(), "xyz"), "r").error().message,
              HasSubstr("not a hash"));
  EXPECT_FALSE(parsePackageRecord(changed("\"licence\"", "\"license\""), "r"));
}

}  // namespace
}  // namespace ordo::datasets
