#include "learn/losses.h"

#include <gtest/gtest.h>

#include "tests/unit/learn/oracle.h"

namespace ordo::learn {
namespace {

// One of the oracle's losses, by our formulas.
torch::Tensor lossOf(const std::string& name, Network& network) {
  const auto given = [](const char* key) { return tensorOf(oracle().at(key)); };
  const NetworkImpl::Output output = network(given("x"));
  const torch::Tensor actions = given("actions").to(torch::kLong);
  const torch::Tensor chosen = logProbabilities(output.logits, actions);
  if (name == "cloning") return cloningLoss(chosen, given("sample_weights"));
  if (name == "ppo") return ppoLoss(chosen, given("old"), given("advantages"), 0.2);
  if (name == "kl") return klEstimates(chosen, given("reference")).mean();
  if (name == "entropy") return entropies(output.logits).mean();
  return (output.value - given("targets")).square().mean();
}

TEST(LossesTest, ValuesAndGradientsAreThoseOfPyTorchInPython) {
  for (const auto& [name, expected] : oracle().at("losses").items()) {
    Network network = oracleNetwork();
    const torch::Tensor loss = lossOf(name, network);
    EXPECT_NEAR(loss.item<double>(), expected.at("value").get<double>(), 1e-5) << name;
    loss.backward();
    int compared = 0;
    for (const auto& parameter : network->named_parameters()) {
      const Json& gradient = expected.at("gradients").at(parameter.key());
      if (gradient.is_null()) continue;
      const torch::Tensor wanted = tensorOf(gradient);
      const torch::Tensor& found = parameter.value().grad();
      if (!found.defined()) {
        EXPECT_LT(wanted.abs().max().item<double>(), 1e-12) << name << " " << parameter.key();
        continue;
      }
      EXPECT_LT(distance(found.flatten(), wanted), 1e-5) << name << " " << parameter.key();
      ++compared;
    }
    EXPECT_GT(compared, 5) << name;
  }
}

TEST(LossesTest, GaeIsTheSumOfItsDefinition) {
  const Json& given = oracle().at("gae");
  const torch::Tensor found =
      gae(tensorOf(given.at("rewards")), tensorOf(given.at("values")), given.at("gamma"), given.at("lambda"));
  EXPECT_LT(distance(found, tensorOf(given.at("advantages"))), 1e-5);
}

TEST(LossesTest, GroupAdvantagesAreStandardScores) {
  const Json& given = oracle().at("group");
  EXPECT_LT(distance(groupAdvantages(tensorOf(given.at("returns"))), tensorOf(given.at("advantages"))), 1e-5);
  EXPECT_LT(distance(groupAdvantages(torch::ones({1, 3})), torch::zeros({1, 3})), 1e-6) << "nobody is better";
}

TEST(LossesTest, WhatIsNotLegalAddsNothingToEntropy) {
  const float infinity = std::numeric_limits<float>::infinity();
  const torch::Tensor logits = torch::tensor({1.0f, 1.0f, -infinity}).view({1, 3});
  EXPECT_NEAR(entropies(logits).item<double>(), std::log(2.0), 1e-6);
}

}  // namespace
}  // namespace ordo::learn
