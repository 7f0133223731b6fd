#include "policy/trainable.h"

#include <gtest/gtest.h>

#include <cmath>

namespace ordo::policy {
namespace {

constexpr NetworkShape kShape{Architecture::kResidual, 3, 8, 1, 2};

Trainable::Vector point(Rng& rng) { return {rng.uniform() - 0.5, rng.uniform() - 0.5, rng.uniform() - 0.5}; }

TEST(Trainable, IsTheNetworkThatItsTensorsAre) {
  Rng rng(3);
  Trainable trainable(kShape);
  trainable.initialise(rng);
  const Network network = *Network::create(Architecture::kResidual, trainable.tensors(), "test");
  EXPECT_EQ(network.shape(), kShape);
  Network::Scratch scratch;
  for (int i = 0; i < 20; ++i) {
    const Trainable::Vector x = point(rng);
    const std::vector<float> floats(x.begin(), x.end());
    const Network::Output output = network.evaluate(floats, scratch);
    const Trainable::Tape tape = trainable.forward(x);
    // Floats against doubles.
    for (std::size_t j = 0; j < kShape.actions; ++j)
      EXPECT_NEAR(static_cast<double>(output.logits[j]), tape.logits[j], 1e-5);
  }
}

TEST(Trainable, LearnsWhatItIsShown) {
  Rng rng(5);
  Trainable trainable(kShape);
  trainable.initialise(rng);
  const auto wanted = [](const Trainable::Vector& x) {
    return Trainable::Vector{std::abs(x[0]), x[1] * x[2]};
  };
  const auto wrongness = [&] {
    Rng same(7);
    double sum = 0;
    for (int i = 0; i < 100; ++i) {
      const Trainable::Vector x = point(same), logits = trainable.forward(x).logits, right = wanted(x);
      for (std::size_t j = 0; j < right.size(); ++j) sum += std::pow(logits[j] - right[j], 2);
    }
    return sum;
  };
  const double before = wrongness();
  for (int step = 0; step < 400; ++step) {
    for (int i = 0; i < 16; ++i) {
      const Trainable::Vector x = point(rng), right = wanted(x);
      const Trainable::Tape tape = trainable.forward(x);
      trainable.backward(tape, {tape.logits[0] - right[0], tape.logits[1] - right[1]});
    }
    trainable.step(16, 5e-3, 0);
  }
  EXPECT_LT(wrongness(), before / 10);
}

}  // namespace
}  // namespace ordo::policy
