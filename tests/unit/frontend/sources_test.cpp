#include "frontend/sources.h"

#include <gtest/gtest.h>

#include <vector>

namespace ordo::frontend {
namespace {

TEST(SourcesTest, SuffixesSayTheLanguage) {
  EXPECT_EQ(languageOf("dir.cc/a.c"), "c");
  for (const char* name : {"a.cc", "a.cpp", "a.cxx", "a.C", "a.CPP", "a.c++", "a.cp", "a.CC"})
    EXPECT_EQ(languageOf(name), "c++") << name;
  for (const char* name : {"a.s", "a.S", "a.o", "a", "", ".c", "a.h", "a.ll"})
    EXPECT_EQ(languageOf(name), "") << name;
}

TEST(SourcesTest, WhatIsTriedOutIsNobodysProgram) {
  for (const char* name :
       {"conftest.c", "x/_conftest.c", "/tmp/tmp.TRGViM6kIg.c", "/x/CMakeFiles/CMakeTmp/a.c",
        "CMakeFiles/3.25.1/CompilerIdC/CMakeCCompilerId.c", "CMakeFiles/a.c"})
    EXPECT_TRUE(isProbe(name)) << name;
  for (const char* name : {"CMakeFiles/all.dir/Unity/unity_0_cxx.cxx", "/b/CMakeFiles/all.dir/cmake_pch.cxx",
                           "src/a.c", "tmp.c", "CMakeFiles"})
    EXPECT_FALSE(isProbe(name)) << name;
}

TEST(SourcesTest, SomeArgumentsMeanThatThereIsNoObject) {
  const auto first = [](std::vector<std::string> words) { return makesNoObject(readArgument(words)); };
  for (const char* word : {"-E", "-S", "--assemble", "--preprocess", "-MM", "--version", "-###", "--help"})
    EXPECT_TRUE(first({word})) << word;
  for (const char* word : {"-c", "a.c", "-MD", "-no-such-option", "-v"}) EXPECT_FALSE(first({word})) << word;
}

}  // namespace
}  // namespace ordo::frontend
