// The network is policy::Network's `residual`, forward in doubles with what the way back needs kept:
//
//   h = input(x); for each block: h += down(relu(up(norm(h)))); y = norm(h); logits(y)
//
// All weights lie in one vector, in the order of policy::tensorsOf(), and so do their gradients.
#include "advice/imitate.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <string>

#include "policy/learned_advisor.h"
#include "support/rng.h"

namespace ordo::advice {
namespace {

using Vector = std::vector<double>;
constexpr double kEpsilon = 1e-5;  // of layer normalisation, as policy::layerNorm()
constexpr std::size_t kBatch = 64;

// A linear layer or a normalisation: where its weight and bias begin.
struct Layer {
  std::size_t weight = 0, bias = 0, outputs = 0, inputs = 0;
};

void apply(const Layer& layer, const Vector& w, const Vector& x, Vector& y) {
  y.assign(layer.outputs, 0);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const double* const row = w.data() + layer.weight + o * layer.inputs;
    y[o] = std::inner_product(x.begin(), x.end(), row, w[layer.bias + o]);
  }
}

// Adds to the gradients, and gives that of x.
Vector back(const Layer& layer, const Vector& w, const Vector& x, const Vector& dy, Vector& gradient) {
  Vector dx(layer.inputs, 0);
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    const std::size_t row = layer.weight + o * layer.inputs;
    gradient[layer.bias + o] += dy[o];
    for (std::size_t i = 0; i < layer.inputs; ++i) {
      gradient[row + i] += dy[o] * x[i];
      dx[i] += dy[o] * w[row + i];
    }
  }
  return dx;
}

struct Normed {
  Vector unit, y;  // before and after scale and shift
  double scale = 1;
};

Normed normalise(const Layer& layer, const Vector& w, const Vector& x) {
  const auto n = static_cast<double>(x.size());
  const double mean = std::accumulate(x.begin(), x.end(), 0.0) / n;
  double variance = 0;
  for (const double value : x) variance += (value - mean) * (value - mean) / n;
  Normed normed{Vector(x.size()), Vector(x.size()), 1 / std::sqrt(variance + kEpsilon)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    normed.unit[i] = (x[i] - mean) * normed.scale;
    normed.y[i] = normed.unit[i] * w[layer.weight + i] + w[layer.bias + i];
  }
  return normed;
}

Vector backNorm(const Layer& layer, const Vector& w, const Normed& normed, const Vector& dy,
                Vector& gradient) {
  const auto n = static_cast<double>(dy.size());
  Vector unit(dy.size());
  double sum = 0, along = 0;
  for (std::size_t i = 0; i < dy.size(); ++i) {
    gradient[layer.weight + i] += dy[i] * normed.unit[i];
    gradient[layer.bias + i] += dy[i];
    unit[i] = dy[i] * w[layer.weight + i];
    sum += unit[i];
    along += unit[i] * normed.unit[i];
  }
  Vector dx(dy.size());
  for (std::size_t i = 0; i < dy.size(); ++i)
    dx[i] = normed.scale * (unit[i] - sum / n - normed.unit[i] * along / n);
  return dx;
}

class Model {
 public:
  explicit Model(const policy::NetworkShape& shape) : shape_(shape), tensors_(policy::tensorsOf(shape)) {
    std::size_t next = 0;
    const auto place = [&](std::string_view name) {
      Layer layer;
      std::size_t at = 0;
      for (const policy::TensorShape& tensor : tensors_) {
        const std::size_t size =
            std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
        if (tensor.name == std::string(name) + ".weight") {
          layer.weight = at;
          layer.outputs = tensor.shape[0];
          layer.inputs = tensor.shape.size() > 1 ? tensor.shape[1] : 0;
        }
        if (tensor.name == std::string(name) + ".bias") layer.bias = at;
        at += size;
      }
      next = at;
      return layer;
    };
    input_ = place("input");
    norm_ = place("norm");
    logits_ = place("logits");
    for (std::size_t block = 0; block < shape.blocks; ++block) {
      const std::string name = fmt::format("blocks.{}.", block);
      blocks_.push_back({place(name + "norm"), place(name + "up"), place(name + "down")});
    }
    w_.assign(next, 0);
  }

