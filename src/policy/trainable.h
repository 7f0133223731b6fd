// A residual network (policy/network.h) that can learn: forward in doubles with what the way back needs kept,
// gradients, and Adam (Kingma and Ba, 2015, https://arxiv.org/abs/1412.6980). For networks of some thousands
// of numbers, so that no library is needed. One thread: the same seed gives the same weights.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "policy/network.h"
#include "policy/safetensors.h"
#include "support/rng.h"

namespace ordo::policy {

class Trainable {
 public:
  using Vector = std::vector<double>;

  // REQUIRES: a residual shape. All weights are 0.
  explicit Trainable(const NetworkShape& shape);

  void initialise(Rng& rng);

  // What forward() was like, for backward().
  class Tape {
   public:
    Vector logits;

   private:
    friend class Trainable;
    struct Normed {
      Vector unit, y;  // before and after scale and shift
      double scale = 1;
    };
    Vector x_;
    std::vector<Normed> normed_;
    std::vector<Vector> inner_;
    Normed last_;
  };

  // REQUIRES: shape().inputs numbers.
  Tape forward(Vector x) const;

  // Adds to the gradients what comes of that of the logits. REQUIRES: one for each logit.
  void backward(const Tape& tape, const Vector& wrong);

  // A step against the gradients, divided by `by`, which are 0 again. `decay` is of weights.
  void step(double by, double rate, double decay);

  const NetworkShape& shape() const { return shape_; }
  std::vector<Tensor> tensors() const;

 private:
  // A linear layer or a normalisation: where its weight and bias begin.
  struct Layer {
    std::size_t weight = 0, bias = 0, outputs = 0, inputs = 0;
  };
  struct Block {
    Layer norm, up, down;
  };

  Layer place(std::string_view name) const;
  Vector apply(const Layer& layer, const Vector& x) const;
  Vector back(const Layer& layer, const Vector& x, const Vector& dy);
  Tape::Normed normalise(const Layer& layer, const Vector& x) const;
  Vector backNorm(const Layer& layer, const Tape::Normed& normed, const Vector& dy);

  NetworkShape shape_;
  std::vector<TensorShape> shapes_;
  Layer input_, norm_, logits_;
  std::vector<Block> blocks_;
  // All weights lie in one vector, in the order of tensorsOf(), and so do their gradients and Adam's moments.
  Vector w_, gradient_, first_, second_;
  double steps_ = 0;
};

}  // namespace ordo::policy
