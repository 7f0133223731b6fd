#include "learn/network.h"

#include <algorithm>

namespace ordo::learn {
namespace {

using torch::nn::LayerNorm;
using torch::nn::LayerNormOptions;
using torch::nn::Linear;

std::int64_t dim(std::size_t size) { return static_cast<std::int64_t>(size); }

// Of what `norm`s see in a network of this shape: the width of the heads' input.
std::int64_t headInputs(const policy::NetworkShape& shape) {
  return dim(shape.architecture == policy::Architecture::kLinear ? shape.inputs : shape.hidden);
}

}  // namespace

NetworkImpl::BlockImpl::BlockImpl(std::int64_t hidden)
    : norm(register_module("norm", LayerNorm(LayerNormOptions({hidden})))),
      up(register_module("up", Linear(hidden, hidden))),
      down(register_module("down", Linear(hidden, hidden))) {}

torch::Tensor NetworkImpl::BlockImpl::forward(const torch::Tensor& h) {
  return h + down(torch::relu(up(norm(h))));
}

NetworkImpl::NetworkImpl(const policy::NetworkShape& shape)
    : shape_(shape), logits_(headInputs(shape), dim(shape.actions)), value_(headInputs(shape), 1) {
  if (shape.architecture == policy::Architecture::kResidual) {
    const std::int64_t hidden = dim(shape.hidden);
    input_ = register_module("input", Linear(dim(shape.inputs), hidden));
    torch::nn::ModuleList blocks = register_module("blocks", torch::nn::ModuleList());
    for (std::size_t i = 0; i < shape.blocks; ++i)
      blocks->push_back(blocks_.emplace_back(std::make_shared<BlockImpl>(hidden)));
    norm_ = register_module("norm", LayerNorm(LayerNormOptions({hidden})));
  }
  register_module("logits", logits_);
  register_module("value", value_);
  const torch::NoGradGuard no_gradients;
  for (const Linear& head : {logits_, value_}) {
    head->weight.zero_();
    head->bias.zero_();
  }
}

NetworkImpl::Output NetworkImpl::forward(const torch::Tensor& x) {
  torch::Tensor y = x;
  if (!input_.is_empty()) {
    y = input_(x);
    for (const auto& block : blocks_) y = block->forward(y);
    y = norm_(y);
  }
  return {logits_(y), value_(y).squeeze(1)};
}

std::vector<policy::Tensor> weightsOf(const Network& network) {
  const auto parameters = network->named_parameters();
  std::vector<policy::Tensor> weights;
  for (const policy::TensorShape& wanted : policy::tensorsOf(network->shape())) {
    const torch::Tensor values = parameters[wanted.name].detach().to(torch::kFloat).contiguous();
    weights.push_back(
        {wanted.name, wanted.shape,
         std::vector<float>(values.data_ptr<float>(), values.data_ptr<float>() + values.numel())});
  }
  return weights;
}

Status setWeights(Network& network, const std::vector<policy::Tensor>& weights) {
  const std::vector<policy::TensorShape> wanted = policy::tensorsOf(network->shape());
  if (weights.size() != wanted.size())
    return fail(ErrorCode::kInvalidArgument, "{} tensors, not {}", weights.size(), wanted.size());
  auto parameters = network->named_parameters();
  const torch::NoGradGuard no_gradients;
  for (const policy::TensorShape& shape : wanted) {
    const auto given = std::ranges::find(weights, shape.name, &policy::Tensor::name);
    if (given == weights.end() || given->shape != shape.shape)
      return fail(ErrorCode::kInvalidArgument, "no {} of that shape", shape.name);
    torch::Tensor& target = parameters[shape.name];
    const torch::Tensor values = torch::tensor(given->values);
    target.copy_(values.view(target.sizes()));
  }
  return {};
}

}  // namespace ordo::learn
