//   h = input(x); for each block: h += down(relu(up(norm(h)))); y = norm(h); logits(y)
#include "policy/trainable.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <string>

namespace ordo::policy {
namespace {

constexpr double kEpsilon = 1e-5;  // of layer normalisation, as policy::layerNorm()

std::size_t sizeOf(const TensorShape& tensor) {
  return std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
}

}  // namespace

Trainable::Trainable(const NetworkShape& shape) : shape_(shape), shapes_(tensorsOf(shape)) {
  input_ = place("input");
  norm_ = place("norm");
  logits_ = place("logits");
  for (std::size_t block = 0; block < shape.blocks; ++block) {
    const std::string name = fmt::format("blocks.{}.", block);
    blocks_.push_back({place(name + "norm"), place(name + "up"), place(name + "down")});
  }
  std::size_t size = 0;
  for (const TensorShape& tensor : shapes_) size += sizeOf(tensor);
  for (Vector* const vector : {&w_, &gradient_, &first_, &second_}) vector->assign(size, 0);
}

Trainable::Layer Trainable::place(std::string_view name) const {
  Layer layer;
  std::size_t at = 0;
  for (const TensorShape& tensor : shapes_) {
    if (tensor.name == std::string(name) + ".weight") {
      layer.weight = at;
      layer.outputs = tensor.shape[0];
      layer.inputs = tensor.shape.size() > 1 ? tensor.shape[1] : 0;
    }
    if (tensor.name == std::string(name) + ".bias") layer.bias = at;
    at += sizeOf(tensor);
  }
  return layer;
}

void Trainable::initialise(Rng& rng) {
  const auto linear = [&](const Layer& layer, double gain) {
    const double bound = gain / std::sqrt(static_cast<double>(layer.inputs));
    for (std::size_t i = 0; i < layer.outputs * layer.inputs; ++i)
      w_[layer.weight + i] = bound * (2 * rng.uniform() - 1);
  };
  const auto norm = [&](const Layer& layer) {
    std::fill_n(w_.begin() + static_cast<std::ptrdiff_t>(layer.weight), layer.outputs, 1.0);
  };
  linear(input_, 1);
  norm(norm_);
  linear(logits_, 0.1);
  for (const Block& block : blocks_) {
    norm(block.norm);
    linear(block.up, 1);
    linear(block.down, 0.5);
  }
}

Trainable::Vector Trainable::apply(const Layer& layer, const Vector& x) const {
  Vector y(layer.outputs, 0);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const double* const row = w_.data() + layer.weight + o * layer.inputs;
    y[o] = std::inner_product(x.begin(), x.end(), row, w_[layer.bias + o]);
  }
  return y;
}

// Adds to the gradients, and gives that of x.
Trainable::Vector Trainable::back(const Layer& layer, const Vector& x, const Vector& dy) {
  Vector dx(layer.inputs, 0);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const std::size_t row = layer.weight + o * layer.inputs;
    gradient_[layer.bias + o] += dy[o];
    if (dy[o] == 0) continue;
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      gradient_[row + i] += dy[o] * x[i];
      dx[i] += dy[o] * w_[row + i];
    }
  }
  return dx;
}

Trainable::Tape::Normed Trainable::normalise(const Layer& layer, const Vector& x) const {
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / n;
  Tape::Normed normed{Vector(x.size()), Vector(x.size()), 1 / std::sqrt(variance + kEpsilon)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    normed.unit[i] = (x[i] - mean) * normed.scale;
    normed.y[i] = normed.unit[i] * w_[layer.weight + i] + w_[layer.bias + i];
  }
  return normed;
}

Trainable::Vector Trainable::backNorm(const Layer& layer, const Tape::Normed& normed, const Vector& dy) {
  const auto n = static_cast<double>(dy.size());
  Vector unit(dy.size());
  double sum = 0, along = 0;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    gradient_[layer.weight + i] += dy[i] * normed.unit[i];
    gradient_[layer.bias + i] += dy[i];
    unit[i] = dy[i] * w_[layer.weight + i];
    sum += unit[i];
    along += unit[i] * normed.unit[i];
  }
  Vector dx(dy.size());
  for (std::size_t i = 0; i < dy.size(); ++i)
    dx[i] = normed.scale * (unit[i] - sum / n - normed.unit[i] * along / n);
  return dx;
}

Trainable::Tape Trainable::forward(Vector x) const {
  Tape tape;
  tape.x_ = std::move(x);
  Vector h = apply(input_, tape.x_);
  for (const Block& block : blocks_) {
    tape.normed_.push_back(normalise(block.norm, h));
    Vector up = apply(block.up, tape.normed_.back().y);
    for (double& value : up) value = std::max(value, 0.0);
    const Vector down = apply(block.down, up);
    tape.inner_.push_back(std::move(up));
    for (std::size_t i = 0; i < h.size(); ++i) h[i] += down[i];
  }
  tape.last_ = normalise(norm_, h);
  tape.logits = apply(logits_, tape.last_.y);
  return tape;
}

void Trainable::backward(const Tape& tape, const Vector& wrong) {
  Vector dh = backNorm(norm_, tape.last_, back(logits_, tape.last_.y, wrong));
  for (std::size_t b = blocks_.size(); b-- > 0;) {
    Vector du = back(blocks_[b].down, tape.inner_[b], dh);
    for (std::size_t i = 0; i < du.size(); ++i)
      if (tape.inner_[b][i] <= 0) du[i] = 0;
    const Vector dn = back(blocks_[b].up, tape.normed_[b].y, du);
    const Vector through = backNorm(blocks_[b].norm, tape.normed_[b], dn);
    for (std::size_t i = 0; i < dh.size(); ++i) dh[i] += through[i];
  }
  back(input_, tape.x_, dh);
}

void Trainable::step(double by, double rate, double decay) {
  ++steps_;
  const double now = rate * std::sqrt(1 - std::pow(0.999, steps_)) / (1 - std::pow(0.9, steps_));
  for (std::size_t i = 0; i < w_.size(); ++i) {
    const double g = gradient_[i] / by;
    gradient_[i] = 0;
    first_[i] += 0.1 * (g - first_[i]);
    second_[i] += 0.001 * (g * g - second_[i]);
    w_[i] -= now * first_[i] / (std::sqrt(second_[i]) + 1e-8) + rate * decay * w_[i];
  }
}

std::vector<Tensor> Trainable::tensors() const {
  std::vector<Tensor> result;
  std::size_t at = 0;
  for (const TensorShape& tensor : shapes_) {
    const auto from = w_.begin() + static_cast<std::ptrdiff_t>(at);
    const std::size_t size = sizeOf(tensor);
    std::vector<float> values;
    std::transform(from, from + static_cast<std::ptrdiff_t>(size), std::back_inserter(values),
                   [](double value) { return static_cast<float>(value); });
    at += size;
    result.push_back({tensor.name, tensor.shape, std::move(values)});
  }
  return result;
}

}  // namespace ordo::policy
