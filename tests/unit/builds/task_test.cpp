#include "builds/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

namespace ordo::builds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Task> task(const std::string& line, const std::string& objective = "") {
  std::istringstream stream(line);
  return taskOf({std::istream_iterator<std::string>(stream), {}}, objective);
}

TEST(TaskTest, ACompilationForSizeIsATask) {
  const Result<Task> result = task(
      "-DX=1 -I inc -isystem sys -O2 -Wall -Wp,-DY -std=c11 -fPIC -Oz -MD -MF a.d -c dir/a.c -o out/a.o");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->source, "dir/a.c");
  EXPECT_EQ(result->language, "c");
  EXPECT_EQ(result->object, "out/a.o");
  EXPECT_EQ(result->level, frontend::Level::kOz);
  EXPECT_EQ(result->objective, "text_bytes");
  EXPECT_THAT(result->flags, ElementsAre("-fPIC"));
}

TEST(TaskTest, WhatBearsOnCodeStays) {
  EXPECT_THAT(task("-Os -ffunction-sections -g -Wa,--noexecstack -march=x86-64-v3 -c a.cc")->flags,
              ElementsAre("-ffunction-sections", "-g", "-Wa,--noexecstack", "-march=x86-64-v3"));
  EXPECT_EQ(task("-Os -c a.cc")->object, "a.o");
}

TEST(TaskTest, OtherLevelsNeedAnObjective) {
  EXPECT_THAT(task("-O2 -c a.c").error().message, HasSubstr("ORDO_OBJECTIVE"));
  EXPECT_EQ(task("-O2 -c a.c", "ir_instructions")->objective, "ir_instructions");
  EXPECT_FALSE(task("-c a.c", "text_bytes"));  // -O0
  EXPECT_FALSE(task("-Og -c a.c", "text_bytes"));
}

TEST(TaskTest, WhatIsNoCompilationIsNone) {
  for (const char* line :
       {"-Oz a.c -o a", "-Oz -E a.c", "-Oz -S a.c", "-Oz -M a.c", "-Oz -c a.s", "-Oz -c -", "-Oz -c a.c b.c",
        "-Oz -c @flags", "-### -Oz -c a.c", "--version", "-Oz -c conftest.c", "-Oz -fsyntax-only a.c", ""}) {
    EXPECT_FALSE(task(line)) << line;
  }
  EXPECT_FALSE(filesOf({"-Oz", "a.o", "-o", "a"}));
  EXPECT_EQ(filesOf({"-c", "a.c", "-o", "b.o"})->object, "b.o");
}

TEST(TaskTest, RemarksAreNoMatterOfTheCode) {
  const Result<Task> result = task("-Oz -fsave-optimization-record -c a.c -o out/a.o");
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->remarks, "out/a.opt.yaml");
  EXPECT_THAT(result->flags, ElementsAre());
  EXPECT_EQ(task("-Oz -fsave-optimization-record=yaml -foptimization-record-file=r -c a.c")->remarks, "r");
  EXPECT_EQ(task("-Oz -c a.c")->remarks, "");
  EXPECT_FALSE(task("-Oz -fsave-optimization-record=bitstream -c a.c"));
}

TEST(TaskTest, WhatIsBetweenTheUserAndClangStaysThere) {
  for (const char* line :
       {"-Oz -c a.c -save-temps=obj", "-Oz -c a.c -Xclang -foo", "-Oz -c a.c -mllvm -x", "-Oz -c a.c -flto",
        "-Oz -c a.c -fprofile-generate", "-Oz -c a.c -fsanitize=address", "-Oz -c a.c -gsplit-dwarf",
        "-Oz -c a.c -fpass-plugin=x.so", "-Oz -c a.c -fstack-usage", "-Oz -c a.c -fno-integrated-as"}) {
    const Result<Task> result = task(line);
    ASSERT_FALSE(result) << line;
    EXPECT_EQ(result.error().code, ErrorCode::kUnsupported);
  }
}

}  // namespace
}  // namespace ordo::builds
