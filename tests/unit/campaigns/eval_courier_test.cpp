#include "campaigns/eval_courier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::campaigns {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Key;

class FilesOfTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::current_path(dir_.path());
    for (const char* folder : {"src/in", "p", "below"}) std::filesystem::create_directories(folder);
  }
  void TearDown() override { std::filesystem::current_path(before_); }

  const std::filesystem::path before_ = std::filesystem::current_path();
  TempDir dir_ = *TempDir::create();
  bool store_ = false;
};

TEST_F(FilesOfTest, ASourceTakesItsHeadersAlong) {
  ASSERT_TRUE(writeFile("src/a.c", "int a;"));
  ASSERT_TRUE(writeFile("src/in/a.h", ""));
  ASSERT_TRUE(writeFile("src/secret.txt", ""));
  const auto files = filesOf("src/a.c", store_);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, ElementsAre(Key("src/a.c"), Key("src/in/a.h")));
  EXPECT_FALSE(store_);
}

TEST_F(FilesOfTest, AFolderThatIsAProgramTravelsWhole) {
  ASSERT_TRUE(writeFile("p/program.toml",
                        "format = 1\nname = \"p\"\nsummary = \"x\"\nlanguage = \"c\"\nsource = \"a.c\"\n"
                        "cflags = []\nldflags = []\n"));
  ASSERT_TRUE(writeFile("p/a.c", "int main(void) { return 0; }"));
  const auto files = filesOf("p", store_);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, ElementsAre(Key("p/a.c"), Key("p/program.toml")));
}

TEST_F(FilesOfTest, WhatLiesOutsideHasToBeShared) {
  ASSERT_TRUE(writeFile("x.ll", "define void @f() {\n  ret void\n}\n"));
  const std::string absolute = (dir_.path() / "x.ll").string();
  const auto files = filesOf(absolute, store_);
  ASSERT_TRUE(files) << files.error().message;
  EXPECT_THAT(*files, ElementsAre(Key(absolute)));
  std::filesystem::current_path("below");
  EXPECT_THAT(filesOf("../x.ll", store_).error().message, HasSubstr("under this folder"));
}

}  // namespace
}  // namespace ordo::campaigns
