// Polynomials against the C library, over all that a float can be.
#include "mlir/lowering/approximate.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "mlir/lowering/compile.h"

namespace ordo::lowering {
namespace {

struct Function {
  const char* name;
  double (*exact)(double);
  double from, to;   // where it is compared
  double tolerance;  // of what is right, relative
};

void PrintTo(const Function& function, std::ostream* out) { *out << function.name; }

class ApproximateTest : public testing::TestWithParam<Function> {
 protected:
  static void SetUpTestSuite() { workshop_ = std::make_unique<Workshop>(); }
  static void TearDownTestSuite() { workshop_.reset(); }

  static std::vector<float> of(const std::vector<float>& numbers, const Target& target) {
    const Payload payload = *workshop_->read(
        "k",
        fmt::format("#id = affine_map<(i)->(i)>\n"
                    "func.func @k(%a: tensor<{0}xf32>) -> tensor<{0}xf32> {{\n"
                    "  %e = tensor.empty() : tensor<{0}xf32>\n"
                    "  %r = linalg.generic {{indexing_maps = [#id, #id], iterator_types = [\"parallel\"]}}\n"
                    "    ins(%a : tensor<{0}xf32>) outs(%e : tensor<{0}xf32>) {{\n"
                    "  ^bb0(%x: f32, %o: f32):\n    %y = math.{1} %x : f32\n"
                    "    linalg.yield %y : f32 }} -> tensor<{0}xf32>\n"
                    "  return %r : tensor<{0}xf32>\n}}",
                    numbers.size(), GetParam().name));
    const Result<std::unique_ptr<Code>> code = compile(*workshop_, payload, "", target);
    EXPECT_TRUE(code) << code.error().message;
    std::vector<float> in = numbers, out(numbers.size());
    if (code) (*code)->run(std::vector<void*>{in.data(), out.data()});
    return out;
  }

  static inline std::unique_ptr<Workshop> workshop_;
};

TEST_P(ApproximateTest, IsNearTheLibrarys) {
  const Function& function = GetParam();
  std::vector<float> numbers;
  for (int i = 0; i < 4096; ++i)
    numbers.push_back(static_cast<float>(function.from + (function.to - function.from) * i / 4095));
  const std::vector<float> found = of(numbers, {});
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const double right = function.exact(static_cast<double>(numbers[i]));
    ASSERT_NEAR(static_cast<double>(found[i]), right, function.tolerance * std::max(1e-3, std::abs(right)))
        << function.name << " of " << numbers[i];
  }
}

TEST_P(ApproximateTest, HasTheSameEnds) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  const std::vector<float> ends = {0,     1,      -1,        1e-8F,      100,          -100,
                                   1e30F, -1e30F, kInfinity, -kInfinity, std::nanf("")};
  const std::vector<float> found = of(ends, {}), right = of(ends, {.library = true});
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (std::isnan(right[i])) {
      EXPECT_TRUE(std::isnan(found[i])) << ends[i] << ": " << found[i];
    } else if (std::isinf(right[i])) {
      EXPECT_EQ(found[i], right[i]) << ends[i];
    } else {
      EXPECT_NEAR(found[i], right[i], 1e-6F * std::max(1.0F, std::abs(right[i]))) << ends[i];
    }
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, ApproximateTest,
    testing::Values(Function{"exp", std::exp, -87, 88, 5e-7}, Function{"expm1", std::expm1, -20, 20, 5e-7},
                    Function{"log", std::log, 1e-6, 50, 5e-7}, Function{"log1p", std::log1p, -0.99, 50, 5e-7},
                    Function{"tanh", std::tanh, -10, 10, 5e-7}, Function{"erf", std::erf, -5, 5, 5e-7}),
    [](const auto& one) { return std::string(one.param.name); });

}  // namespace
}  // namespace ordo::lowering
