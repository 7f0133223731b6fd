// Every kind of kernel of the dataset, small: MLIR reads it, something may be chosen, and what is chosen
// greedily is right. Skipped where Ordo is built without MLIR.
#include <gtest/gtest.h>

#include <array>
#include <filesystem>

#include "datasets/dataset.h"
#include "datasets/kernel_kinds.h"
#include "engine/kernel.h"
#include "support/files.h"

namespace ordo {
namespace {

class KindsOfKernels : public testing::TestWithParam<std::string> {};

TEST_P(KindsOfKernels, AreScheduledRight) {
  if (!std::filesystem::exists(std::filesystem::path(ORDO_BIN_DIR) / "ordo-mlir-worker"))
    GTEST_SKIP() << "libmlir-22-dev is not installed";
  const TempDir cache = *TempDir::create();
  ::setenv("ORDO_CACHE", cache.path().c_str(), 1);
  const auto engine = engine::startForKernels(false);
  ASSERT_TRUE(engine) << engine.error().message;
  const auto kind = std::ranges::find(datasets::kernelKinds(), GetParam(), &datasets::KernelKind::name);
  // What registers do not divide, windows of 1 to 3 with strides of 1, and columns that heads share.
  std::string uri = "mlir/" + GetParam() + "/";
  const std::array sizes = {"13", "15", "5", "6"};
  const bool windows = kind->pattern.ends_with("xKxS");
  for (std::size_t i = 0; i < kind->sizes(); ++i) {
    const bool last = windows && i + 2 >= kind->sizes();
    uri += std::string(i == 0 ? "" : "x") + (last ? (i + 1 == kind->sizes() ? "1" : "3") : sizes.at(i));
  }
  const Result<engine::Input> input = engine::readKernel(**engine, uri);
  ASSERT_TRUE(input) << input.error().message;
  const auto session = (*engine)->backend().open(
      {uri, input->compiled.bytes, {{"stop", "schedule", "stop"}, {"greedy", "schedule", "greedy"}}, ""});
  ASSERT_TRUE(session) << session.error().message;
  ASSERT_TRUE((*session)->apply(std::array<env::ActionIndex, 1>{1}));
  const Result<env::Measurement> verdict = (*session)->verify();
  ASSERT_TRUE(verdict) << verdict.error().message;
  EXPECT_TRUE(verdict->ok()) << verdict->detail;
  const auto steps = (*session)->observe("mlir");
  EXPECT_NE(steps->text().find("vectorize"), std::string_view::npos) << "nothing of it was made vectors";
  const auto torch = (*session)->observe("torch");
  EXPECT_TRUE(torch) << "PyTorch cannot be told about it";
  ::unsetenv("ORDO_CACHE");
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const datasets::KernelKind& kind : datasets::kernelKinds()) names.emplace_back(kind.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Dataset, KindsOfKernels, testing::ValuesIn(kinds()),
                         [](const auto& kind) { return kind.param; });

}  // namespace
}  // namespace ordo
