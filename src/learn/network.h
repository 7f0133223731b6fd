// Policy networks as libtorch trains them: the same layers, names and results as policy::Network, which runs
// them in the compile path (docs/formats/weights.md).
#pragma once

#include <torch/torch.h>

#include <vector>

#include "policy/network.h"
#include "policy/safetensors.h"
#include "support/error.h"

namespace ordo::learn {

class NetworkImpl final : public torch::nn::Module {
 public:
  // Weights as PyTorch initialises its layers, drawn from torch's default generator (torch::manual_seed()),
  // except that logits and value start at nothing: every action is as likely as any other.
  explicit NetworkImpl(const policy::NetworkShape& shape);

  struct Output {
    torch::Tensor logits;  // [batch, actions]
    torch::Tensor value;   // [batch]
  };

  // REQUIRES: x is [batch, inputs], float.
  Output forward(const torch::Tensor& x);

  const policy::NetworkShape& shape() const { return shape_; }

 private:
  struct BlockImpl final : torch::nn::Module {
    explicit BlockImpl(std::int64_t hidden);
    torch::Tensor forward(const torch::Tensor& h);
    torch::nn::LayerNorm norm;
    torch::nn::Linear up, down;
  };

  policy::NetworkShape shape_;
  torch::nn::Linear input_{nullptr};
  std::vector<std::shared_ptr<BlockImpl>> blocks_;
  torch::nn::LayerNorm norm_{nullptr};
  torch::nn::Linear logits_, value_;
};
TORCH_MODULE(Network);

// The weights by the names of policy::tensorsOf(), in that order.
std::vector<policy::Tensor> weightsOf(const Network& network);

// Puts weights into a network. kInvalidArgument unless they are exactly those of its shape.
Status setWeights(Network& network, const std::vector<policy::Tensor>& weights);

}  // namespace ordo::learn
