#include "policy/encoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "llvm/features/builtin/autophase.h"

namespace ordo::policy {
namespace {

constexpr std::size_t kActions = 4;

// A situation with what it borrows.
struct Sample {
  std::vector<std::int64_t> counts_start = std::vector<std::int64_t>(56, 3),
                            counts_now = std::vector<std::int64_t>(56, 3);
  std::vector<float> vector_start = std::vector<float>(64, 8), vector_now = std::vector<float>(64, 8);
  std::vector<std::uint32_t> history;
  Situation situation;

  Sample() {
    situation.preference = {0, 1};
    situation.max_steps = 20;
  }

  const Situation& get() {
    const auto look = [](DType dtype, const auto& values) {
      return env::Observation{
          dtype, {static_cast<std::uint32_t>(values.size())}, std::as_bytes(std::span(values))};
    };
    situation.observations = {{{look(DType::kInt64, counts_start), look(DType::kInt64, counts_now)},
                               {look(DType::kFloat32, vector_start), look(DType::kFloat32, vector_now)}}};
    situation.history = history;
    return situation;
  }
};

std::vector<float> encoded(Sample& sample) {
  const Encoder encoder(kActions);
  std::vector<float> features(encoder.width(), NAN);
  const Status status = encoder.encode(sample.get(), features);
  EXPECT_TRUE(status) << status.error().message;
  return features;
}

// The features of a group, found by the schema.
std::vector<float> group(const std::vector<float>& features, std::string_view name) {
  const std::string schema = Encoder(kActions).schema();
  std::size_t first = 0;
  for (std::string_view rest = schema; !rest.empty(); rest.remove_prefix(rest.find('\n') + 1)) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const std::size_t tab = line.find('\t'), second = line.find('\t', tab + 1);
    const std::size_t width = std::stoul(std::string(line.substr(second + 1)));
    if (line.substr(0, tab) == name)
      return {features.begin() + static_cast<std::ptrdiff_t>(first),
              features.begin() + static_cast<std::ptrdiff_t>(first + width)};
    first += width;
  }
  ADD_FAILURE() << "no group " << name;
  return {};
}

// A trained policy depends on every byte of it. If this fails, policies must be trained anew: raise the
// version of the group that changed, and change this text.
TEST(EncoderTest, TheSchemaIsThatOfTrainedPolicies) {
  EXPECT_EQ(Encoder(4).schema(),
            "autophase\t1\t56\tlog1p(now)/8\n"
            "autophase.change\t1\t56\tlog1p(now)-log1p(start)\n"
            "ir2vec\t1\t64\tnow/(1+autophase.TotalInsts)\n"
            "ir2vec.change\t1\t64\tnow/(1+autophase.TotalInsts)-start/(1+autophase.TotalInsts)\n"
            "history.bag\t1\t4\tlog1p(count)\n"
            "history.last\t1\t4\tone-hot\n"
            "history.last_but_one\t1\t4\tone-hot\n"
            "objective\t1\t3\tone-hot(ir_instructions,text_bytes,runtime)\n"
            "baseline\t1\t2\tknown,log1p(baseline)-log1p(start)\n"
            "value\t1\t2\tknown,log1p(now)-log1p(baseline)\n"
            "steps\t1\t1\tsteps/max_steps\n"
            "only\t1\t1\tonly?\n");
  EXPECT_EQ(Encoder(4).width(), 2 * 56 + 2 * 64 + 3 * 4 + 3 + 2 + 2 + 1 + 1u);
  EXPECT_EQ(Encoder(4).schemaHash(), hashBytes(Encoder(4).schema()));
  EXPECT_NE(Encoder(4).schemaHash(), Encoder(5).schemaHash());
}

TEST(EncoderTest, TheInstructionsAreThoseOfAutophase) {
  EXPECT_EQ(kInputs[0].width, std::size(features::kAutophaseNames));
  EXPECT_EQ(features::kAutophaseNames[kTotalInsts], "TotalInsts");
}

TEST(EncoderTest, CountsAreLogarithmsAndTheirChange) {
  Sample sample;
  sample.counts_now[7] = 1000;
  sample.counts_now[8] = 0;
  const std::vector<float> features = encoded(sample);
  EXPECT_FLOAT_EQ(group(features, "autophase")[7], static_cast<float>(std::log1p(1000) / 8));
  EXPECT_EQ(group(features, "autophase")[8], 0);
  EXPECT_FLOAT_EQ(group(features, "autophase.change")[7], static_cast<float>(std::log(1001.0 / 4)));
  EXPECT_FLOAT_EQ(group(features, "autophase.change")[8], static_cast<float>(-std::log(4.0)));
  EXPECT_EQ(group(features, "autophase.change")[9], 0);
}

TEST(EncoderTest, EmbeddingsAreForAnInstruction) {
  Sample sample;
  sample.counts_start[kTotalInsts] = 15;
  sample.counts_now[kTotalInsts] = 3;
  sample.vector_now[5] = -2;
  const std::vector<float> features = encoded(sample);
  EXPECT_EQ(group(features, "ir2vec")[5], -0.5f);
  EXPECT_EQ(group(features, "ir2vec.change")[5], -1.0f);
  EXPECT_EQ(group(features, "ir2vec")[6], 2.0f);
  EXPECT_EQ(group(features, "ir2vec.change")[6], 1.5f);
}

TEST(EncoderTest, TheHistoryIsABagAndTheLastTwo) {
  Sample sample;
  const std::vector<float> none(kActions);
  EXPECT_EQ(group(encoded(sample), "history.bag"), none);
  EXPECT_EQ(group(encoded(sample), "history.last"), none);
  sample.history = {2};
  EXPECT_EQ(group(encoded(sample), "history.last"), (std::vector<float>{0, 0, 1, 0}));
  EXPECT_EQ(group(encoded(sample), "history.last_but_one"), none);
  sample.history = {3, 1, 3, 3, kOtherAction, 1};
  const std::vector<float> features = encoded(sample);
  EXPECT_FLOAT_EQ(group(features, "history.bag")[1], std::log(3.0f));
  EXPECT_FLOAT_EQ(group(features, "history.bag")[3], std::log(4.0f));
  EXPECT_EQ(group(features, "history.last"), (std::vector<float>{0, 1, 0, 0}));
  EXPECT_EQ(group(features, "history.last_but_one"), none) << "the policy does not know that action";
}

TEST(EncoderTest, TheObjectiveStandsWhereItDoes) {
  Sample sample;
  EXPECT_EQ(group(encoded(sample), "objective"), (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(group(encoded(sample), "baseline"), (std::vector<float>{0, 0}));
  sample.situation.baseline_value = 79;
  sample.situation.value = 39;
  EXPECT_EQ(group(encoded(sample), "baseline"), (std::vector<float>{0, 0})) << "relative to what?";
  EXPECT_EQ(group(encoded(sample), "value")[0], 1);
  EXPECT_FLOAT_EQ(group(encoded(sample), "value")[1], std::log(0.5f));
  sample.situation.start_value = 159;
  EXPECT_EQ(group(encoded(sample), "baseline")[0], 1);
  EXPECT_FLOAT_EQ(group(encoded(sample), "baseline")[1], std::log(0.5f));
  sample.situation.baseline_value = std::nullopt;
  EXPECT_EQ(group(encoded(sample), "value"), (std::vector<float>{0, 0}));
  sample.situation.steps = 5;
  EXPECT_EQ(group(encoded(sample), "steps"), (std::vector<float>{0.25f}));
  EXPECT_EQ(group(encoded(sample), "only"), (std::vector<float>{0}));
  sample.situation.only = true;
  EXPECT_EQ(group(encoded(sample), "only"), (std::vector<float>{1}));
}

TEST(EncoderTest, APreferenceIsBetweenTheObjectives) {
  EXPECT_EQ(*preferenceOf("ir_instructions"), (Preference{1, 0, 0}));
  EXPECT_EQ(*preferenceOf("runtime"), (Preference{0, 0, 1}));
  const Result<Preference> both = preferenceOf("text_bytes=3+ir_instructions=1");
  ASSERT_TRUE(both);
  EXPECT_EQ(*both, (Preference{0.25f, 0.75f, 0}));
  Sample sample;
  sample.situation.preference = *both;
  EXPECT_EQ(group(encoded(sample), "objective"), (std::vector<float>{0.25f, 0.75f, 0}));
  const auto unknown = preferenceOf("text_bytes=1+beauty=1");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(unknown.error().message,
            "the policy does not know the objective beauty; it knows ir_instructions, text_bytes, runtime");
  EXPECT_EQ(preferenceOf("text_bytes=").error().code, ErrorCode::kInvalidArgument);
}

TEST(EncoderTest, TheLargestNumbersAreStillFeatures) {
  Sample sample;
  sample.counts_now.assign(56, std::numeric_limits<std::int64_t>::max());
  sample.situation.value = 1e300;
  sample.situation.baseline_value = 0;
  for (const float feature : encoded(sample)) EXPECT_LT(std::fabs(feature), 1000);
}

TEST(EncoderTest, WhatDoesNotFitIsRefusedByName) {
  const auto message = [](const std::function<void(Sample&)>& spoil) -> std::string {
    Sample sample;
    spoil(sample);
    const Encoder encoder(kActions);
    std::vector<float> features(encoder.width());
    const Status status = encoder.encode(sample.get(), features);
    if (status) return "it was encoded";
    EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
    return status.error().message;
  };
  EXPECT_EQ(message([](Sample& s) { s.counts_now.resize(55); }),
            "the observation autophase should be int64[56] and is int64 in 440 bytes");
  EXPECT_EQ(message([](Sample& s) { s.vector_start.resize(300); }),
            "the observation ir2vec should be float32[64] and is float32 in 1200 bytes");
  EXPECT_EQ(message([](Sample& s) { s.counts_start[9] = -1; }),
            "the observation autophase has -1 as element 9");
  EXPECT_EQ(message([](Sample& s) { s.vector_now[9] = NAN; }),
            "the observation ir2vec is out of range in element 9");
  EXPECT_EQ(message([](Sample& s) { s.vector_start[9] = 1e30f; }),
            "the observation ir2vec is out of range in element 9");
  EXPECT_EQ(message([](Sample& s) { s.situation.preference = {0.5f, 0.4f}; }),
            "the objectives' weights are 0.5, 0.4, 0, where they should be 1 in all");
  EXPECT_EQ(message([](Sample& s) { s.situation.preference = {2, -1}; }),
            "the objectives' weights are 2, -1, 0, where they should be 1 in all");
  EXPECT_EQ(message([](Sample& s) { s.situation.value = -1; }), "the objective's value is -1");
  EXPECT_EQ(message([](Sample& s) { s.situation.start_value = INFINITY; }), "the objective's value is inf");
  EXPECT_EQ(message([](Sample& s) { s.situation.steps = 21; }), "21 steps of at most 20");
  EXPECT_EQ(message([](Sample& s) { s.situation.max_steps = 0; }), "0 steps of at most 0");
}

TEST(EncoderTest, ABackendMustObserveWhatIsNeeded) {
  std::vector<env::ObservationInfo> offered(3);
  offered[0].name = "ir2vec", offered[0].dtype = DType::kFloat32, offered[0].width = 64;
  offered[1].name = "ir", offered[1].dtype = DType::kBytes;
  offered[2].name = "autophase", offered[2].dtype = DType::kInt64, offered[2].width = 56;
  EXPECT_TRUE(checkInputs(offered));
  offered[2].version = 2;
  EXPECT_EQ(checkInputs(offered).error().message,
            "policies need version 1 of the observation autophase, and this is 2");
  offered.pop_back();
  EXPECT_EQ(checkInputs(offered).error().message,
            "policies need the observation autophase, which is not there");
  EXPECT_EQ(checkInputs(offered).error().code, ErrorCode::kUnsupported);
}

}  // namespace
}  // namespace ordo::policy
