// Policies may come from other people: no bytes may crash the way from a file to a choice, what is read must
// survive being written and read again, and what is loaded must give finite logits and legal actions.
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "notation/action.h"
#include "policy/choose.h"
#include "policy/policy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ordo;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto file = policy::parseSafetensors(bytes, "fuzz");
  if (file) {
    const auto again = policy::parseSafetensors(policy::writeSafetensors(*file), "fuzz");
    ORDO_CHECK(again.has_value(), "what was written is not read: {}", again.error().message);
    ORDO_CHECK(*again == *file, "other tensors were read than were written");
  }
  const auto policy = policy::Policy::parse(bytes, "fuzz");
  if (!policy) {
    ORDO_CHECK(policy.error().message.starts_with("fuzz"), "no file in '{}'", policy.error().message);
    return 0;
  }
  ORDO_CHECK(file.has_value(), "a policy of what is no file");

  // A session with every other of the policy's actions, the first included.
  std::vector<env::Action> actions;
  for (std::size_t i = 0; i + 1 < policy->info().actions.size(); i += 2)
    actions.push_back({policy->info().actions[i], notation::kPipeline, ""});
  const auto binding = policy->bind(actions);
  ORDO_CHECK(binding.has_value(), "{}", binding.error().message);
  const std::vector<std::uint8_t> legal = binding->legal(std::vector<std::uint8_t>(actions.size(), 1));

  std::vector<float> features(policy->encoder().width());
  for (std::size_t i = 0; i < features.size(); ++i) features[i] = static_cast<float>(i % 5) - 2;
  policy::Network::Scratch scratch;
  const policy::Network::Output output = policy->evaluate(features, scratch);
  ORDO_CHECK(std::isfinite(output.value), "the value {}", output.value);
  for (const float logit : output.logits) ORDO_CHECK(std::isfinite(logit), "the logit {}", logit);
  Rng rng(size);
  for (const double temperature : {0.0, 1.0}) {
    const auto choice = policy::sampledChoice(output.logits, legal, temperature, rng);
    ORDO_CHECK(choice && legal[*choice] != 0, "an illegal choice");
  }
  return 0;
}
