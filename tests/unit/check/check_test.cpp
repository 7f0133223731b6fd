#include "check/check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/stock.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::check {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr std::string_view kSource = R"(
int clamp(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
unsigned sum(const unsigned char* p, unsigned n) { unsigned s = 0; while (n--) s += *p++; return s; }
)";

class CheckTest : public engine::EngineFixture {
 protected:
  static void SetUpTestSuite() {
    setInstallPrefix(std::filesystem::path(ORDO_BIN_DIR).parent_path());
    engine::EngineFixture::SetUpTestSuite();
  }

  void SetUp() override {
    ASSERT_TRUE(writeFile(dir_.path() / "part.c", kSource));
    std::string wrong(kSource);
    wrong.replace(wrong.find("x > high"), 8, "x >= low");
    ASSERT_TRUE(writeFile(dir_.path() / "wrong.c", wrong));
  }

  static Verdict verdictOf(const Checked& checked, std::string_view name) {
    for (const Check& check : checked.checks) {
      if (check.name == name) return check.verdict;
    }
    ADD_FAILURE() << "no check " << name;
    return Verdict::kSkipped;
  }

  TempDir dir_ = *TempDir::create();
};

TEST_F(CheckTest, ComparesFunctionsOfWhatCannotRun) {
  const engine::Input input = *engine::prepareInput((dir_.path() / "part.c").string(), {}, {});
  const std::string optimized =
      *engine::runStock(input.compiled.bytes, {engine::baselineAction({}, input.pipeline)}, input.codegen);
  const auto checked = check(*engine_, input, optimized, {}, {.seconds = 1});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(checked->ok());
  EXPECT_EQ(verdictOf(*checked, "ir"), Verdict::kPassed);
  EXPECT_EQ(verdictOf(*checked, "output"), Verdict::kSkipped);
  EXPECT_EQ(verdictOf(*checked, "functions"), Verdict::kPassed);
  EXPECT_EQ(checked->assurance(), "functions compared (2 of 2, 100 % of blocks)");
}

TEST_F(CheckTest, FindsWhatIsWrong) {
  const engine::Input input = *engine::prepareInput((dir_.path() / "part.c").string(), {}, {});
  const engine::Input wrong = *engine::prepareInput((dir_.path() / "wrong.c").string(), {}, {});
  const auto checked = check(*engine_, input, wrong.compiled.bytes, {}, {.seconds = 1});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_FALSE(checked->ok());
  ASSERT_NE(checked->functions->wrong(), nullptr);
  EXPECT_EQ(checked->functions->wrong()->name, "clamp");
}

TEST_F(CheckTest, RunsWhatCanRun) {
  const engine::Input input = *engine::prepareInput(ORDO_SOURCE_DIR "/suite/crc32", {}, {});
  const auto checked = check(*engine_, input, input.compiled.bytes, {}, {.seconds = 0.5});
  ASSERT_TRUE(checked) << checked.error().message;
  EXPECT_TRUE(checked->ok());
  EXPECT_EQ(checked->assurance(), "ran and compared");
}

TEST_F(CheckTest, RefusesWhatIsNoModule) {
  const engine::Input input = *engine::prepareInput((dir_.path() / "part.c").string(), {}, {});
  const auto checked = check(*engine_, input, "nonsense", {}, {});
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::check
