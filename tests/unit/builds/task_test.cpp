#include "builds/task.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

namespace ordo::builds {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

Result<Task> task(const std::string& line, const std::string& objective = "") {
  std::istringstream stream(line);
  return taskOf({std::istream_iterator<std::string>(stream), {}}, objective);
}

std::optional<Files> files(const std::string& line) {
  std::istringstream stream(line);
  return filesOf({std::istream_iterator<std::string>(stream), {}});
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

TEST(TaskTest, CodeMayBeWhatWasAskedFor) {
  Task of_bytes = *task("-Oz -c a.c");
  EXPECT_THAT(of_bytes.limits, ElementsAre("code_bytes=+0%"));
  EXPECT_EQ(mostCode(of_bytes, 200), 200);
  EXPECT_TRUE(std::isinf(mostCode(of_bytes, 0))) << "nobody has looked";
  EXPECT_TRUE(task("-Oz -c a.c", "ir_instructions")->limits.empty());
  of_bytes = *taskOf({"-Oz", "-c", "a.c"}, "", {"code_bytes=+50%"});
  EXPECT_EQ(mostCode(of_bytes, 200), 300);
  of_bytes = *taskOf({"-Oz", "-c", "a.c"}, "", {"code_bytes=any"});
  EXPECT_TRUE(std::isinf(mostCode(of_bytes, 200)));
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

TEST(TaskTest, WhatMakesObjectsIsCountedAndWhatConfigureTriesIsNot) {
  for (const char* line : {"-c a.c b.c", "-c a.s", "-c -xassembler a", "-c @x", "-Oz -c -emit-llvm a.c"})
    EXPECT_TRUE(files(line)) << line;
  for (const char* line :
       {"-c -E a.c", "-c -S a.c", "-S a.c", "a.c", "--version", "-c conftest.c", "-c",
        "-c CMakeFiles/CMakeScratch/TryCompile-x/a.c", "-c b/CMakeFiles/3.25/CompilerIdC/a.c"})
    EXPECT_FALSE(files(line)) << line;
  EXPECT_TRUE(task("-Oz -c /b/CMakeFiles/app.dir/Unity/unity_0_c.c"));
}

TEST(TaskTest, EverySpellingOfAnOptionIsThatOption) {
  for (const char* line :
       {"-Oz -c a.c -o x.o", "-Oz -c a.c -ox.o", "-Oz -c a.c --output x.o", "-Oz -c a.c --output=x.o",
        "--optimize=z --compile a.c -o x.o", "-Oz -c -o x.o -- a.c", "-Oz -c -o y.o a.c -o x.o"}) {
    const Result<Task> result = task(line);
    ASSERT_TRUE(result) << line << ": " << result.error().message;
    EXPECT_EQ(result->object, "x.o") << line;
    EXPECT_EQ(result->source, "a.c") << line;
    EXPECT_THAT(result->flags, ElementsAre()) << line;
  }
  EXPECT_EQ(task("-Oz -c -x c++ a.c")->language, "c++");
  EXPECT_EQ(task("-Oz -c -xc++ a.txt")->language, "c++");
  EXPECT_EQ(task("-Oz -c -x c++ -x none a.c")->language, "c");
}

// What an object depends on, and what kind of object it is, must be understood.
TEST(TaskTest, OnlyUnderstoodWordsAreOurs) {
  for (const char* line :
       {"-Oz -c a.c -emit-llvm", "-Oz -c a.c -serialize-diagnostics a.dia", "-Oz -c a.c -include-pch a.pch",
        "-Oz -c a.c --serialize-diagnostics a.dia", "-Oz -c a.c -Xarch_host -DX", "-Oz -c -x c++-header a.h",
        "-Oz -c a.c -Wa,-I,dir", "-Oz -c a.c -Wp,-include,x.h", "-Oz -c a.c -MJ x.json",
        "-Oz -c a.c -working-directory d", "-Oz -c a.c -no-such-option", "-Oz -c a.c -o", "-Oz -c a.c -o -",
        "-Oz -c a.c -grecord-command-line", "-Oz -c a.c -fmodules", "-Oz -c a.c -Rpass=inline",
        "-Oz -c a.c -fsanitize=undefined,thread"}) {
    const Result<Task> result = task(line);
    ASSERT_FALSE(result) << line;
    EXPECT_EQ(result.error().code, ErrorCode::kUnsupported) << line;
  }
  for (const char* line :
       {"-Oz -c a.c -fsanitize=undefined", "-Oz -c a.c -Wp,-D_FORTIFY_SOURCE=2", "-Oz -c a.c -Wp,-MD,a.d",
        "-Oz -c a.c -fno-strict-aliasing -fno-var-tracking -fno-knr-functions", "-Oz -c a.c -mno-red-zone",
        "-Oz -c a.c -pthread -g3 -fvisibility=hidden -fstack-protector-strong", "-Oz -c a.c -lm -Wl,-x"})
    EXPECT_TRUE(task(line)) << line << ": " << task(line).error().message;
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
