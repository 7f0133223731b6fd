#include "policy/network.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <thread>

#include "support/files.h"
#include "tests/fakes/random_policy.h"

namespace ordo::policy {
namespace {

// What the header says, in double precision and as directly as possible.
class Oracle {
 public:
  using Vector = std::vector<double>;

  explicit Oracle(const std::vector<Tensor>& tensors) {
    for (const Tensor& tensor : tensors) tensors_[tensor.name] = &tensor;
  }

  // The logits, then the value.
  Vector evaluate(const NetworkShape& shape, const Vector& x) const {
    Vector last = x;
    if (shape.architecture == Architecture::kResidual) {
      Vector h = linear("input", x);
      for (std::size_t block = 0; block < shape.blocks; ++block) {
        const std::string name = fmt::format("blocks.{}.", block);
        Vector inner = linear(name + "up", norm(name + "norm", h));
        for (double& value : inner) value = std::max(value, 0.0);
        const Vector change = linear(name + "down", inner);
        for (std::size_t i = 0; i < h.size(); ++i) h[i] += change[i];
      }
      last = norm("norm", h);
    }
    Vector outputs = linear("logits", last);
    outputs.push_back(linear("value", last)[0]);
    return outputs;
  }

 private:
  const std::vector<float>& get(const std::string& name) const { return tensors_.at(name)->values; }

  Vector linear(const std::string& name, const Vector& x) const {
    Vector y;
    for (std::size_t row = 0; row < get(name + ".bias").size(); ++row) {
      y.push_back(get(name + ".bias")[row]);
      for (std::size_t i = 0; i < x.size(); ++i) y.back() += x[i] * get(name + ".weight")[row * x.size() + i];
    }
    return y;
  }

  Vector norm(const std::string& name, const Vector& x) const {
    double mean = 0, variance = 0;
    for (const double value : x) mean += value / static_cast<double>(x.size());
    for (const double value : x) variance += (value - mean) * (value - mean) / static_cast<double>(x.size());
    Vector y;
    for (std::size_t i = 0; i < x.size(); ++i) {
      y.push_back((x[i] - mean) / std::sqrt(variance + 1e-5) * get(name + ".weight")[i] +
                  get(name + ".bias")[i]);
    }
    return y;
  }

