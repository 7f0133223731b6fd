// Collector does the work: add() deals a run's weight out to its sequences, and addSequence() goes along one
// and has the encoder write a row for each of its states, the last of which is where to stop. columnsOf()
// finds the observations by name, version and type, wherever a file has them. Sequences are by turns encoded
// as the only answer and as one of many. holdOut() goes by a hash of the package's name, so that all samples
// of a package are on one side, in every run.
#include "learn/samples.h"

#include <algorithm>
#include <cmath>

#include "policy/view.h"

namespace ordo::learn {
namespace {

using experience::Best;
using experience::Run;

std::string packageOf(const std::string& uri) {
  const std::size_t slash = uri.find('/');
  return uri.substr(0, slash == std::string::npos ? slash : uri.find('/', slash + 1));
}

// Where each of policy::kInputs is among the observations of a file.
using Columns = std::array<std::size_t, policy::kInputs.size()>;

Result<Columns> columnsOf(const experience::Header& header) {
  Columns columns{};
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const policy::Input& input = policy::kInputs[i];
    const auto found =
        std::ranges::find_if(header.observations, [&](const experience::ObservationInfo& observation) {
          return observation.name == input.name && observation.version == input.version &&
                 observation.dtype == input.dtype && observation.width == input.width;
        });
    if (found == header.observations.end()) {
      return fail(ErrorCode::kInvalidArgument,
                  "the experience has no {} (version {}) of its states; collect it again", input.name,
                  input.version);
    }
    columns[i] = static_cast<std::size_t>(found - header.observations.begin());
  }
  return columns;
}

env::Observation view(const experience::Numbers& numbers) {
  return std::visit(
      [](const auto& values) {
        const bool integers = std::is_same_v<std::decay_t<decltype(values)>, std::vector<std::int64_t>>;
        return env::Observation{integers ? DType::kInt64 : DType::kFloat32,
                                {static_cast<std::uint32_t>(values.size())},
                                std::as_bytes(std::span(values))};
      },
      numbers);
}

std::optional<double> valueOf(const Run& run, const std::string& reference) {
  const auto values = run.references.find(reference);
  if (values == run.references.end()) return std::nullopt;
  const auto value = values->second.find(run.key.objective);
  return value == values->second.end() ? std::nullopt : std::optional(value->second);
}

class Collector {
 public:
  Collector(const experience::Header& header, const policy::Encoder& encoder, Columns columns)
      : header_(header), encoder_(encoder), columns_(columns), row_(encoder.width()) {}

  Status add(const Run& run) {
    const std::optional<double> baseline = valueOf(run, header_.baseline);
    if (!baseline || *baseline <= 0) return {};  // nothing to compare with
    std::vector<double> gains;
    for (const Best& best : run.best) gains.push_back(1 - best.values.at(run.key.objective) / *baseline);
    if (gains.empty()) return {};
    const double most = *std::ranges::max_element(gains);
    const double worth = kLeastWeight + std::clamp(most / kFullGain, 0.0, 1.0);
    double shares = 0;
    for (const double gain : gains) shares += std::exp((gain - most) / kTemperature);
    for (std::size_t i = 0; i < gains.size(); ++i) {
      const double share = std::exp((gains[i] - most) / kTemperature) / shares;
      ORDO_TRY(addSequence(run, run.best[i], *baseline, gains[i], worth * share));
    }
    return {};
  }

  Samples take() {
    const auto rows = static_cast<std::int64_t>(actions_.size());
    return {torch::tensor(features_).view({rows, static_cast<std::int64_t>(encoder_.width())}),
            torch::tensor(actions_), torch::tensor(weights_), torch::tensor(values_), std::move(packages_)};
  }

 private:
  Status addSequence(const Run& run, const Best& best, double baseline, double gain, double weight) {
    if (best.states.empty()) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: there are no states; a slim file has to be made whole first", run.key.uri);
    }
    policy::Situation situation;
    ORDO_TRY_ASSIGN(situation.preference, policy::preferenceOf(run.key.objective));
    situation.start_value = valueOf(run, "initial");
    situation.baseline_value = baseline;
    situation.max_steps = static_cast<std::uint32_t>(header_.max_length);
    situation.only = sequences_++ % 2 == 0;  // one as good as many: both are to be learned from
    for (std::size_t step = 0; step <= best.actions.size(); ++step) {
      for (std::size_t i = 0; i < columns_.size(); ++i) {
        situation.observations[i] = {view(run.states[best.states.front()][columns_[i]]),
                                     view(run.states[best.states[step]][columns_[i]])};
      }
      if (policy::knownInEachState(run.key.objective))
        situation.value = static_cast<double>(policy::totalInstructions(situation.observations.front().now));
      situation.history = std::span(best.actions).first(step);
      situation.steps = static_cast<std::uint32_t>(step);
      ORDO_TRY(encoder_.encode(situation, row_));
      features_.insert(features_.end(), row_.begin(), row_.end());
      const std::size_t action = step < best.actions.size() ? best.actions[step] : header_.actions.size();
      actions_.push_back(static_cast<std::int64_t>(action));
      weights_.push_back(static_cast<float>(weight / static_cast<double>(best.actions.size() + 1)));
      values_.push_back(static_cast<float>(gain));
      packages_.push_back(packageOf(run.key.uri));
    }
    return {};
  }

  const experience::Header& header_;
  const policy::Encoder& encoder_;
  const Columns columns_;
  std::vector<float> row_;
  std::size_t sequences_ = 0;
  std::vector<float> features_, weights_, values_;
  std::vector<std::int64_t> actions_;
  std::vector<std::string> packages_;
};

Samples pick(const Samples& samples, const std::vector<std::int64_t>& rows) {
  const torch::Tensor index = torch::tensor(rows, torch::kLong);
  Samples picked{samples.features.index_select(0, index),
                 samples.actions.index_select(0, index),
                 samples.weights.index_select(0, index),
                 samples.values.index_select(0, index),
                 {}};
  for (const std::int64_t row : rows)
    picked.packages.push_back(samples.packages[static_cast<std::size_t>(row)]);
  return picked;
}

}  // namespace

Result<Samples> samplesOf(const experience::Header& header, const std::vector<Run>& runs,
                          const policy::Encoder& encoder) {
  ORDO_TRY_ASSIGN(const Columns columns, columnsOf(header));
  Collector collector(header, encoder, columns);
  for (const Run& run : runs) ORDO_TRY(collector.add(run));
  Samples samples = collector.take();
  if (samples.packages.empty()) return fail(ErrorCode::kInvalidArgument, "there is nothing to learn from");
  return samples;
}

torch::Tensor amongMany(const Samples& samples) {
  const torch::Tensor only = samples.features.select(1, samples.features.size(1) - 1);  // the last of all
  return samples.features.index_select(0, only.eq(0).nonzero().squeeze(1));
}

std::pair<Samples, Samples> holdOut(const Samples& samples, double share) {
  std::vector<std::int64_t> held, others;
  for (std::size_t i = 0; i < samples.packages.size(); ++i) {
    const double draw = static_cast<double>(hashBytes(samples.packages[i]).low % 1000) / 1000;
    (draw < share ? held : others).push_back(static_cast<std::int64_t>(i));
  }
  return {pick(samples, held), pick(samples, others)};
}

}  // namespace ordo::learn
