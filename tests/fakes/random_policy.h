// Policies that nobody trained, for tests and benchmarks: weights as PyTorch would initialise them.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "policy/policy.h"
#include "support/rng.h"

namespace ordo::fakes {

// Uniform within ±1/sqrt(inputs of the layer); the scales of normalisations are about 1.
inline std::vector<policy::Tensor> randomTensors(const policy::NetworkShape& shape, std::uint64_t seed = 1) {
  Rng rng(seed);
  std::vector<policy::Tensor> tensors;
  double bound = 1;
  for (const policy::TensorShape& wanted : policy::tensorsOf(shape)) {
    policy::Tensor tensor{wanted.name, wanted.shape, {}};
    if (wanted.shape.size() == 2) bound = 1 / std::sqrt(static_cast<double>(wanted.shape[1]));
    const bool scale = wanted.name.ends_with("norm.weight");
    std::uint64_t count = 1;
    for (const std::uint64_t extent : wanted.shape) count *= extent;
    for (std::uint64_t i = 0; i < count; ++i) {
      const double value = (2 * rng.uniform() - 1) * bound;
      tensor.values.push_back(static_cast<float>(scale ? 1 + value / 4 : value));
    }
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

// With actions a0, a1, … and stop.
inline policy::PolicyInfo samplePolicyInfo(policy::Architecture architecture, std::size_t actions) {
  policy::PolicyInfo info{.architecture = architecture,
                          .schema_hash = policy::Encoder(actions).schemaHash(),
                          .space = "sample",
                          .space_hash = hashBytes("sample"),
                          .actions = {},
                          .backend_version = "22.1.8",
                          .provenance = "random numbers"};
  for (std::size_t i = 0; i < actions; ++i) info.actions.push_back(fmt::format("a{}", i));
  info.actions.emplace_back(policy::kStop);
  return info;
}

// The shape of the networks of such policies.
inline policy::NetworkShape samplePolicyShape(std::size_t actions, std::size_t hidden, std::size_t blocks) {
  return {policy::Architecture::kResidual, policy::Encoder(actions).width(), hidden, blocks, actions + 1};
}

// The file of such a policy.
inline std::string randomPolicy(const policy::NetworkShape& shape, std::uint64_t seed = 1) {
  return policy::writePolicy(samplePolicyInfo(shape.architecture, shape.actions - 1),
                             randomTensors(shape, seed));
}

// A policy of `actions` that always has these logits, one for each and the last for stop.
inline std::shared_ptr<const policy::Policy> constantPolicy(std::vector<std::string> actions,
                                                            const std::vector<float>& logits) {
  const policy::NetworkShape shape{policy::Architecture::kLinear, policy::Encoder(actions.size()).width(), 0,
                                   0, logits.size()};
  std::vector<policy::Tensor> tensors = randomTensors(shape);
  for (policy::Tensor& tensor : tensors) {
    std::fill(tensor.values.begin(), tensor.values.end(), 0.0f);
    if (tensor.name == "logits.bias") tensor.values = logits;
  }
  policy::PolicyInfo info = samplePolicyInfo(shape.architecture, actions.size());
  actions.emplace_back(policy::kStop);
  info.actions = std::move(actions);
  auto policy = policy::Policy::parse(policy::writePolicy(info, std::move(tensors)), "p");
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return std::make_shared<const policy::Policy>(*std::move(policy));
}

}  // namespace ordo::fakes
