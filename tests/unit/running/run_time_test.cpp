#include "running/run_time.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "datasets/dataset.h"
#include "frontend/clang.h"

namespace ordo::running {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

constexpr std::string_view kSums = R"(
#include <stdio.h>
int main(void) {
  unsigned sum = 0;
  for (unsigned i = 0; i < 400000; i++) sum = sum * 31 + i;
  printf("%u\n", sum);
  return 0;
})";

class RunTimeTest : public testing::Test {
 protected:
  void write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(writeFile(dir_.path() / "sums" / name, text));
  }
  datasets::Program program(std::string_view source, std::string_view test = "") {
    fs::create_directory(dir_.path() / "sums");
    write("main.c", source);
    write("sum.out", "256412992\n");
    write("program.toml", fmt::format("format = 1\nname = \"sums\"\nsummary = \"sums\"\nlanguage = \"c\"\n"
                                      "source = \"main.c\"\n{}",
                                      test));
    auto loaded = datasets::loadProgram((dir_.path() / "sums").string());
    EXPECT_TRUE(loaded) << loaded.error().message;
    return *std::move(loaded);
  }
  // Of what `text` says, compiled at that level.
  fs::path executable(const datasets::Program& like, std::string_view text, frontend::Level level) {
    write("other.c", text);
    const frontend::Source source{"other.c", "c", {}, like.dir, {}};
    const auto object = frontend::compileStock(source, level);
    EXPECT_TRUE(object) << object.error().message;
    fs::path path = dir_.path() / "executable";
    EXPECT_TRUE(frontend::linkExecutable(object->bytes, source, {}, path));
    return path;
  }

  static constexpr std::string_view kTest = "[[test]]\nname = \"sum\"\nstdout = \"sum.out\"\n";
  const TempDir dir_ = *TempDir::create();
  RunTime run_time_{{.baseline = frontend::Level::kO3, .budget_s = 0.5}};
};

TEST_F(RunTimeTest, TheSameProgramIsOneWithoutARun) {
  const datasets::Program sums = program(kSums, kTest);
  const auto object = frontend::compileStock({"main.c", "c", {}, sums.dir, {}}, frontend::Level::kO3);
  ASSERT_TRUE(object) << object.error().message;
  const fs::path same = dir_.path() / "same";
  ASSERT_TRUE(frontend::linkExecutable(object->bytes, {"main.c", "c", {}, sums.dir, {}}, {}, same));
  const auto measured = run_time_.measure(sums, same);
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_TRUE(measured->ok()) << measured->detail;
  EXPECT_EQ(measured->value, 1);
  EXPECT_EQ(measured->detail, "clang makes the same program");
}

TEST_F(RunTimeTest, AnotherIsAMultiple) {
  const datasets::Program sums = program(kSums, kTest);
  const auto measured = run_time_.measure(sums, executable(sums, kSums, frontend::Level::kO0));
  ASSERT_TRUE(measured) << measured.error().message;
  ASSERT_TRUE(measured->ok()) << measured->detail;
  EXPECT_GT(measured->value, 0);
  EXPECT_NE(measured->detail, "");
}

TEST_F(RunTimeTest, WhatDoesSomethingElseHasNone) {
  const datasets::Program sums = program(kSums, kTest);
  const auto measured =
      run_time_.measure(sums, executable(sums, "int main(void) { return 1; }", frontend::Level::kO3));
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_FALSE(measured->ok());
  EXPECT_THAT(measured->detail, HasSubstr("1 of 1 tests failed"));
}

TEST_F(RunTimeTest, WhatNobodyKnowsHowToRunOrIsNeverTheSameIsRefused) {
  const datasets::Program unknown = program(kSums);
  const auto refused = run_time_.measure(unknown, "/nowhere");
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(refused.error().message, HasSubstr("nothing says how this one is"));

  const datasets::Program random = program(
      "#include <stdio.h>\n#include <time.h>\nint main(void) { struct timespec t; "
      "clock_gettime(CLOCK_MONOTONIC, &t); printf(\"%ld\\n\", t.tv_nsec); return 0; }\n",
      kTest);
  const auto changing = run_time_.measure(random, "/nowhere");
  ASSERT_FALSE(changing);
  EXPECT_EQ(changing.error().code, ErrorCode::kUnsupported);
  EXPECT_THAT(changing.error().message, HasSubstr("cannot be timed"));
}

}  // namespace
}  // namespace ordo::running
