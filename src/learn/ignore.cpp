#include "learn/ignore.h"

#include <string>
#include <vector>

namespace ordo::learn {

void ignore(Network& network, std::span<const std::uint8_t> inputs) {
  ORDO_CHECK(inputs.size() == network->shape().inputs, "{} bytes for {} inputs", inputs.size(),
             network->shape().inputs);
  const torch::Tensor ignored = torch::tensor(std::vector<std::uint8_t>(inputs.begin(), inputs.end())).ne(0);
  const bool linear = network->shape().architecture == policy::Architecture::kLinear;
  const std::vector<std::string> first = linear ? std::vector<std::string>{"logits.weight", "value.weight"}
                                                : std::vector<std::string>{"input.weight"};
  auto parameters = network->named_parameters();
  const torch::NoGradGuard no_gradients;
  for (const std::string& name : first) {
    parameters[name].masked_fill_(ignored, 0);
    parameters[name].register_hook(
        [ignored](const torch::Tensor& gradient) { return gradient.masked_fill(ignored, 0); });
  }
}

}  // namespace ordo::learn
