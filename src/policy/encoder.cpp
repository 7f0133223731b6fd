// The constructor adds up the schema and the width, and encode() writes the same groups in the same order, so
// that a change to one is a change to the other; the end checks that the widths agree. Sizes of programs vary
// by powers of ten, so counts and values are logarithms, changes are differences of those, and embeddings are
// per instruction. All is computed as doubles with the portable log1p and rounded once, by Writer.
#include "policy/encoder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "env/preference.h"
#include "policy/kernels.h"
#include "policy/network.h"

namespace ordo::policy {
namespace {

constexpr double kCountScale = 0.125;  // log1p of a count is rarely above 8

// Writes features one after the other.
class Writer {
 public:
  explicit Writer(std::span<float> features) : features_(features) {}

  void put(double value) { features_[next_++] = static_cast<float>(value); }
  // The next `width` features, all 0.
  std::span<float> zeros(std::size_t width) {
    const std::span<float> group = features_.subspan(next_, width);
    std::fill(group.begin(), group.end(), 0.0f);
    next_ += width;
    return group;
  }
  std::size_t written() const { return next_; }

 private:
  std::span<float> features_;
  std::size_t next_ = 0;
};

Status checkObservation(const Input& input, const env::Observation& observation) {
  if (observation.dtype != input.dtype ||
      observation.bytes.size() != input.width * elementBytes(input.dtype)) {
    return fail(ErrorCode::kInvalidArgument, "the observation {} should be {}[{}] and is {} in {} bytes",
                input.name, name(input.dtype), input.width, name(observation.dtype),
                observation.bytes.size());
  }
  return {};
}

// Element `i`, whatever the alignment.
template <typename T>
T element(const env::Observation& observation, std::size_t i) {
  T value;
  std::memcpy(&value, observation.bytes.data() + i * sizeof(T), sizeof(T));
  return value;
}

Status encodeCounts(const Input& input, const Situation::Pair& pair, Writer& writer) {
  std::vector<double> now(input.width), start(input.width);
  for (std::size_t i = 0; i < input.width; ++i) {
    const auto first = element<std::int64_t>(pair.start, i), last = element<std::int64_t>(pair.now, i);
    if (first < 0 || last < 0) {
      return fail(ErrorCode::kInvalidArgument, "the observation {} has {} as element {}", input.name,
                  std::min(first, last), i);
    }
    now[i] = portableLog1p(static_cast<double>(last));
    start[i] = portableLog1p(static_cast<double>(first));
  }
  for (const double value : now) writer.put(value * kCountScale);
  for (std::size_t i = 0; i < input.width; ++i) writer.put(now[i] - start[i]);
  return {};
}

Status encodeEmbedding(const Input& input, const Situation::Pair& pair, const Situation::Pair& counts,
                       Writer& writer) {
  const auto instructions = [](const env::Observation& observation) {
    return 1 + static_cast<double>(element<std::int64_t>(observation, kTotalInsts));
  };
  std::vector<double> now(input.width), change(input.width);
  for (std::size_t i = 0; i < input.width; ++i) {
    now[i] = element<float>(pair.now, i) / instructions(counts.now);
    change[i] = now[i] - element<float>(pair.start, i) / instructions(counts.start);
    // Also false for what is not a number.
    if (!(std::fabs(now[i]) <= kMaxMagnitude && std::fabs(change[i]) <= kMaxMagnitude)) {
      return fail(ErrorCode::kInvalidArgument, "the observation {} is out of range in element {}", input.name,
                  i);
    }
  }
  for (const double value : now) writer.put(value);
  for (const double value : change) writer.put(value);
  return {};
}

void encodeHistory(std::span<const std::uint32_t> history, std::size_t actions, Writer& writer) {
  std::vector<std::uint32_t> counts(actions);
  for (const std::uint32_t action : history) {
    ORDO_CHECK(action < actions || action == kOtherAction, "action {} of {}", action, actions);
    if (action != kOtherAction) ++counts[action];
  }
  for (const std::uint32_t count : counts) writer.put(portableLog1p(count));
  for (std::size_t back = 1; back <= 2; ++back) {
    const std::span<float> one_hot = writer.zeros(actions);
    if (history.size() < back) continue;
    const std::uint32_t action = history[history.size() - back];
    if (action != kOtherAction) one_hot[action] = 1;
  }
}

Status encodePreference(const Preference& preference, Writer& writer) {
  double sum = 0;
  for (const float weight : preference) {
    sum += weight >= 0 ? weight : std::numeric_limits<double>::quiet_NaN();
    writer.put(weight);
  }
  if (std::fabs(sum - 1) <= 1e-3) return {};
  return fail(ErrorCode::kInvalidArgument, "the objectives' weights are {}, where they should be 1 in all",
              fmt::join(preference, ", "));
}

// Whether both are known, and how much `value` is above `reference`.
Status encodeRelative(std::optional<double> value, std::optional<double> reference, Writer& writer) {
  for (const std::optional<double>& number : {value, reference}) {
    if (number && !(std::isfinite(*number) && *number >= 0))
      return fail(ErrorCode::kInvalidArgument, "the objective's value is {}", *number);
  }
  const bool known = value && reference;
  writer.put(known ? 1 : 0);
  writer.put(known ? portableLog1p(*value) - portableLog1p(*reference) : 0);
  return {};
}

}  // namespace

Result<Preference> preferenceOf(std::string_view objective) {
  ORDO_TRY_ASSIGN(const env::Preference wanted, env::parsePreference(objective));
  Preference preference{};
  for (const env::Preference::Part& part : wanted.parts) {
    const auto found = std::ranges::find(kObjectives, part.metric);
    if (found == kObjectives.end()) {
      return fail(ErrorCode::kUnsupported, "the policy does not know the objective {}; it knows {}",
                  part.metric, fmt::join(kObjectives, ", "));
    }
    preference[static_cast<std::size_t>(found - kObjectives.begin())] = static_cast<float>(part.weight);
  }
  return preference;
}

Encoder::Encoder(std::size_t actions) : actions_(actions) {
  const auto add = [this](std::string_view group, int version, std::size_t width,
                          std::string_view transform) {
    schema_ += fmt::format("{}\t{}\t{}\t{}\n", group, version, width, transform);
    width_ += width;
  };
  const auto& [autophase, ir2vec] = kInputs;
  add("autophase", autophase.version, autophase.width, "log1p(now)/8");
  add("autophase.change", autophase.version, autophase.width, "log1p(now)-log1p(start)");
  add("ir2vec", ir2vec.version, ir2vec.width, "now/(1+autophase.TotalInsts)");
  add("ir2vec.change", ir2vec.version, ir2vec.width,
      "now/(1+autophase.TotalInsts)-start/(1+autophase.TotalInsts)");
  add("history.bag", 1, actions, "log1p(count)");
  add("history.last", 1, actions, "one-hot");
  add("history.last_but_one", 1, actions, "one-hot");
  add("objective", 1, kObjectives.size(), fmt::format("one-hot({})", fmt::join(kObjectives, ",")));
  add("baseline", 1, 2, "known,log1p(baseline)-log1p(start)");
  add("value", 1, 2, "known,log1p(now)-log1p(baseline)");
  add("steps", 1, 1, "steps/max_steps");
  add("only", 1, 1, "only?");
}

Status Encoder::encode(const Situation& situation, std::span<float> features) const {
  ORDO_CHECK(features.size() == width_, "room for {} of {} features", features.size(), width_);
  for (std::size_t i = 0; i < kInputs.size(); ++i) {
    ORDO_TRY(checkObservation(kInputs[i], situation.observations[i].start));
    ORDO_TRY(checkObservation(kInputs[i], situation.observations[i].now));
  }
  Writer writer(features);
  const auto& [autophase, ir2vec] = situation.observations;
  ORDO_TRY(encodeCounts(kInputs[0], autophase, writer));
  ORDO_TRY(encodeEmbedding(kInputs[1], ir2vec, autophase, writer));
  encodeHistory(situation.history, actions_, writer);

  ORDO_TRY(encodePreference(situation.preference, writer));
  ORDO_TRY(encodeRelative(situation.baseline_value, situation.start_value, writer));
  ORDO_TRY(encodeRelative(situation.value, situation.baseline_value, writer));
  if (situation.steps > situation.max_steps || situation.max_steps == 0) {
    return fail(ErrorCode::kInvalidArgument, "{} steps of at most {}", situation.steps, situation.max_steps);
  }
  writer.put(static_cast<double>(situation.steps) / situation.max_steps);
  writer.put(situation.only ? 1 : 0);
  ORDO_CHECK(writer.written() == width_, "{} of {} features were written", writer.written(), width_);
  return {};
}

Status checkInputs(std::span<const env::ObservationInfo> offered) {
  for (const Input& input : kInputs) {
    const auto found =
        std::find_if(offered.begin(), offered.end(),
                     [&](const env::ObservationInfo& observation) { return observation.name == input.name; });
    if (found == offered.end())
      return fail(ErrorCode::kUnsupported, "policies need the observation {}, which is not there",
                  input.name);
    if (found->version != input.version || found->dtype != input.dtype || found->width != input.width) {
      return fail(ErrorCode::kUnsupported, "policies need version {} of the observation {}, and this is {}",
                  input.version, input.name, found->version);
    }
  }
  return {};
}

}  // namespace ordo::policy
