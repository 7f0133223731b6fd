// What PyTorch computes in Python (tests/data/learn/make.py).
#pragma once

#include <torch/torch.h>

#include "learn/network.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::learn {

inline const Json& oracle() {
  static const Json json = Json::parse(*readFile(ORDO_SOURCE_DIR "/tests/data/learn/oracle.json"));
  return json;
}

// A list of numbers as a tensor, or a list of such lists.
inline torch::Tensor tensorOf(const Json& list) {
  if (!list.at(0).is_array()) return torch::tensor(list.get<std::vector<float>>());
  std::vector<torch::Tensor> rows;
  for (const Json& row : list) rows.push_back(tensorOf(row));
  return torch::stack(rows);
}

inline policy::NetworkShape oracleShape() {
  const Json& shape = oracle().at("shape");
  return {policy::Architecture::kResidual, shape.at("inputs"), shape.at("hidden"), shape.at("blocks"),
          shape.at("actions")};
}

// The network of the oracle.
inline Network oracleNetwork() {
  Network network(oracleShape());
  std::vector<policy::Tensor> weights;
  for (const policy::TensorShape& shape : policy::tensorsOf(oracleShape()))
    weights.push_back(
        {shape.name, shape.shape, oracle().at("weights").at(shape.name).get<std::vector<float>>()});
  ORDO_CHECK(setWeights(network, weights).has_value(), "the oracle has other weights");
  return network;
}

// The largest difference between two tensors.
inline double distance(const torch::Tensor& a, const torch::Tensor& b) {
  return (a - b).abs().max().item<double>();
}

}  // namespace ordo::learn
