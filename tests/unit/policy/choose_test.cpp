#include "policy/choose.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

namespace ordo::policy {
namespace {

const std::vector<float> kLogits{1, 3, 3, 5};
const std::vector<std::uint8_t> kAll{1, 1, 1, 1}, kNotLast{1, 1, 1, 0}, kNone{0, 0, 0, 0};

TEST(ChooseTest, GreedyIsTheFirstOfTheLargestLegal) {
  EXPECT_EQ(greedyChoice(kLogits, kAll), 3u);
  EXPECT_EQ(greedyChoice(kLogits, kNotLast), 1u);
  EXPECT_EQ(greedyChoice(kLogits, kNone), std::nullopt);
  EXPECT_EQ(greedyChoice({}, {}), std::nullopt);
  EXPECT_EQ(greedyChoice(std::vector<float>{-3e38f, 0}, std::vector<std::uint8_t>{1, 0}), 0u);
}

TEST(ChooseTest, ProbabilitiesAreTheSoftmaxOfTheLegalLogits) {
  for (const double temperature : {0.1, 1.0, 7.0}) {
    const std::vector<double> chances = probabilities(kLogits, kNotLast, temperature);
    const double a = std::exp(1 / temperature), b = std::exp(3 / temperature);
    EXPECT_NEAR(chances[0], a / (a + 2 * b), 1e-12);
    EXPECT_NEAR(chances[1], b / (a + 2 * b), 1e-12);
    EXPECT_EQ(chances[1], chances[2]);
    EXPECT_EQ(chances[3], 0);
    EXPECT_NEAR(std::accumulate(chances.begin(), chances.end(), 0.0), 1, 1e-15);
  }
  EXPECT_EQ(probabilities(kLogits, kNone, 1), std::vector<double>(4));
}

TEST(ChooseTest, LogitsFarApartAreNoOverflow) {
  const std::vector<double> chances =
      probabilities(std::vector<float>{3e38f, -3e38f}, std::vector<std::uint8_t>{1, 1}, 1e-3);
  EXPECT_EQ(chances, (std::vector<double>{1, 0}));
}

TEST(ChooseTest, SamplesComeAsOftenAsTheirProbabilities) {
  Rng rng(1);
  constexpr int kDraws = 100000;
  std::vector<int> drawn(4);
  for (int i = 0; i < kDraws; ++i) ++drawn[*sampledChoice(kLogits, kNotLast, 2, rng)];
  const std::vector<double> chances = probabilities(kLogits, kNotLast, 2);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    // Five standard deviations of a frequency, at most sqrt(1/4 / 100000) = 0.0016.
    EXPECT_NEAR(static_cast<double>(drawn[i]) / kDraws, chances[i], 0.008);
  }
  EXPECT_EQ(drawn[3], 0);
}

TEST(ChooseTest, TemperatureZeroIsGreedyAndTakesNoRandomNumber) {
  Rng rng(7), untouched(7);
  EXPECT_EQ(sampledChoice(kLogits, kNotLast, 0, rng), 1u);
  EXPECT_EQ(sampledChoice(kLogits, kNone, 1, rng), std::nullopt);
  EXPECT_EQ(rng.next(), untouched.next());
}

TEST(ChooseTest, TheSameSeedDrawsTheSameActions) {
  Rng a(3), b(3);
  for (int i = 0; i < 100; ++i)
    EXPECT_EQ(sampledChoice(kLogits, kAll, 1, a), sampledChoice(kLogits, kAll, 1, b));
}

}  // namespace
}  // namespace ordo::policy
