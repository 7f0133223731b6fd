#include "policy/attribution.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/fakes/random_policy.h"

namespace ordo::policy {
namespace {

std::shared_ptr<const Policy> parsed(const std::string& file) {
  auto policy = Policy::parse(file, "p");
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return std::make_shared<const Policy>(*std::move(policy));
}

// Of a0, a1 and stop.
std::shared_ptr<const Policy> residualPolicy() {
  return parsed(fakes::randomPolicy(fakes::samplePolicyShape(2, 8, 2)));
}

constexpr std::array<std::uint8_t, 3> kAll{1, 1, 1};

// A linear policy with its weights, which are by row, a row for each logit.
struct Linear {
  std::shared_ptr<const Policy> policy;
  std::vector<float> weights;
};

Linear linearPolicy() {
  NetworkShape shape = fakes::samplePolicyShape(2, 0, 0);
  shape.architecture = Architecture::kLinear;
  std::vector<Tensor> tensors = fakes::randomTensors(shape);
  std::vector<float> weights;
  for (const Tensor& tensor : tensors) {
    if (tensor.name == "logits.weight") weights = tensor.values;
  }
  return {parsed(writePolicy(fakes::samplePolicyInfo(shape.architecture, 2), std::move(tensors))), weights};
}

// Some features, none of which is neutral.
std::vector<float> someFeatures(const Attribution& attribution) {
  Rng rng(7);
  std::vector<float> features;
  for (const float neutral : attribution.reference())
    features.push_back(neutral + static_cast<float>(0.1 + rng.uniform()));
  return features;
}

TEST(AttributionTest, EveryFeatureIsOfOneAspect) {
  const Attribution attribution(residualPolicy());
  std::vector<std::size_t> columns;
  for (const Aspect& aspect : attribution.aspects()) {
    EXPECT_TRUE(std::ranges::is_sorted(aspect.columns));
    columns.insert(columns.end(), aspect.columns.begin(), aspect.columns.end());
  }
  std::ranges::sort(columns);
  std::vector<std::size_t> all(attribution.reference().size());
  std::iota(all.begin(), all.end(), 0u);
  EXPECT_EQ(columns, all);
}

TEST(AttributionTest, AspectsAreWhatAnEngineerWouldNameAsOne) {
  const Attribution attribution(residualPolicy());
  const auto columnsOf = [&](std::string_view group, std::optional<std::size_t> element) {
    for (const Aspect& aspect : attribution.aspects()) {
      if (aspect.group == group && aspect.element == element) return aspect.columns;
    }
    return std::vector<std::size_t>();
  };
  using Columns = std::vector<std::size_t>;
  EXPECT_EQ(columnsOf("autophase", 0), (Columns{0, 56})) << "a count and its change";
  EXPECT_EQ(columnsOf("autophase", 15), (Columns{15, 32, 71, 88})) << "BranchCount is NumBrInst";
  EXPECT_EQ(columnsOf("autophase", 32), Columns());
  EXPECT_EQ(columnsOf("ir2vec", std::nullopt).size(), 128u);
  EXPECT_EQ(columnsOf("history", 1), (Columns{241, 243, 245})) << "how often, last, and before that";
  EXPECT_EQ(columnsOf("objective", std::nullopt).size(), 3u);
  EXPECT_EQ(columnsOf("steps", std::nullopt).size(), 1u);
}

TEST(AttributionTest, NeutralIsAUsualProgramAtTheStart) {
  const Attribution attribution(residualPolicy());
  const std::span<const float> reference = attribution.reference();
  for (std::size_t i = 0; i < kCounts.size(); ++i) {
    EXPECT_FLOAT_EQ(reference[i], static_cast<float>(std::log1p(static_cast<double>(kCounts[i].usual)) / 8));
  }
  for (std::size_t i = kCounts.size(); i < reference.size(); ++i) EXPECT_EQ(reference[i], 0) << i;
}

TEST(AttributionTest, OfALinearNetworkTheyAreWeightTimesDifference) {
  const Linear linear = linearPolicy();
  const Attribution attribution(linear.policy);
  const std::vector<float> features = someFeatures(attribution);
  // Against one other action, log-odds are a difference of logits.
  const std::vector<double> weights = attribution.weights(features, std::array<std::uint8_t, 3>{0, 1, 1}, 1);
  for (std::size_t i = 0; i < weights.size(); ++i) {
    double expected = 0;
    for (const std::size_t column : attribution.aspects()[i].columns) {
      const double slope =
          linear.weights[features.size() + column] - linear.weights[2 * features.size() + column];
      expected += slope * (features[column] - attribution.reference()[column]);
    }
    // Logits are sums of 250 floats of about 1.
    EXPECT_NEAR(weights[i], expected, 1e-5) << attribution.aspects()[i].group;
  }
}

TEST(AttributionTest, OfALinearNetworkTheyAddUpToTheWholeDifference) {
  const Linear linear = linearPolicy();
  const Attribution attribution(linear.policy);
  const std::vector<float> features = someFeatures(attribution);
  const std::array<std::uint8_t, 3> legal{0, 1, 1};
  const auto difference = [&](std::span<const float> x) {
    Network::Scratch scratch;
    const std::span<const float> logits = linear.policy->evaluate(x, scratch).logits;
    return static_cast<double>(logits[1]) - logits[2];
  };
  const std::vector<double> weights = attribution.weights(features, legal, 1);
  EXPECT_NEAR(std::accumulate(weights.begin(), weights.end(), 0.0),
              difference(features) - difference(attribution.reference()), 1e-4);
}

TEST(AttributionTest, WhatTheNetworkIgnoresIsNothing) {
  const Attribution constant(fakes::constantPolicy({"a0", "a1"}, {1, 2, 3}));
  for (const double weight : constant.weights(someFeatures(constant), kAll, 0)) EXPECT_EQ(weight, 0);
}

TEST(AttributionTest, WhatIsNeutralIsNothing) {
  const Attribution attribution(residualPolicy());
  for (const double weight : attribution.weights(attribution.reference(), kAll, 2)) EXPECT_EQ(weight, 0);
  std::vector<float> features(attribution.reference().begin(), attribution.reference().end());
  const Aspect& moved = attribution.aspects().at(3);
  features[moved.columns.front()] += 1;
  const std::vector<double> weights = attribution.weights(features, kAll, 2);
  for (std::size_t i = 0; i < weights.size(); ++i) EXPECT_EQ(weights[i] != 0, i == 3) << i;
}

TEST(AttributionTest, TheOnlyLegalActionNeedsNoEvidence) {
  const Attribution attribution(residualPolicy());
  const std::array<std::uint8_t, 3> legal{0, 0, 1};
  for (const double weight : attribution.weights(someFeatures(attribution), legal, 2)) EXPECT_EQ(weight, 0);
}

TEST(AttributionTest, EvidenceForOneOfTwoIsEvidenceAgainstTheOther) {
  const Attribution attribution(residualPolicy());
  const std::vector<float> features = someFeatures(attribution);
  const std::array<std::uint8_t, 3> legal{1, 0, 1};
  const std::vector<double> one = attribution.weights(features, legal, 0);
  const std::vector<double> other = attribution.weights(features, legal, 2);
  EXPECT_EQ(one, attribution.weights(features, legal, 0)) << "the same each time";
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_DOUBLE_EQ(one[i], -other[i]);
}

}  // namespace
}  // namespace ordo::policy
