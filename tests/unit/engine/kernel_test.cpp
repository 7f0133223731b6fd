// Kernels in workers; skipped where Ordo is built without MLIR.
#include "engine/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "engine/reach.h"
#include "engine/replay.h"
#include "support/files.h"
#include "tests/fakes/kernel_texts.h"
#include "tests/fakes/session_conformance.h"

namespace ordo::engine {
namespace {

using testing::HasSubstr;

class KernelTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (!std::filesystem::exists(std::filesystem::path(ORDO_BIN_DIR) / "ordo-mlir-worker")) return;
    auto engine = startForKernels(false);
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = *std::move(engine);
  }
  static void TearDownTestSuite() { engine_.reset(); }
  void SetUp() override {
    if (!engine_) GTEST_SKIP() << "libmlir-22-dev is not installed";
  }

  Result<Input> input(std::string_view text) {
    const std::filesystem::path path = dir_.path() / "kernel.mlir";
    EXPECT_TRUE(writeFile(path, text));
    return readKernel(*engine_, path.string());
  }

  static inline std::unique_ptr<Engine> engine_;
  TempDir dir_ = *TempDir::create();
};

TEST_F(KernelTest, SessionsInWorkersKeepTheirPromises) {
  env::SessionSpec spec{"matmul", fakes::kMatmulText, {}, ""};
  for (const char* step : {"fuse<1,16>", "vectorize<4,16,2>", "stop"})
    spec.actions.push_back({step, "schedule", step});
  fakes::expectConformance(engine_->backend(), spec);
}

TEST_F(KernelTest, StockToolsProveASchedule) {
  const Result<Input> kernel = input(fakes::kConvolutionText);
  ASSERT_TRUE(kernel) << kernel.error().message;
  std::vector<env::Action> actions;
  for (const char* step :
       {"stop", "stop", "fuse<1,2>", "interchange<3>", "tile<3,4>", "stop", "vectorize<3,8,2>"})
    actions.push_back({step, "schedule", step});
  const Result<State> state = reach(*engine_, *kernel, kernel->compiled.bytes, actions);
  ASSERT_TRUE(state) << state.error().message;
  const Result<std::string> proof =
      kernel->toolchain->prove(*engine_, *kernel, kernel->compiled.bytes, actions, state->hash);
  ASSERT_TRUE(proof) << proof.error().message;
  EXPECT_THAT(*proof, HasSubstr("mlir-opt-22 makes the same IR"));
  Hash128 other = state->hash;
  other.low ^= 1;
  EXPECT_EQ(kernel->toolchain->prove(*engine_, *kernel, kernel->compiled.bytes, actions, other).error().code,
            ErrorCode::kCorrupt);
}

TEST_F(KernelTest, TheSpaceHasWhatFits) {
  const Result<spaces::Space> space = kernelSpace(*engine_, *input(fakes::kMatmulText));
  ASSERT_TRUE(space) << space.error().message;
  EXPECT_LT(space->actions.size(), engine_->info().actions.size() / 2);
  const auto has = [&](std::string_view name) {
    return std::ranges::any_of(space->actions,
                               [&](const env::Action& action) { return action.name == name; });
  };
  EXPECT_TRUE(has("tile<2,12>"));
  EXPECT_FALSE(has("tile<2,5>"));
  const Result<spaces::Space> part = kernelSpace(*engine_, *input(fakes::kMatmulText), "mlir-rl");
  ASSERT_TRUE(part) << part.error().message;
  EXPECT_LT(part->actions.size(), space->actions.size());
  EXPECT_FALSE(std::ranges::any_of(part->actions, [](const env::Action& action) {
    return action.name.starts_with("pack") || action.name.starts_with("unroll");
  }));
  EXPECT_EQ(kernelSpace(*engine_, *input(fakes::kMatmulText), "no-such").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(kernelSpace(*engine_, *input("nonsense")).error().code, ErrorCode::kCorrupt);
}

TEST(IsKernel, ByItsName) {
  EXPECT_TRUE(isKernel("a/b.mlir") && isKernel("mlir/matmul/2x3x4"));
  EXPECT_FALSE(isKernel("a.ll"));
}

}  // namespace
}  // namespace ordo::engine
