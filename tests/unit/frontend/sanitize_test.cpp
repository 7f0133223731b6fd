#include "frontend/sanitize.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "support/process.h"

namespace ordo::frontend {
namespace {

using testing::HasSubstr;

class SanitizeTest : public testing::Test {
 protected:
  Source write(std::string_view text) {
    EXPECT_TRUE(writeFile(dir_.path() / "main.c", text));
    return {"main.c", "c", {}, dir_.path()};
  }
  ProcessResult run() {
    return *runProcess({"env", "ASAN_OPTIONS=detect_leaks=0", (dir_.path() / "out").string()});
  }

  TempDir dir_ = *TempDir::create();
};

constexpr std::string_view kOverflow =
    "#include <limits.h>\nint main(int argc, char** argv) { return (INT_MAX - 1 + argc * 2) & 1; }\n";
constexpr std::string_view kOverrun =
    "#include <stdlib.h>\nint main(int argc, char** argv) {\n"
    "  volatile int* p = malloc(4 * sizeof(int));\n  p[argc + 3] = 1;\n  return 0;\n}\n";
constexpr std::string_view kClean = "int main(void) { return 7; }\n";

TEST_F(SanitizeTest, TheSourceIsWatchedForBoth) {
  for (const auto& [text, report] :
       {std::pair{kOverflow, "signed integer overflow"}, std::pair{kOverrun, "heap-buffer-overflow"}}) {
    ASSERT_TRUE(linkSanitizedSource(write(text), {}, dir_.path() / "out"));
    const ProcessResult result = run();
    EXPECT_NE(result.exit_code, 0);
    EXPECT_THAT(result.err, HasSubstr(report));
  }
  ASSERT_TRUE(linkSanitizedSource(write(kClean), {}, dir_.path() / "out"));
  EXPECT_EQ(run().exit_code, 7);
}

TEST_F(SanitizeTest, EachOfSeveralSourcesIsWatched) {
  Source two = write("int other(int);\nint main(int argc, char** argv) { return other(argc); }\n");
  ASSERT_TRUE(
      writeFile(dir_.path() / "other.c", "#include <limits.h>\nint other(int n) { return INT_MAX + n; }\n"));
  two.more = {"other.c"};
  ASSERT_TRUE(linkSanitizedSource(two, {}, dir_.path() / "out"));
  EXPECT_THAT(run().err, HasSubstr("signed integer overflow"));
}

TEST_F(SanitizeTest, OptimisedBitcodeIsWatchedThoughClangDidNotMarkIt) {
  for (const auto& [text, report] : {std::pair{kOverrun, "heap-buffer-overflow"}, std::pair{kClean, ""}}) {
    const Source source = write(text);
    const auto compiled = compileToBitcode(source, Level::kOz);
    ASSERT_TRUE(compiled) << compiled.error().message;
    const Status linked = linkAddressSanitized(compiled->bytes, Level::kOz, source, {}, dir_.path() / "out");
    ASSERT_TRUE(linked) << linked.error().message;
    EXPECT_THAT(run().err, HasSubstr(report));
  }
  EXPECT_EQ(run().exit_code, 7);
}

TEST_F(SanitizeTest, IrHasNoSource) {
  EXPECT_EQ(linkSanitizedSource({"a.ll", "ir", {}, {}}, {}, "out").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::frontend
