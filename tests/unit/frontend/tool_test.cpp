#include "frontend/tool.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "support/files.h"

namespace ordo::frontend {
namespace {

using testing::HasSubstr;

TEST(ToolTest, ReturnsWhatTheToolSays) {
  const auto run = runTool({{"clang-22", "--version"}, "", {}, "nothing"});
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_THAT(run->out, HasSubstr("version 22."));
}

TEST(ToolTest, AMissingToolNamesItsPackage) {
  const auto run = runTool({{"clang-of-nobody-22"}, "", {}, "a.c"});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kNotFound);
  EXPECT_THAT(run.error().message, HasSubstr("apt-get install clang-22"));
}

TEST(ToolTest, AFailureCarriesTheWordsOfTheTool) {
  const auto run = runTool({{"clang-22", "-x", "c", "-c", "-", "-o", "-"}, "int x = ;", {}, "a.c"});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(run.error().message, HasSubstr("clang-22 rejected a.c:"));
  EXPECT_THAT(run.error().message, HasSubstr("expected expression"));
}

TEST(ToolTest, AFullDiskIsNotTheFaultOfWhatIsCompiled) {
  const auto run = runTool({{"clang-22", "-x", "c", "-S", "-", "-o", "/dev/full"}, "int x = 1;", {}, "a.c"});
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kUnavailable) << run.error().message;
  EXPECT_THAT(run.error().message, HasSubstr("No space left on device"));
}

TEST(ToolTest, AToolThatSaysNothingIsSaidToSayNothing) {
  const TempDir dir = TempDir::create().value();
  const std::filesystem::path mute = dir.path() / "mute-22";
  ASSERT_TRUE(writeFile(mute, "#!/bin/sh\nexit 3\n"));
  std::filesystem::permissions(mute, std::filesystem::perms::owner_all);
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", (dir.path().string() + ":" + path).c_str(), 1);
  const auto run = runTool({{"mute-22"}, "", {}, "a.c"});
  ::setenv("PATH", path.c_str(), 1);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().message, "mute-22 rejected a.c and did not say why: it exited with status 3");
}

// A batch system signals the compiler's own helpers too.
TEST(ToolTest, ALinkerThatSomebodyElseEndsIsStartedAnew) {
  const TempDir dir = TempDir::create().value();
  const std::filesystem::path linker = dir.path() / "ld";
  ASSERT_TRUE(writeFile(linker, "#!/bin/sh\ncd " + dir.path().string() +
                                    "\n[ -e seen ] && exec touch linked\ntouch seen\nkill -KILL $$\n"));
  std::filesystem::permissions(linker, std::filesystem::perms::owner_all);
  const auto run = runTool({{"clang-22", "-x", "c", "-", "-o", "/dev/null", "--ld-path=" + linker.string()},
                            "int main(void) { return 0; }",
                            {},
                            "a.c"});
  EXPECT_TRUE(run) << run.error().message;
  EXPECT_TRUE(std::filesystem::exists(dir.path() / "linked"));
}

}  // namespace
}  // namespace ordo::frontend
