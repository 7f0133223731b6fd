// The small networks that policies are: a vector of features in, a logit for each action and one value out.
//
//   residual  h = input(x); for each block: h += down(relu(up(norm(h)))); y = norm(h);
//             logits(y), value(y), where input, up, down, logits and value are linear layers, norm is a layer
//             normalisation and all of h, up and down have the same width, `hidden`
//   linear    logits(x), value(x): for ablations
//
// Every x86-64 computes the same bits (policy/kernels.h).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/kernels.h"
#include "policy/safetensors.h"
#include "support/error.h"

namespace ordo::policy {

enum class Architecture : std::uint8_t { kResidual, kLinear };

// "residual", "linear"
std::string_view name(Architecture architecture);
// kUnsupported for any other text.
Result<Architecture> architectureOf(std::string_view text);

struct NetworkShape {
  Architecture architecture = Architecture::kResidual;
  std::size_t inputs = 0;
  std::size_t hidden = 0;  // residual only
  std::size_t blocks = 0;  // residual only; may be none
  std::size_t actions = 0;

  bool operator==(const NetworkShape&) const = default;
};

struct TensorShape {
  std::string name;
  std::vector<std::uint64_t> shape;
};

// The tensors of such a network, by the names and with the shapes of PyTorch's state_dict(): `input.weight`
// [hidden, inputs], `input.bias`, `blocks.0.norm.weight`, `blocks.0.up.weight`, … (docs/formats/weights.md).
std::vector<TensorShape> tensorsOf(const NetworkShape& shape);

// How many numbers they have together.
std::uint64_t parameters(const NetworkShape& shape);

inline constexpr std::uint64_t kMaxParameters = 4'000'000;
// Of weights, biases and inputs. No useful network comes near it, and below it nothing overflows: logits and
// value are finite.
inline constexpr float kMaxMagnitude = 1e6f;

// Immutable and thread-safe.
class Network {
 public:
  // Memory for one evaluation at a time, of any networks. Belongs to the caller.
  class Scratch {
    friend class Network;
    Lines hidden_, normed_, inner_, outputs_;
  };

  struct Output {
    std::span<const float> logits;  // one for each action; in the scratch memory, until it is used again
    float value = 0;
  };

  // The network that `tensors` are the state_dict() of. kCorrupt, with the tensor, if one is missing, has
  // another shape, is unknown, or has a value beyond kMaxMagnitude; kUnsupported above kMaxParameters.
  // `where` starts every message.
  static Result<Network> create(Architecture architecture, const std::vector<Tensor>& tensors,
                                std::string_view where);

  const NetworkShape& shape() const { return shape_; }

  // REQUIRES: x.size() == shape().inputs, and no |x[i]| above kMaxMagnitude.
  Output evaluate(std::span<const float> x, Scratch& scratch, const Kernel& kernel = fastestKernel()) const;

 private:
  // y = W·x + b, with W by columns, each padded to whole lines.
  struct Linear {
    Lines columns;
    Lines bias;
  };
  struct Norm {
    std::vector<float> scale, shift;
  };
  struct Block {
    Norm norm;
    Linear up, down;
  };

  NetworkShape shape_;
  Linear input_;
  std::vector<Block> blocks_;
  Norm norm_;
  Linear heads_;  // the logits, then the value
};

}  // namespace ordo::policy
