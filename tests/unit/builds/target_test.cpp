#include "builds/target.h"

#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::builds {
namespace {

Task withFlags(std::vector<std::string> flags) {
  Task task{"a.c", "c", "a.o"};
  task.flags = std::move(flags);
  return task;
}

TEST(TargetTest, WhatTheDriverSaidIsAskedOnce) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1 << 20);
  const Task task = withFlags({"-fPIC", "-ffunction-sections"});
  const Result<Target> first = targetOf(&cache, task, "one clang");
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_TRUE(first->codegen.function_sections);
  EXPECT_NE(first->pipeline.text, "");
  // Another answer in its place is believed: nobody asked again.
  Database database = *Database::open(dir.path() / "builds.sqlite", Database::Access::kWrite);
  Target changed = *first;
  changed.pipeline.text = "other";
  Result<Statement> keys = database.prepare("SELECT key FROM target_v3");
  ASSERT_TRUE(keys && *keys->row());
  ASSERT_TRUE(cache.storeNote(keys->text(0), writeTarget(changed)));
  EXPECT_EQ(targetOf(&cache, task, "one clang")->pipeline.text, "other");
  EXPECT_EQ(targetOf(&cache, task, "another clang")->pipeline.text, first->pipeline.text);
}

TEST(TargetTest, CodeForOtherMachinesIsUnsupported) {
  for (const char* flag :
       {"-m32", "-mx32", "--target=armebv7-linux-gnueabi", "--target=x86_64-pc-windows-msvc",
        "--target=wasm32-unknown-unknown", "--target=mips64el-linux-gnuabi64"}) {
    const Result<Target> target = targetOf(nullptr, withFlags({flag}), "clang");
    ASSERT_FALSE(target) << flag;
    EXPECT_EQ(target.error().code, ErrorCode::kUnsupported) << flag << ": " << target.error().message;
  }
  for (const char* flag : {"-m64", "--target=aarch64-linux-gnu", "--target=thumbv7em-none-eabi",
                           "--target=armv7a-linux-gnueabihf", "--target=riscv32-unknown-elf"})
    EXPECT_TRUE(targetOf(nullptr, withFlags({flag}), "clang")) << flag;
}

TEST(TargetTest, ATargetIsReadAsItWasWritten) {
  const Target target{
      {"passes", {"-x"}},
      {"triple", "static", "large", true, true, "cpu", "+a", "abi", "soft", true, {"-y"}, {"-z"}}};
  const Result<Target> read = readTarget(writeTarget(target));
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(writeTarget(*read), writeTarget(target));
  EXPECT_EQ(readTarget("{}").error().code, ErrorCode::kCorrupt);
}

TEST(TargetTest, CodeThatIsMadeInOtherWaysIsUnsupported) {
  const TempDir dir = *TempDir::create();
  Cache cache = *Cache::open(dir.path(), 1 << 20);
  for (const char* flag : {"-femulated-tls", "-fbasic-block-sections=all"}) {
    EXPECT_EQ(targetOf(&cache, withFlags({flag}), "clang").error().code, ErrorCode::kUnsupported) << flag;
    EXPECT_EQ(targetOf(&cache, withFlags({flag}), "clang").error().code, ErrorCode::kUnsupported) << flag;
  }
}

}  // namespace
}  // namespace ordo::builds
