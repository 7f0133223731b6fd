#include "learn/ignore.h"

#include <gtest/gtest.h>

#include "tests/unit/learn/oracle.h"

namespace ordo::learn {
namespace {

TEST(IgnoreTest, StaysBlindToWhatItIgnoresHoweverItIsTrained) {
  for (const policy::NetworkShape& shape :
       {policy::NetworkShape{policy::Architecture::kResidual, 3, 8, 1, 2},
        policy::NetworkShape{policy::Architecture::kLinear, 3, 0, 0, 2}}) {
    torch::manual_seed(4);
    Network network(shape);
    ignore(network, std::vector<std::uint8_t>{0, 1, 0});
    torch::optim::AdamW optimizer(network->parameters(), torch::optim::AdamWOptions(0.05).weight_decay(0.1));
    const torch::Tensor x = torch::randn({32, 3});
    const torch::Tensor target = x.sum(1);  // it would pay to see them all
    for (int step = 0; step < 20; ++step) {
      const NetworkImpl::Output output = network(x);
      const torch::Tensor loss = (output.value - target).square().mean() + output.logits.square().mean();
      optimizer.zero_grad();
      loss.backward();
      optimizer.step();
    }
    const NetworkImpl::Output before = network(x);
    torch::Tensor changed = x.clone();
    changed.select(1, 1).fill_(1000);
    EXPECT_EQ(distance(network(changed).value, before.value), 0);
    EXPECT_EQ(distance(network(changed).logits, before.logits), 0);
    changed = x.clone();
    changed.select(1, 2).fill_(1000);
    EXPECT_GT(distance(network(changed).value, before.value), 0.1);
  }
}

}  // namespace
}  // namespace ordo::learn