  std::map<std::string, const Tensor*> tensors_;
};

std::vector<float> randomInput(std::size_t size, Rng& rng) {
  std::vector<float> x(size);
  for (float& value : x) value = rng.chance(0.4) ? 0 : static_cast<float>(4 * rng.uniform() - 2);
  return x;
}

std::vector<float> together(const Network::Output& output) {
  std::vector<float> all(output.logits.begin(), output.logits.end());
  all.push_back(output.value);
  return all;
}

// Narrow and wide, with and without padding, with and without blocks, and linear.
std::vector<NetworkShape> sampleShapes() {
  using enum Architecture;
  return {{kResidual, 5, 3, 1, 2},      {kResidual, 1, 1, 0, 1},      {kResidual, 40, 16, 2, 15},
          {kResidual, 300, 128, 3, 99}, {kResidual, 550, 200, 0, 33}, {kLinear, 550, 0, 0, 99},
          {kLinear, 1, 0, 0, 1}};
}

TEST(NetworkTest, ComputesWhatTheOracleDoes) {
  Rng rng(1);
  Network::Scratch scratch;
  for (const NetworkShape& shape : sampleShapes()) {
    const std::vector<Tensor> tensors = fakes::randomTensors(shape, rng.next());
    const auto network = Network::create(shape.architecture, tensors, "test");
    ASSERT_TRUE(network) << network.error().message;
    EXPECT_EQ(network->shape(), shape);
    for (int round = 0; round < 5; ++round) {
      const std::vector<float> x = randomInput(shape.inputs, rng);
      const std::vector<float> outputs = together(network->evaluate(x, scratch));
      const auto expected = Oracle(tensors).evaluate(shape, {x.begin(), x.end()});
      ASSERT_EQ(outputs.size(), expected.size());
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        // float has 24 bits and the longest sums 550 terms of about 1/20.
        EXPECT_NEAR(outputs[i], expected[i], 1e-5 * std::max(1.0, std::fabs(expected[i])));
      }
    }
  }
}

// Weights, input and output of tests/data/policy/make.py, which computes in float64.
TEST(NetworkTest, ComputesWhatNumpyDoes) {
  const auto bytes = readFile(ORDO_SOURCE_DIR "/tests/data/policy/numpy.safetensors");
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto file = parseSafetensors(*bytes, "numpy.safetensors");
  ASSERT_TRUE(file) << file.error().message;
  ASSERT_EQ(file->tensors.at(file->tensors.size() - 1).name, "y");
  const std::vector<float> y = file->tensors.back().values;
  file->tensors.pop_back();
  ASSERT_EQ(file->tensors.back().name, "x");
  const std::vector<float> x = file->tensors.back().values;
  file->tensors.pop_back();
  const auto network = Network::create(Architecture::kResidual, file->tensors, "numpy");
  ASSERT_TRUE(network) << network.error().message;
  EXPECT_EQ(network->shape(), (NetworkShape{Architecture::kResidual, 21, 19, 2, 6}));
  Network::Scratch scratch;
  const std::vector<float> outputs = together(network->evaluate(x, scratch));
  ASSERT_EQ(outputs.size(), y.size());
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(outputs[i], y[i], 1e-5);
  // What this code made on one machine, it makes on all.
  const std::string_view bits(reinterpret_cast<const char*>(outputs.data()), outputs.size() * sizeof(float));
  EXPECT_EQ(hashBytes(bits).hex(), "95ddd3d8163591c408d1e7653e66e8e8");
}

TEST(NetworkTest, AllKernelsGiveTheSameBits) {
  Rng rng(2);
  for (const NetworkShape& shape : sampleShapes()) {
    const auto network = Network::create(shape.architecture, fakes::randomTensors(shape, rng.next()), "test");
    ASSERT_TRUE(network);
    const std::vector<float> x = randomInput(shape.inputs, rng);
    Network::Scratch scratch;
    const std::vector<float> first = together(network->evaluate(x, scratch, kernels().front()));
    for (const Kernel& kernel : kernels())
      EXPECT_EQ(together(network->evaluate(x, scratch, kernel)), first) << kernel.name;
  }
}

TEST(NetworkTest, ScratchMemoryMayBeUsedForOneNetworkAfterTheOther) {
  Rng rng(3);
  Network::Scratch shared;
  for (int round = 0; round < 3; ++round) {
    for (const NetworkShape& shape : sampleShapes()) {
      const auto network = Network::create(shape.architecture, fakes::randomTensors(shape), "test");
      const std::vector<float> x = randomInput(shape.inputs, rng);
      Network::Scratch fresh;
      EXPECT_EQ(together(network->evaluate(x, shared)), together(network->evaluate(x, fresh)));
    }
  }
}

TEST(NetworkTest, ThreadsMayShareANetwork) {
  Rng rng(4);
  const NetworkShape shape{Architecture::kResidual, 60, 48, 2, 9};
  const auto network = Network::create(shape.architecture, fakes::randomTensors(shape), "test");
  const std::vector<float> x = randomInput(shape.inputs, rng);
  Network::Scratch scratch;
  const std::vector<float> expected = together(network->evaluate(x, scratch));
  std::vector<std::thread> threads;
  std::vector<int> same(4);
  for (int& count : same) {
    threads.emplace_back([&] {
      Network::Scratch own;
      for (int i = 0; i < 50; ++i) count += together(network->evaluate(x, own)) == expected;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(same, std::vector<int>(4, 50));
}

TEST(NetworkTest, TheLargestWeightsDoNotOverflow) {
  Rng rng(5);
  const NetworkShape shape{Architecture::kResidual, 500, 64, 8, 9};
  std::vector<Tensor> tensors = fakes::randomTensors(shape);
  for (Tensor& tensor : tensors) {
    for (float& value : tensor.values) value = value < 0 ? -kMaxMagnitude : kMaxMagnitude;
  }
  const auto network = Network::create(shape.architecture, tensors, "test");
  ASSERT_TRUE(network) << network.error().message;
  const std::vector<float> x(shape.inputs, kMaxMagnitude);
  Network::Scratch scratch;
  for (const float value : together(network->evaluate(x, scratch))) EXPECT_TRUE(std::isfinite(value));
}

TEST(NetworkTest, TensorsAreNamedAsByPyTorch) {
  std::string text;
  const NetworkShape shape{Architecture::kResidual, 7, 5, 1, 3};
  for (const TensorShape& tensor : tensorsOf(shape))
    text += fmt::format("{}:{} ", tensor.name, tensor.shape.size() == 2 ? tensor.shape[1] : 0);
  EXPECT_EQ(text,
            "input.weight:7 input.bias:0 blocks.0.norm.weight:0 blocks.0.norm.bias:0 blocks.0.up.weight:5 "
            "blocks.0.up.bias:0 blocks.0.down.weight:5 blocks.0.down.bias:0 norm.weight:0 norm.bias:0 "
            "logits.weight:5 logits.bias:0 value.weight:5 value.bias:0 ");
  EXPECT_EQ(parameters(shape), 7u * 5 + 5 + (10 + 2 * 30) + 10 + 3 * 6 + 6);
  EXPECT_EQ(parameters({Architecture::kLinear, 7, 0, 0, 3}), 4u * 8);
}

// Of a network with one tensor changed by `change`.
Error errorAfter(const std::string& name, const std::function<void(std::vector<Tensor>&, Tensor&)>& change) {
  std::vector<Tensor> tensors = fakes::randomTensors({Architecture::kResidual, 7, 5, 2, 3});
  const auto found =
      std::find_if(tensors.begin(), tensors.end(), [&](const Tensor& tensor) { return tensor.name == name; });
  change(tensors, *found);
  const auto network = Network::create(Architecture::kResidual, tensors, "w");
  return network ? Error{ErrorCode::kInternal, "it was made"} : network.error();
}

TEST(NetworkTest, TensorsThatDoNotFitAreRefused) {
  const auto rename = [](std::vector<Tensor>&, Tensor& tensor) { tensor.name = "other"; };
  for (const char* name : {"logits.weight", "input.weight", "norm.bias", "blocks.0.up.bias", "value.weight"})
    EXPECT_EQ(errorAfter(name, rename).message, fmt::format("w: the tensor '{}' is missing", name));
  EXPECT_EQ(errorAfter("blocks.1.up.weight", rename).message,
            "w: tensor 'blocks.1.norm.weight' is none of a network of the architecture 'residual'");
  EXPECT_EQ(errorAfter("input.weight", [](auto&, Tensor& tensor) { tensor.shape = {35}; }).message,
            "w: tensor 'input.weight': a matrix should not have the shape [35]");
  EXPECT_EQ(
      errorAfter("logits.weight", [](auto&, Tensor& tensor) { tensor = {tensor.name, {0, 5}, {}}; }).message,
      "w: tensor 'logits.weight': a matrix should not have the shape [0, 5]");
  EXPECT_EQ(
      errorAfter("blocks.0.up.weight", [](auto&, Tensor& tensor) { tensor = {tensor.name, {1, 2}, {1, 2}}; })
          .message,
      "w: tensor 'blocks.0.up.weight' has the shape [1, 2] and should have [5, 5]");
  EXPECT_EQ(errorAfter("norm.bias", [](auto& all, Tensor&) { all.push_back({"more", {1}, {1}}); }).message,
            "w: tensor 'more' is none of a network of the architecture 'residual'");
  EXPECT_EQ(errorAfter("norm.bias", [](auto&, Tensor& tensor) { tensor.values[1] = -2e6f; }).message,
            "w: tensor 'norm.bias' has the value -2000000; at most 1000000 is a weight");
  const Error error = errorAfter("input.weight", [](auto&, Tensor& tensor) {
    tensor = {tensor.name, {5, 1'000'000}, std::vector<float>(5'000'000)};
  });
  EXPECT_EQ(error.code, ErrorCode::kUnsupported);
  EXPECT_TRUE(error.message.ends_with("parameters, and a policy at most 4000000")) << error.message;
}

TEST(NetworkTest, ArchitecturesHaveNames) {
  for (const Architecture architecture : {Architecture::kResidual, Architecture::kLinear})
    EXPECT_EQ(*architectureOf(name(architecture)), architecture);
  EXPECT_EQ(architectureOf("transformer").error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::policy
