// Network::create() has three steps: shapeOf() takes the shape from the matrices, checkTensors() holds every
// tensor to what tensorsOf() lists for that shape, and then weights are turned into columns padded to whole
// lines, as kernels read them (putRows()). Logits and value are one layer, the value last. evaluate() keeps
// the residual sum in the scratch memory and lets each block add to it in place: the bias of `down`, then its
// columns.
#include "policy/network.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace ordo::policy {
namespace {

using Shape = std::vector<std::uint64_t>;

std::string shapeText(const Shape& shape) { return fmt::format("[{}]", fmt::join(shape, ", ")); }

const Tensor* find(const std::vector<Tensor>& tensors, std::string_view name) {
  const auto found = std::find_if(tensors.begin(), tensors.end(),
                                  [name](const Tensor& tensor) { return tensor.name == name; });
  return found == tensors.end() ? nullptr : &*found;
}

// The two extents of a weight matrix: outputs and inputs.
Result<std::pair<std::size_t, std::size_t>> extents(const std::vector<Tensor>& tensors, std::string_view name,
                                                    std::string_view where) {
  const Tensor* tensor = find(tensors, name);
  if (tensor == nullptr) return fail(ErrorCode::kCorrupt, "{}: the tensor '{}' is missing", where, name);
  if (tensor->shape.size() != 2 || tensor->values.empty()) {
    return fail(ErrorCode::kCorrupt, "{}: tensor '{}': a matrix should not have the shape {}", where, name,
                shapeText(tensor->shape));
  }
  return std::pair<std::size_t, std::size_t>(tensor->shape[0], tensor->shape[1]);
}

// What the matrices say. Whether all else fits is checked against tensorsOf() this.
Result<NetworkShape> shapeOf(Architecture architecture, const std::vector<Tensor>& tensors,
                             std::string_view where) {
  NetworkShape shape{.architecture = architecture};
  ORDO_TRY_ASSIGN(const auto logits, extents(tensors, "logits.weight", where));
  shape.actions = logits.first;
  shape.inputs = logits.second;
  if (architecture == Architecture::kResidual) {
    ORDO_TRY_ASSIGN(const auto input, extents(tensors, "input.weight", where));
    shape.hidden = input.first;
    shape.inputs = input.second;
    while (find(tensors, fmt::format("blocks.{}.up.weight", shape.blocks)) != nullptr) ++shape.blocks;
  }
  return shape;
}

Status checkTensors(const NetworkShape& shape, const std::vector<Tensor>& tensors, std::string_view where) {
  const std::vector<TensorShape> wanted = tensorsOf(shape);
  for (const TensorShape& want : wanted) {
    const Tensor* tensor = find(tensors, want.name);
    if (tensor == nullptr)
      return fail(ErrorCode::kCorrupt, "{}: the tensor '{}' is missing", where, want.name);
    if (tensor->shape != want.shape) {
      return fail(ErrorCode::kCorrupt, "{}: tensor '{}' has the shape {} and should have {}", where,
                  want.name, shapeText(tensor->shape), shapeText(want.shape));
    }
  }
  for (const Tensor& tensor : tensors) {
    const bool known = std::any_of(wanted.begin(), wanted.end(),
                                   [&](const TensorShape& want) { return want.name == tensor.name; });
    if (!known) {
      return fail(ErrorCode::kCorrupt, "{}: tensor '{}' is none of a network of the architecture '{}'", where,
                  tensor.name, name(shape.architecture));
    }
    for (const float value : tensor.values) {
      if (!(std::fabs(value) <= kMaxMagnitude)) {
        return fail(ErrorCode::kCorrupt, "{}: tensor '{}' has the value {}; at most {} is a weight", where,
                    tensor.name, value, kMaxMagnitude);
      }
    }
  }
  return {};
}

// Puts the rows of `weight` [outputs, inputs] into the lanes of columns from `first` on. A line at a time, so
// that each line of the cache is written once.
void putRows(const Tensor& weight, std::size_t first, Lines& columns) {
  const std::size_t outputs = weight.shape[0], inputs = weight.shape[1];
  const std::size_t lines = columns.size() / inputs;
  for (std::size_t begin = 0; begin < outputs;) {
    const std::size_t line = (first + begin) / kLanes, lane = (first + begin) % kLanes;
    const std::size_t count = std::min(kLanes - lane, outputs - begin);
    const float* rows = weight.values.data() + begin * inputs;
    for (std::size_t i = 0; i < inputs; ++i) {
      float* to = columns[i * lines + line].lane + lane;
      for (std::size_t row = 0; row < count; ++row) to[row] = rows[row * inputs + i];
    }
    begin += count;
  }
}

}  // namespace

std::string_view name(Architecture architecture) {
  return architecture == Architecture::kResidual ? "residual" : "linear";
}

Result<Architecture> architectureOf(std::string_view text) {
  for (const Architecture architecture : {Architecture::kResidual, Architecture::kLinear}) {
    if (name(architecture) == text) return architecture;
  }
  return fail(ErrorCode::kUnsupported, "the architecture '{}' is unknown; there are residual and linear",
              text);
}