  void initialise(Rng& rng) {
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

  // The loss of an example, added up over its answers; its gradient too, where there is one.
  double learn(const env::DecisionSpec& spec, const Example& example, Vector* gradient) const {
    const std::vector<float> encoded = policy::encodeQuestion(spec, example.features, example.usual);
    const Vector x(encoded.begin(), encoded.end());
    Vector h;
    apply(input_, w_, x, h);
    std::vector<Normed> normed;
    std::vector<Vector> inner;
    for (const Block& block : blocks_) {
      normed.push_back(normalise(block.norm, w_, h));
      Vector up, down;
      apply(block.up, w_, normed.back().y, up);
      for (double& value : up) value = std::max(value, 0.0);
      apply(block.down, w_, up, down);
      inner.push_back(std::move(up));
      for (std::size_t i = 0; i < h.size(); ++i) h[i] += down[i];
    }
    const Normed last = normalise(norm_, w_, h);
    Vector logits;
    apply(logits_, w_, last.y, logits);

    double loss = 0;
    Vector wrong(logits.size(), 0);
    for (std::uint32_t answer = 0; answer < logits.size(); ++answer) {
      if (answer == example.usual || std::isnan(example.saved[answer])) continue;
      const double target = std::clamp(example.saved[answer] / kUnit, -kMost, kMost);
      const double off = logits[answer] - logits[example.usual] - target;
      loss += std::abs(off) <= 1 ? off * off / 2 : std::abs(off) - 0.5;  // Huber, 1964
      wrong[answer] += std::clamp(off, -1.0, 1.0);
      wrong[example.usual] -= std::clamp(off, -1.0, 1.0);
    }
    if (gradient == nullptr) return loss;
    Vector dh = backNorm(norm_, w_, last, back(logits_, w_, last.y, wrong, *gradient), *gradient);
    for (std::size_t b = blocks_.size(); b-- > 0;) {
      Vector du = back(blocks_[b].down, w_, inner[b], dh, *gradient);
      for (std::size_t i = 0; i < du.size(); ++i)
        if (inner[b][i] <= 0) du[i] = 0;
      const Vector dn = back(blocks_[b].up, w_, normed[b].y, du, *gradient);
      const Vector through = backNorm(blocks_[b].norm, w_, normed[b], dn, *gradient);
      for (std::size_t i = 0; i < dh.size(); ++i) dh[i] += through[i];
    }
    back(input_, w_, x, dh, *gradient);
    return loss;
  }

  Vector& weights() { return w_; }

  std::vector<policy::Tensor> tensors() const {
    std::vector<policy::Tensor> result;
    std::size_t at = 0;
    for (const policy::TensorShape& tensor : tensors_) {
      const std::size_t size =
          std::accumulate(tensor.shape.begin(), tensor.shape.end(), std::size_t{1}, std::multiplies<>());
      std::vector<float> values;
      for (std::size_t i = 0; i < size; ++i) values.push_back(static_cast<float>(w_[at + i]));
      at += size;
      result.push_back({tensor.name, tensor.shape, std::move(values)});
    }
    return result;
  }

 private:
  struct Block {
    Layer norm, up, down;
  };
  policy::NetworkShape shape_;
  std::vector<policy::TensorShape> tensors_;
  Layer input_, norm_, logits_;
  std::vector<Block> blocks_;
  Vector w_;
};

std::size_t triedOf(std::span<const Example> examples) {
  std::size_t tried = 0;
  for (const Example& example : examples) {
    for (std::uint32_t answer = 0; answer < example.saved.size(); ++answer)
      tried += answer != example.usual && !std::isnan(example.saved[answer]);
  }
  return tried;
}

}  // namespace

Imitation imitate(const env::DecisionSpec& spec, std::span<const Example> examples,
                  std::span<const Example> held_out, const ImitationSettings& settings,
                  const std::function<bool(std::size_t, double)>& go_on) {
  Rng rng(settings.seed);
  Model model({.architecture = policy::Architecture::kResidual,
               .inputs = spec.features.size() + spec.answers.size(),
               .hidden = settings.hidden,
               .blocks = settings.blocks,
               .actions = spec.answers.size()});
  model.initialise(rng);
  Vector& w = model.weights();
  Vector first(w.size(), 0), second(w.size(), 0), gradient(w.size());
  std::vector<std::size_t> order(examples.size());
  std::iota(order.begin(), order.end(), 0);
  const auto tried = static_cast<double>(triedOf(examples)), held = static_cast<double>(triedOf(held_out));
  Imitation best;
  best.held_out_loss = std::numeric_limits<double>::infinity();
  double steps = 0;
  for (std::size_t epoch = 1; epoch <= settings.most_epochs && epoch <= best.epochs + settings.patience;
       ++epoch) {
    rng.shuffle(std::span(order));
    double loss = 0;
    for (std::size_t begin = 0; begin < order.size(); begin += kBatch) {
      const std::size_t end = std::min(begin + kBatch, order.size());
      std::ranges::fill(gradient, 0);
      for (std::size_t i = begin; i < end; ++i) loss += model.learn(spec, examples[order[i]], &gradient);
      ++steps;
      const double rate = settings.rate * std::sqrt(1 - std::pow(0.999, steps)) / (1 - std::pow(0.9, steps));
      for (std::size_t i = 0; i < w.size(); ++i) {
        const double g = gradient[i] / static_cast<double>(end - begin);
        first[i] += 0.1 * (g - first[i]);
        second[i] += 0.001 * (g * g - second[i]);
        w[i] -= rate * first[i] / (std::sqrt(second[i]) + 1e-8) + settings.rate * settings.decay * w[i];
      }
    }
    double held_loss = 0;
    for (const Example& example : held_out) held_loss += model.learn(spec, example, nullptr);
    held_loss /= held;
    if (held_loss < best.held_out_loss) best = {model.tensors(), epoch, loss / tried, held_loss};
    if (go_on && !go_on(epoch, held_loss)) break;
  }
  return best;
}

}  // namespace ordo::advice
