#include "campaigns/parcel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;
using testing::Pair;

class ParcelTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::current_path(dir_.path());
    for (const char* folder : {"src/in", "p", "below"}) std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  const std::filesystem::path before_ = std::filesystem::current_path();
  TempDir dir_ = *TempDir::create();
  cluster::Packet packet_;
};

TEST_F(ParcelTest, ASourceTakesItsHeadersAlong) {
  ASSERT_TRUE(writeFile("src/a.c", "int a;"));
  ASSERT_TRUE(writeFile("src/in/a.h", ""));
  ASSERT_TRUE(writeFile("src/secret.txt", ""));
  const Status added = addProgram("src/a.c", packet_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_THAT(packet_.inputs, ElementsAre(Key("src/a.c"), Key("src/in/a.h")));
  EXPECT_TRUE(packet_.environment.empty());
  EXPECT_THAT(packet_.arguments, ElementsAre("src/a.c"));
}

TEST_F(ParcelTest, AFolderThatIsAProgramTravelsWhole) {
  ASSERT_TRUE(writeFile("p/program.toml",
                        "format = 1\nname = \"p\"\nsummary = \"x\"\nlanguage = \"c\"\nsource = \"a.c\"\n"
                        "cflags = []\nldflags = []\n"));
  ASSERT_TRUE(writeFile("p/a.c", "int main(void) { return 0; }"));
  const Status added = addProgram("p", packet_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_THAT(packet_.inputs, ElementsAre(Key("p/a.c"), Key("p/program.toml")));
}

TEST_F(ParcelTest, WhatLiesOutsideHasToBeShared) {
  ASSERT_TRUE(writeFile("x.ll", "define void @f() {\n  ret void\n}\n"));
  const std::string absolute = (dir_.path() / "x.ll").string();
  const Status added = addProgram(absolute, packet_);
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_THAT(packet_.inputs, ElementsAre(Key(absolute)));
  std::filesystem::current_path("below");
  EXPECT_THAT(addProgram("../x.ll", packet_).error().message, HasSubstr("under this folder"));
}

TEST_F(ParcelTest, WhatWasLearnedTravelsByContent) {
  addLearned("size", {"k.json", ""}, packet_);
  EXPECT_THAT(packet_.arguments,
              ElementsAre("--space", "size", "--knowledge", "knowledge.json", "--policy", "none"));
  EXPECT_THAT(packet_.inputs, ElementsAre(Pair("knowledge.json", "k.json")));
}

}  // namespace
}  // namespace ordo::campaigns