std::vector<TensorShape> tensorsOf(const NetworkShape& shape) {
  std::vector<TensorShape> tensors;
  const auto linear = [&](const std::string& name, std::uint64_t outputs, std::uint64_t inputs) {
    tensors.push_back({name + ".weight", {outputs, inputs}});
    tensors.push_back({name + ".bias", {outputs}});
  };
  const auto norm = [&](const std::string& name) {
    tensors.push_back({name + ".weight", {shape.hidden}});
    tensors.push_back({name + ".bias", {shape.hidden}});
  };
  if (shape.architecture == Architecture::kResidual) {
    linear("input", shape.hidden, shape.inputs);
    for (std::size_t i = 0; i < shape.blocks; ++i) {
      const std::string block = fmt::format("blocks.{}.", i);
      norm(block + "norm");
      linear(block + "up", shape.hidden, shape.hidden);
      linear(block + "down", shape.hidden, shape.hidden);
    }
    norm("norm");
  }
  const std::size_t last = shape.architecture == Architecture::kResidual ? shape.hidden : shape.inputs;
  linear("logits", shape.actions, last);
  linear("value", 1, last);
  return tensors;
}

std::uint64_t parameters(const NetworkShape& shape) {
  std::uint64_t total = 0;
  for (const TensorShape& tensor : tensorsOf(shape)) {
    std::uint64_t product = 1;
    for (const std::uint64_t extent : tensor.shape) product *= extent;
    total += product;
  }
  return total;
}

Result<Network> Network::create(Architecture architecture, const std::vector<Tensor>& tensors,
                                std::string_view where) {
  std::uint64_t count = 0;
  for (const Tensor& tensor : tensors) count += tensor.values.size();
  if (count > kMaxParameters) {
    return fail(ErrorCode::kUnsupported, "{}: it has {} parameters, and a policy at most {}", where, count,
                kMaxParameters);
  }
  ORDO_TRY_ASSIGN(const NetworkShape shape, shapeOf(architecture, tensors, where));
  ORDO_TRY(checkTensors(shape, tensors, where));

  // All that is asked for from here on is there.
  const auto norm = [&](const std::string& name) {
    return Norm{find(tensors, name + ".weight")->values, find(tensors, name + ".bias")->values};
  };
  // Layers of the same input, one below the other.
  const auto linear = [&](const std::vector<std::string>& names) {
    std::size_t outputs = 0, inputs = 0;
    for (const std::string& name : names) {
      const Tensor& weight = *find(tensors, name + ".weight");
      outputs += weight.shape[0];
      inputs = weight.shape[1];
    }
    Linear layer{Lines(inputs * linesFor(outputs)), Lines(linesFor(outputs))};
    std::size_t first = 0;
    for (const std::string& name : names) {
      putRows(*find(tensors, name + ".weight"), first, layer.columns);
      const std::vector<float>& bias = find(tensors, name + ".bias")->values;
      std::copy(bias.begin(), bias.end(), floats(layer.bias).subspan(first).begin());
      first += bias.size();
    }
    return layer;
  };
  Network network;
  network.shape_ = shape;
  if (architecture == Architecture::kResidual) {
    network.input_ = linear({"input"});
    for (std::size_t i = 0; i < shape.blocks; ++i) {
      const std::string block = fmt::format("blocks.{}.", i);
      network.blocks_.push_back({norm(block + "norm"), linear({block + "up"}), linear({block + "down"})});
    }
    network.norm_ = norm("norm");
  }
  network.heads_ = linear({"logits", "value"});
  return network;
}

Network::Output Network::evaluate(std::span<const float> x, Scratch& scratch, const Kernel& kernel) const {
  ORDO_CHECK(x.size() == shape_.inputs, "{} features for a network of {}", x.size(), shape_.inputs);
  const auto apply = [&kernel](const Linear& layer, std::span<const float> from, Lines& to) {
    to.assign(layer.bias.begin(), layer.bias.end());
    kernel.accumulate(from, layer.columns.data(), to);
  };
  std::span<const float> last = x;
  if (shape_.architecture == Architecture::kResidual) {
    Lines& hidden = scratch.hidden_;
    scratch.normed_.resize(linesFor(shape_.hidden));
    const std::span<float> normed = floats(scratch.normed_).first(shape_.hidden);
    apply(input_, x, hidden);
    const std::span<float> sum = floats(hidden).first(shape_.hidden);
    for (const Block& block : blocks_) {
      layerNorm(sum, block.norm.scale, block.norm.shift, normed);
      apply(block.up, normed, scratch.inner_);
      const std::span<float> inner = floats(scratch.inner_).first(shape_.hidden);
      relu(inner);
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += floats(block.down.bias)[i];
      kernel.accumulate(inner, block.down.columns.data(), hidden);
    }
    layerNorm(sum, norm_.scale, norm_.shift, normed);
    last = normed;
  }
  apply(heads_, last, scratch.outputs_);
  const std::span<const float> outputs = floats(scratch.outputs_);
  return {outputs.first(shape_.actions), outputs[shape_.actions]};
}

}  // namespace ordo::policy
