#include "builds/command.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::builds {
namespace {

using testing::ElementsAre;

TEST(CommandTest, ACommandIsReadWordByWord) {
  const Command command = readCommand(
      {"-I", "inc", "-fPIC", "-Os", "-march=native", "-MF", "b.c", "-c", "a.cc", "-o", "out/a.o"});
  EXPECT_TRUE(command.compiles);
  EXPECT_THAT(command.inputs, ElementsAre("a.cc"));
  EXPECT_EQ(command.language, "c++");
  EXPECT_EQ(command.object, "out/a.o");
  EXPECT_EQ(command.level, frontend::Level::kOs);
  EXPECT_THAT(command.code, ElementsAre("-fPIC", "-march=native"));
  EXPECT_EQ(command.foreign, "");
}

TEST(CommandTest, TheFirstWordThatIsNotUnderstoodIsNamed) {
  EXPECT_EQ(readCommand({"-c", "a.c", "-Xclang", "-x", "-emit-llvm"}).foreign, "-Xclang");
  EXPECT_EQ(readCommand({"-c", "-"}).foreign, "-");
  EXPECT_EQ(readCommand({"-c", "a.c", "@more"}).foreign, "@more");
  EXPECT_EQ(readCommand({"-c", "a.c", "-o", "@more"}).foreign, "@more") << "clang reads it there, too";
}

TEST(CommandTest, LanguagesAreForInputsAfterThem) {
  EXPECT_EQ(readCommand({"-c", "a.c", "-x", "c++"}).language, "c");
  EXPECT_EQ(readCommand({"-x", "c++", "-c", "a.c"}).language, "c++");
}

TEST(CommandTest, WhatEndsEarlierMakesNoObject) {
  EXPECT_FALSE(readCommand({"-c", "-E", "a.c"}).compiles);
  EXPECT_FALSE(readCommand({"-c", "-fsyntax-only", "a.c"}).compiles);
  EXPECT_FALSE(readCommand({"a.c"}).compiles);
}

}  // namespace
}  // namespace ordo::builds
