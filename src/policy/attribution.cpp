// aspectsOf() makes the aspects from the feature schema; counts whose words in kCounts are equal are one. The
// reference is what the encoder writes for a neutral situation, but with no objective. Attribution::weights()
// asks once for the features as they are, and then for each aspect with its columns swapped for the
// reference's, and swaps them back. logOdds() takes all exponentials relative to the largest other logit, so
// that none overflows, and uses portable exp and log1p: weights are the same on every machine.
#include "policy/attribution.h"

#include <algorithm>

#include "policy/choose.h"
#include "policy/kernels.h"
#include "policy/schema.h"

namespace ordo::policy {

// clang-format off: a table
constinit const std::array<Count, 56> kCounts{{
    {"BBNumArgsHi", "blocks with more than 5 phi operands", 0},
    {"BBNumArgsLo", "blocks with 1 to 5 phi operands", 4},
    {"onePred", "blocks with one predecessor", 25},
    {"onePredOneSuc", "blocks with one predecessor and one successor", 14},
    {"onePredTwoSuc", "blocks with one predecessor and two successors", 8},
    {"oneSuccessor", "blocks with one successor", 18},
    {"twoPred", "blocks with two predecessors", 10},
    {"twoPredOneSuc", "blocks with two predecessors and one successor", 2},
    {"twoEach", "blocks with two predecessors and two successors", 5},
    {"twoSuccessor", "blocks with two successors", 17},
    {"morePreds", "blocks with more than two predecessors", 2},
    {"BB03Phi", "blocks with 1 to 3 phis", 5},
    {"BBHiPhi", "blocks with more than 3 phis", 0},
    {"BBNoPhi", "blocks without phis", 38},
    {"BeginPhi", "blocks with phis", 5},
    {"BranchCount", "branches", 36},
    {"returnInt", "calls that return an integer", 6},
    {"CriticalCount", "critical edges", 11},
    {"NumEdges", "edges", 58},
    {"const32Bit", "32-bit constants", 42},
    {"const64Bit", "64-bit constants", 21},
    {"numConstZeroes", "constants 0", 20},
    {"numConstOnes", "constants 1", 18},
    {"UncondBranches", "unconditional branches", 18},
    {"binaryConstArg", "arithmetic with a constant", 8},
    {"NumAShrInst", "ashrs", 0},
    {"NumAddInst", "adds", 4},
    {"NumAllocaInst", "allocas", 5},
    {"NumAndInst", "ands", 1},
    {"BlockMid", "blocks of 15 to 500 instructions", 2},
    {"BlockLow", "blocks of fewer than 15 instructions", 43},
    {"NumBitCastInst", "bitcasts", 0},
    {"NumBrInst", "branches", 36},
    {"NumCallInst", "calls", 30},
    {"NumGetElementPtrInst", "getelementptrs", 20},
    {"NumICmpInst", "icmps", 18},
    {"NumLShrInst", "lshrs", 0},
    {"NumLoadInst", "loads", 32},
    {"NumMulInst", "muls", 0},
    {"NumOrInst", "ors", 0},
    {"NumPHIInst", "phis", 6},
    {"NumRetInst", "rets", 4},
    {"NumSExtInst", "sexts", 0},
    {"NumSelectInst", "selects", 0},
    {"NumShlInst", "shls", 0},
    {"NumStoreInst", "stores", 18},
    {"NumSubInst", "subs", 1},
    {"NumTruncInst", "truncs", 1},
    {"NumXorInst", "xors", 0},
    {"NumZExtInst", "zexts", 2},
    {"TotalBlocks", "blocks", 45},
    {"TotalInsts", "instructions", 248},
    {"TotalMemInst", "memory accesses and calls", 124},
    {"TotalFuncs", "functions, declared ones too", 16},
    {"ArgsPhi", "phi operands", 16},
    {"testUnary", "loads, casts and other unary instructions", 51},
}};
// clang-format on

namespace {

// The element of an aspect that has the `i`-th column of the group.
std::optional<std::size_t> elementOf(std::string_view group, std::size_t i) {
  if (group == "history") return i;
  if (group != kInputs.front().name) return std::nullopt;
  const auto same = std::ranges::find(kCounts, kCounts[i].words, &Count::words);
  return static_cast<std::size_t>(same - kCounts.begin());
}

std::vector<Aspect> aspectsOf(const Encoder& encoder) {
  std::vector<Aspect> aspects;
  std::size_t column = 0;
  for (const FeatureGroup& group : groupsOf(encoder.schema())) {
    const std::string base(group.name.substr(0, group.name.find('.')));
    for (std::size_t i = 0; i < group.width; ++i, ++column) {
      const std::optional<std::size_t> element = elementOf(base, i);
      auto aspect = std::ranges::find_if(
          aspects, [&](const Aspect& known) { return known.group == base && known.element == element; });
      if (aspect == aspects.end()) aspect = aspects.insert(aspects.end(), Aspect{base, element});
      aspect->columns.push_back(column);
    }
  }
  return aspects;
}

std::vector<float> neutralFeatures(const Encoder& encoder) {
  std::array<std::int64_t, kCounts.size()> counts{};
  std::ranges::transform(kCounts, counts.begin(), &Count::usual);
  const std::array<float, kInputs[1].width> embedding{};
  const auto pair = [](const Input& input, const auto& values) {
    const env::Observation same{input.dtype, {input.width}, std::as_bytes(std::span(values))};
    return Situation::Pair{same, same};
  };
  Situation neutral;
  neutral.observations = {pair(kInputs[0], counts), pair(kInputs[1], embedding)};
  neutral.preference = {1};
  neutral.max_steps = 1;
  std::vector<float> features(encoder.width());
  const Status encoded = encoder.encode(neutral, features);
  ORDO_CHECK(encoded.has_value(), "{}", encoded.error().message);
  return features;
}

// log(p / (1 - p)) of `choice`, p being its probability; nothing if no other is legal.
std::optional<double> logOdds(std::span<const float> logits, std::span<const std::uint8_t> legal,
                              std::size_t choice) {
  std::vector<std::uint8_t> others(legal.begin(), legal.end());
  others[choice] = 0;
  const std::optional<std::size_t> best = greedyChoice(logits, others);
  if (!best) return std::nullopt;
  double rest = 0;  // of the sum of exponentials, beside the largest
  for (std::size_t i = 0; i < logits.size(); ++i) {
    if (others[i] != 0 && i != *best) rest += portableExp(static_cast<double>(logits[i]) - logits[*best]);
  }
  return static_cast<double>(logits[choice]) - logits[*best] - portableLog1p(rest);
}

}  // namespace

Attribution::Attribution(std::shared_ptr<const Policy> policy)
    : policy_(std::move(policy)),
      aspects_(aspectsOf(policy_->encoder())),
      reference_(neutralFeatures(policy_->encoder())) {
  // No situation is without an objective.
  for (const Aspect& aspect : aspects_) {
    if (aspect.group != "objective") continue;
    for (const std::size_t column : aspect.columns) reference_[column] = 0;
  }
}

std::vector<double> Attribution::weights(std::span<const float> features, std::span<const std::uint8_t> legal,
                                         std::size_t choice) const {
  ORDO_CHECK(features.size() == reference_.size(), "{} of {} features", features.size(), reference_.size());
  ORDO_CHECK(choice < legal.size() && legal[choice] != 0, "choice {} is not legal", choice);
  Network::Scratch scratch;
  std::vector<double> weights(aspects_.size());
  const std::optional<double> seen = logOdds(policy_->evaluate(features, scratch).logits, legal, choice);
  if (!seen) return weights;
  std::vector<float> occluded(features.begin(), features.end());
  for (std::size_t i = 0; i < aspects_.size(); ++i) {
    const std::vector<std::size_t>& columns = aspects_[i].columns;
    const auto neutral = [&](std::size_t column) { return features[column] == reference_[column]; };
    if (std::ranges::all_of(columns, neutral)) continue;
    for (const std::size_t column : columns) occluded[column] = reference_[column];
    weights[i] = *seen - *logOdds(policy_->evaluate(occluded, scratch).logits, legal, choice);
    for (const std::size_t column : columns) occluded[column] = features[column];
  }
  return weights;
}

}  // namespace ordo::policy
