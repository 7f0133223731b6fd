#include "builds/invocation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

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

TEST(InvocationTest, AnotherNameOfClang22IsOurs) {
  const TempDir dir = *TempDir::create();
  std::filesystem::create_symlink(*findProgram({"clang-22"}), dir.path() / "clang");
  EXPECT_TRUE(parseInvocation({"ordo-launch", (dir.path() / "clang").string()}).ours);
}

}  // namespace
}  // namespace ordo::builds
