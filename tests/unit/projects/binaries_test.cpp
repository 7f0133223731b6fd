#include "projects/binaries.h"

#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::projects {
namespace {

namespace fs = std::filesystem;

TEST(BinariesTest, WhatWasLinkedLatelyIsFound) {
  const TempDir dir = *TempDir::create();
  const fs::path top = dir.path();
  for (const char* folder : {"bin", ".git"}) fs::create_directory(top / folder);
  ASSERT_TRUE(writeFile(top / "a.c", "int main(void) { return 0; }\n"));
  const auto compile = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"clang-22", (top / "a.c").string()});
    const auto run = runProcess(arguments);
    ASSERT_TRUE(run && run->ok()) << run->err;
  };
  // Another build's, a moment ago.
  compile({"-o", (top / "bin" / "other").string()});
  compile({"-o", (top / "bin" / "a").string()});
  const Stamps before = stampsIn(top);
  EXPECT_EQ(before.size(), 2U);
  EXPECT_TRUE(linkedIn(top, before).empty());
  compile({"-o", (top / "bin" / "a").string()});
  compile({"-shared", "-o", (top / "a.so").string()});
  compile({"-c", "-o", (top / "a.o").string()});
  fs::copy(top / "a.so", top / ".git" / "hidden.so");
  fs::create_symlink("a.so", top / "link.so");

  const auto linked = linkedIn(top, before);
  ASSERT_EQ(linked.size(), 2u);
  ASSERT_TRUE(linked.contains(top / "a.so"));
  const auto size = runProcess({"llvm-size-22", (top / "bin" / "a").string()});
  EXPECT_EQ(linked.at(top / "bin" / "a").text, std::stoul(size->out.substr(size->out.find('\n') + 1)));
  EXPECT_TRUE(linkedIn(top / "none", {}).empty());
  EXPECT_EQ(linkedIn(top, {}).size(), 3U);
}

TEST(BinariesTest, ALargerFileIsExplained) {
  EXPECT_EQ(whyLarger("prog", 100, 100, true), "");
  EXPECT_EQ(whyLarger("prog", 100, 90, false), "");
  const std::string as_one = whyLarger("prog", 1000, 1400, true),
                    by_files = whyLarger("prog", 1000, 1001, false);
  EXPECT_NE(as_one.find("prog has 400 bytes"), std::string::npos) << as_one;
  EXPECT_NE(as_one.find("--linked"), std::string::npos) << as_one;
  EXPECT_NE(by_files.find("linker"), std::string::npos) << by_files;
}

}  // namespace
}  // namespace ordo::projects
