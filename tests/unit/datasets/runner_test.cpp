#include "datasets/runner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "datasets/tests.h"
#include "support/files.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;

// With a PATH in which there is every qemu, as a script.
class RunnerTest : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"qemu-aarch64", "qemu-arm", "qemu-system-arm", "qemu-system-riscv32"})
      script(name, "");
    ::setenv("PATH", dir_.path().c_str(), 1);
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

  fs::path script(const std::string& name, std::string_view text) {
    const fs::path file = dir_.path() / name;
    EXPECT_TRUE(writeFile(file, fmt::format("#!/bin/sh\n{}\n", text)));
    fs::permissions(file, fs::perms::owner_all);
    return file;
  }

  const std::string path_ = std::getenv("PATH");
  TempDir dir_ = *TempDir::create();
};

TEST_F(RunnerTest, LinuxProgramsRunUnderThisSystem) {
  const std::string here = dir_.path().string();
  EXPECT_THAT(emulatorFor("aarch64-unknown-linux-gnu", "").words,
              ElementsAre(here + "/qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"));
  EXPECT_THAT(emulatorFor("arm64-linux-gnu", "").words,
              ElementsAre(here + "/qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"));
  EXPECT_THAT(emulatorFor("armv7-unknown-linux-gnueabihf", "").words,
              ElementsAre(here + "/qemu-arm", "-L", "/usr/arm-linux-gnueabihf"));
  EXPECT_THAT(emulatorFor("thumbv7-unknown-linux-gnueabi", "").words,
              ElementsAre(here + "/qemu-arm", "-L", "/usr/arm-linux-gnueabi"));
}

TEST_F(RunnerTest, ImagesBootOnTheMachineThatIsNamed) {
  const std::vector<std::string> words = emulatorFor("thumbv7em-unknown-none-eabi", "mps2-an386").words;
  ASSERT_GT(words.size(), 3U);
  EXPECT_EQ(fs::path(words[0]).filename(), "qemu-system-arm");
  EXPECT_EQ(words[2], "mps2-an386");
  EXPECT_EQ(words.back(), "-kernel");
  EXPECT_THAT(emulatorFor("riscv32-unknown-unknown-elf", "virt").words, Contains("-bios"));
}

TEST_F(RunnerTest, WhatNothingRunsIsSaidWithARemedy) {
  EXPECT_THAT(emulatorFor("thumbv7em-none-eabi", "").missing, HasSubstr("'machine' in its program.toml"));
  EXPECT_THAT(emulatorFor("riscv64-unknown-linux-gnu", "").missing, HasSubstr("Debian: qemu-user"));
  EXPECT_THAT(emulatorFor("riscv64-unknown-elf", "virt").missing, HasSubstr("Debian: qemu-system-misc"));
  for (const char* triple :
       {"powerpc64-linux-gnu", "aarch64_be-linux-gnu", "armeb-linux-gnueabi", "wasm32", ""})
    EXPECT_THAT(emulatorFor(triple, "").missing, HasSubstr("nothing here runs code for")) << triple;
}

TEST_F(RunnerTest, ATestIsRunByIt) {
  const fs::path emulator = script("emulator", "echo \"$@\"; exit 3"), program = script("program", "echo no");
  ASSERT_TRUE(writeFile(dir_.path() / "out", fmt::format("-x {} an argument\n", program.string())));
  Program described;
  described.dir = dir_.path();
  described.runner.words = {emulator.string(), "-x"};
  described.tests = {{.name = "only", .args = {"an argument"}, .input = {}, .expected = "out", .exit = 3}};
  const Result<TestReport> report = runTests(described, program);
  ASSERT_TRUE(report) << report.error().message;
  EXPECT_TRUE(report->passed()) << report->summary();
}

}  // namespace
}  // namespace ordo::datasets
