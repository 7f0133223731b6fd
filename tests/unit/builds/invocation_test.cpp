#include "builds/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/files.h"
#include "support/process.h"

namespace ordo::builds {
namespace {

using testing::ElementsAre;

TEST(InvocationTest, TheNameSaysTheLanguage) {
  EXPECT_THAT(parseInvocation({"/x/ordo-cc", "-c", "a.c"}).command, ElementsAre("clang-22", "-c", "a.c"));
  EXPECT_THAT(parseInvocation({"ordo-c++", "a"}).command, ElementsAre("clang++-22", "a"));
  const Invocation invocation = parseInvocation({"ordo-cc", "-c"});
  EXPECT_TRUE(invocation.ours);
  EXPECT_NE(invocation.compiler, "");
  EXPECT_THAT(invocation.arguments(), ElementsAre("-c"));
}

TEST(InvocationTest, ALauncherTakesTheCompilerAsItIs) {
  const Invocation other = parseInvocation({"ordo-launch", "/bin/true", "-c"});
  EXPECT_THAT(other.command, ElementsAre("/bin/true", "-c"));
  EXPECT_FALSE(other.ours);
  EXPECT_TRUE(parseInvocation({"ordo-launch", "clang++-22"}).ours);
  EXPECT_FALSE(parseInvocation({"ordo-launch", "no-such-compiler"}).ours);
  EXPECT_TRUE(parseInvocation({"ordo-launch"}).command.empty());
}

// As links of ccache are used: a folder of them comes first in PATH.
TEST(InvocationTest, LinksOfOursInPathAreNotTheCompiler) {
  const TempDir dir = *TempDir::create();
  std::ofstream(dir.path() / "ordo-cc") << "#!/bin/sh\n";
  std::filesystem::permissions(dir.path() / "ordo-cc", std::filesystem::perms::owner_all);
  for (const char* name : {"cc", "clang-22", "clang++-22"})
    std::filesystem::create_symlink(dir.path() / "ordo-cc", dir.path() / name);
  const std::string real = *findProgram({"clang-22"}), path = std::getenv("PATH");
  ::setenv("PATH", (dir.path().string() + ":" + path).c_str(), 1);
  for (const char* name : {"cc", "gcc", "clang-22", "ordo-cc"}) {
    const Invocation invocation = parseInvocation({name, "-c", "a.c"});
    EXPECT_EQ(invocation.program, real) << name;
    EXPECT_TRUE(invocation.ours) << name;
  }
  EXPECT_EQ(parseInvocation({"clang++-22", "a.cc"}).program, *findProgram({"clang++-22"}));
  EXPECT_EQ(parseInvocation({"g++", "a.cc"}).command[0], *findProgram({"clang++-22"}));
  ::setenv("PATH", path.c_str(), 1);
}

TEST(InvocationTest, AnotherFileLibraryOrConfigurationIsAnotherCompiler) {
  const TempDir dir = *TempDir::create();
  const std::string clang = dir.path() / "clang", library = dir.path() / "libLLVM.so";
  for (const std::string& file : {clang, library}) ASSERT_TRUE(writeFile(file, "old"));
  const std::string before = identityOf({clang, library});
  EXPECT_EQ(identityOf({clang, library}), before);
  EXPECT_NE(identityOf({clang}), before);
  ASSERT_TRUE(writeFile(library, "newer"));
  const std::string newer = identityOf({clang, library});
  EXPECT_NE(newer, before);
  ASSERT_TRUE(writeFile(dir.path() / "clang.cfg", "-g"));
  EXPECT_NE(identityOf({clang, library}), newer);
}

TEST(InvocationTest, WhatADriverIsCalledMaySayMoreThanItsOptions) {
  for (const char* name : {"clang-22", "/usr/lib/llvm-22/bin/clang", "clang++-22", "/usr/bin/cc", "c++"})
    EXPECT_THAT(*argumentsTold({name, "-fpass-plugin=x", "-c", "a.c"}, "-fpass-plugin=x"),
                ElementsAre("-c", "a.c"));
  for (const char* name : {"aarch64-linux-gnu-clang", "clang-cl", "clang-cpp", "i386-clang-22", ""})
    EXPECT_EQ(argumentsTold({name, "-c"}, "x").error().code, ErrorCode::kUnsupported) << name;
  EXPECT_FALSE(argumentsTold({}, "x"));
}

TEST(InvocationTest, AnotherNameOfClang22IsOurs) {
  const TempDir dir = *TempDir::create();
  std::filesystem::create_symlink(*findProgram({"clang-22"}), dir.path() / "clang");
  EXPECT_TRUE(parseInvocation({"ordo-launch", (dir.path() / "clang").string()}).ours);
}

}  // namespace
}  // namespace ordo::builds
