#include "builds/object.h"

#include <gtest/gtest.h>

#include "frontend/opt.h"
#include "support/process.h"

namespace ordo::builds {
namespace {

std::string compiled(const std::string& source, const std::string& flag) {
  ProcessOptions options;
  options.input = source;
  const auto run = runProcess({"clang-22", "-Oz", flag, "-x", "c", "-c", "-", "-o", "-"}, options);
  EXPECT_TRUE(run && run->ok()) << run->err;
  return run->out;
}

TEST(ObjectTest, TextIsWhatLlvmSizeSays) {
  const std::string source =
      "int data = 3; static char bss[999]; extern int puts(const char*);\n"
      "const int table[] = {1, 2, 3};\n"
      "int f(int x) { bss[x] = 1; return puts(\"some text\") + table[x] + data; }\n"
      "int g(int x) { return f(x) * 3; }\n";
  for (const char* flag : {"-fPIC", "-g", "-ffunction-sections", "--target=aarch64-linux-gnu",
                           "--target=thumbv7em-none-eabi", "--target=riscv32-unknown-elf"}) {
    const std::string object = compiled(source, flag);
    EXPECT_EQ(bytesOf(object)->text, *frontend::textSize(object)) << flag;
    EXPECT_GT(bytesOf(object)->code, 0U) << flag;
    EXPECT_LE(bytesOf(object)->code + 12, bytesOf(object)->text) << flag << ": without the table";
  }
}

TEST(ObjectTest, MoreSectionsThanFitAreCounted) {
  std::string source;
  for (int i = 0; i < 66'000; ++i) source += "const int d" + std::to_string(i) + " = 1;\n";
  const std::string object = compiled(source, "-fdata-sections");
  EXPECT_EQ(bytesOf(object)->text, *frontend::textSize(object));
  EXPECT_EQ(bytesOf(object)->code, 0U);
}

TEST(ObjectTest, WhatIsNoObjectIsRefused) {
  const std::string object = compiled("int x;", "-w");
  EXPECT_EQ(bytesOf("").error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(bytesOf(std::string(1000, 'x')).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(bytesOf(object.substr(0, object.size() - 70)).error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(bytesOf(object.substr(0, 64)).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::builds
