#include "policy/policy.h"

#include <gtest/gtest.h>

#include "notation/action.h"
#include "support/files.h"
#include "tests/fakes/random_policy.h"

namespace ordo::policy {
namespace {

constexpr std::size_t kActions = 4;

std::vector<env::Action> actionsOf(const std::vector<std::string>& names) {
  std::vector<env::Action> actions;
  for (const std::string& name : names) actions.push_back({name, notation::kPipeline, name});
  return actions;
}

Policy samplePolicy() {
  auto policy = Policy::parse(fakes::randomPolicy(fakes::samplePolicyShape(kActions, 8, 1)), "p");
  ORDO_CHECK(policy.has_value(), "{}", policy.error().message);
  return *std::move(policy);
}

TEST(PolicyTest, WhatIsWrittenIsLoaded) {
  const auto dir = TempDir::create();
  ASSERT_TRUE(dir);
  for (const NetworkShape& shape :
       {fakes::samplePolicyShape(kActions, 24, 2), fakes::samplePolicyShape(kActions, 8, 0),
        NetworkShape{Architecture::kLinear, Encoder(kActions).width(), 0, 0, kActions + 1}}) {
    const auto path = dir->path() / "p.safetensors";
    ASSERT_TRUE(writeFile(path, fakes::randomPolicy(shape)));
    const auto policy = Policy::load(path);
    ASSERT_TRUE(policy) << policy.error().message;
    EXPECT_EQ(policy->info(), fakes::samplePolicyInfo(shape.architecture, kActions));
    EXPECT_EQ(policy->network().shape(), shape);
    EXPECT_EQ(policy->encoder().width(), shape.inputs);
    Network::Scratch scratch;
    EXPECT_EQ(policy->evaluate(std::vector<float>(shape.inputs), scratch).logits.size(), kActions + 1);
  }
}

TEST(PolicyTest, AFileThatIsNotThereIsNotFound) {
  EXPECT_EQ(Policy::load("/proc/nonexistent/p.safetensors").error().code, ErrorCode::kNotFound);
}

// Of a file whose metadata `key` says `value`, or nothing if that is "-".
Error errorWith(const std::string& key, const std::string& value) {
  auto file = parseSafetensors(fakes::randomPolicy(fakes::samplePolicyShape(kActions, 8, 1)), "p");
  ORDO_CHECK(file.has_value(), "{}", file.error().message);
  file->metadata[key] = value;
  if (value == "-") file->metadata.erase(key);
  const auto policy = Policy::parse(writeSafetensors(*file), "p.safetensors");
  if (policy) return {ErrorCode::kInternal, "it was loaded"};
  EXPECT_TRUE(policy.error().message.starts_with("p.safetensors")) << policy.error().message;
  return policy.error();
}

TEST(PolicyTest, MetadataThatDoesNotFitIsRefused) {
  for (const char* key : {"format", "architecture", "schema_hash", "space", "space_hash", "actions",
                          "backend_version", "provenance"}) {
    EXPECT_EQ(errorWith(key, "-").message, fmt::format("p.safetensors: the metadata '{}' is missing", key));
    EXPECT_EQ(errorWith(key, "-").code, ErrorCode::kCorrupt);
  }
  EXPECT_EQ(errorWith("more", "x").message, "p.safetensors: the metadata 'more' is unknown");
  EXPECT_EQ(errorWith("format", "2").message,
            "p.safetensors is a policy of format '2', and this Ordo reads format 1");
  EXPECT_EQ(errorWith("format", "2").code, ErrorCode::kUnsupported);
  EXPECT_EQ(errorWith("architecture", "transformer").message,
            "p.safetensors: the architecture 'transformer' is unknown; there are residual and linear");
  EXPECT_EQ(errorWith("architecture", "linear").code, ErrorCode::kCorrupt);
  EXPECT_EQ(errorWith("schema_hash", "0").message, "p.safetensors: the metadata 'schema_hash' is no hash");
  EXPECT_EQ(errorWith("space_hash", "").message, "p.safetensors: the metadata 'space_hash' is no hash");
  const Error schema = errorWith("schema_hash", Encoder(kActions + 1).schemaHash().hex());
  EXPECT_EQ(schema.code, ErrorCode::kUnsupported);
  EXPECT_TRUE(schema.message.ends_with("train it anew")) << schema.message;
}

TEST(PolicyTest, ActionsEndWithStopAndComeOnce) {
  const std::string end = "p.safetensors: the metadata 'actions' should be actions, then 'stop'";
  EXPECT_EQ(errorWith("actions", "a\nb\nc\nd\ne").message, end);
  EXPECT_EQ(errorWith("actions", "stop").message, end);
  EXPECT_EQ(errorWith("actions", "").message, "p.safetensors: the metadata 'actions' has an empty line");
  EXPECT_EQ(errorWith("actions", "a\n\nstop").message,
            "p.safetensors: the metadata 'actions' has an empty line");
  EXPECT_EQ(errorWith("actions", "a\nstop\n").message,
            "p.safetensors: the metadata 'actions' has an empty line");
  EXPECT_EQ(errorWith("actions", "a\nb\na\nstop").message,
            "p.safetensors: the metadata 'actions' has 'a' twice");
  EXPECT_EQ(errorWith("actions", "stop\na\nstop").message,
            "p.safetensors: the metadata 'actions' has 'stop' twice");
}

TEST(PolicyTest, ANetworkOfAnotherSizeThanItsActionsAndFeaturesIsRefused) {
  const auto message = [](NetworkShape shape) {
    const auto policy = Policy::parse(
        writePolicy(fakes::samplePolicyInfo(shape.architecture, kActions), fakes::randomTensors(shape)), "p");
    return policy ? "it was loaded" : policy.error().message;
  };
  NetworkShape shape = fakes::samplePolicyShape(kActions, 8, 1);
  ++shape.actions;
  EXPECT_EQ(message(shape), "p: the network has 6 logits, and there are 5 actions");
  shape = fakes::samplePolicyShape(kActions, 8, 1);
  --shape.inputs;
  EXPECT_EQ(message(shape), "p: the network takes 260 features, and its schema has 261");
  shape = fakes::samplePolicyShape(kActions, 2000, 1);
  EXPECT_TRUE(message(shape).ends_with("parameters, and a policy at most 4000000")) << message(shape);
}

TEST(PolicyTest, IsBoundByTheNamesOfActions) {
  const Policy policy = samplePolicy();
  const auto binding = policy.bind(actionsOf({"x", "a3", "stop", "a0", "y", "a1"}));
  ASSERT_TRUE(binding) << binding.error().message;
  EXPECT_EQ(binding->actions(), (std::vector<std::optional<env::ActionIndex>>{3, 5, std::nullopt, 1}));
  EXPECT_EQ(binding->legal(std::vector<std::uint8_t>{1, 1, 1, 0, 1, 1}),
            (std::vector<std::uint8_t>{0, 1, 0, 1, 1}));
  EXPECT_EQ(binding->history(std::vector<env::ActionIndex>{1, env::kPipe, 0, 3, 2}),
            (std::vector<std::uint32_t>{3, kOtherAction, 0, kOtherAction}))
      << "a session's own action 'stop' is not the policy's";
}

TEST(PolicyTest, HalfOfItsActionsAreEnoughAndFewerAreNot) {
  const Policy policy = samplePolicy();
  EXPECT_TRUE(policy.bind(actionsOf({"a1", "a2"})));
  const auto binding = policy.bind(actionsOf({"a1", "b", "c", "stop"}));
  ASSERT_FALSE(binding);
  EXPECT_EQ(binding.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(binding.error().message,
            "the policy knows the space sample: only 1 of its 4 actions are there, and half are needed");
  EXPECT_FALSE(policy.bind({}));
}

TEST(PolicyTest, EveryTruncationAndEveryFlippedHeaderByteIsAnErrorOrAPolicy) {
  const std::string bytes = fakes::randomPolicy(fakes::samplePolicyShape(kActions, 2, 0));
  for (std::size_t size = 0; size < bytes.size(); size += 1 + size / 100)
    EXPECT_FALSE(Policy::parse(std::string_view(bytes).substr(0, size), "p"));
  for (std::size_t i = 0; i < 1000; ++i) {
    std::string spoilt = bytes;
    spoilt[i] ^= 1;
    const auto policy = Policy::parse(spoilt, "p");
    EXPECT_TRUE(policy || policy.error().message.starts_with("p"));
  }
}

}  // namespace
}  // namespace ordo::policy
