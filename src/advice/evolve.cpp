// Names in comments are those of the paper.
#include "advice/evolve.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "support/json.h"
#include "support/rng.h"

namespace ordo::advice {

Evolution::Evolution(std::vector<double> mean, double step, std::uint64_t seed)
    : mean_(std::move(mean)),
      variance_(mean_.size(), 1),
      path_(mean_.size(), 0),
      step_path_(mean_.size(), 0),
      step_(step),
      seed_(seed) {}

std::vector<std::vector<double>> Evolution::candidates(std::size_t count) const {
  Rng rng(seed_ + 1000 * (generation_ + 1));
  std::vector<std::vector<double>> result(count, mean_);
  for (std::vector<double>& one : result) {
    for (std::size_t i = 0; i < one.size(); ++i) {
      double normal = -6;  // near enough: the sum of twelve uniform numbers
      for (int k = 0; k < 12; ++k) normal += rng.uniform();
      one[i] += step_ * std::sqrt(variance_[i]) * normal;
    }
  }
  return result;
}

void Evolution::learn(const std::vector<std::vector<double>>& tried, std::span<const double> costs) {
  const std::size_t better = std::max<std::size_t>(1, tried.size() / 2);
  const auto n = static_cast<double>(mean_.size());
  std::vector<std::size_t> order(tried.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::sort(order, {}, [&](std::size_t i) { return std::pair(costs[i], i); });
  std::vector<double> weight(better);
  for (std::size_t i = 0; i < better; ++i)
    weight[i] = std::log(static_cast<double>(better) + 0.5) - std::log(static_cast<double>(i) + 1);
  const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
  double squares = 0;
  for (double& one : weight) {
    one /= sum;
    squares += one * one;
  }
  const double mass = 1 / squares;  // mu_eff

  const double c_step = (mass + 2) / (n + mass + 5);
  const double damping = 1 + c_step + 2 * std::max(0.0, std::sqrt((mass - 1) / (n + 1)) - 1);
  const double c_path = (4 + mass / n) / (n + 4 + 2 * mass / n);
  // Of the diagonal alone, which is known (n + 2) / 3 times as soon.
  const double faster = (n + 2) / 3;
  const double c_one = std::min(1.0, faster * 2 / ((n + 1.3) * (n + 1.3) + mass));
  const double c_all = std::min(1 - c_one, faster * 2 * (mass - 2 + 1 / mass) / ((n + 2) * (n + 2) + mass));

  ++generation_;
  double length = 0;
  std::vector<double> moved(mean_.size());
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    double next = 0;
    for (std::size_t k = 0; k < better; ++k) next += weight[k] * tried[order[k]][i];
    moved[i] = (next - mean_[i]) / step_;
    step_path_[i] = (1 - c_step) * step_path_[i] +
                    std::sqrt(c_step * (2 - c_step) * mass) * moved[i] / std::sqrt(variance_[i]);
    length += step_path_[i] * step_path_[i];
  }
  length = std::sqrt(length);
  const double expected = std::sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
  const double settled = std::sqrt(1 - std::pow(1 - c_step, 2.0 * static_cast<double>(generation_)));
  const bool stalled = length / settled >= (1.4 + 2 / (n + 1)) * expected;  // h_sigma is 0
  for (std::size_t i = 0; i < mean_.size(); ++i) {
    path_[i] = (1 - c_path) * path_[i] + (stalled ? 0 : std::sqrt(c_path * (2 - c_path) * mass) * moved[i]);
    double spread = 0;
    for (std::size_t k = 0; k < better; ++k) {
      const double step = (tried[order[k]][i] - mean_[i]) / step_;
      spread += weight[k] * step * step;
    }
    variance_[i] = (1 - c_one - c_all) * variance_[i] +
                   c_one * (path_[i] * path_[i] + (stalled ? c_path * (2 - c_path) * variance_[i] : 0)) +
                   c_all * spread;
    mean_[i] += step_ * moved[i];
  }
  step_ *= std::exp(c_step / damping * (length / expected - 1));
}

std::string Evolution::write() const {
  return writeJson({{"generation", generation_},
                    {"seed", seed_},
                    {"step", step_},
                    {"mean", mean_},
                    {"variance", variance_},
                    {"path", path_},
                    {"step_path", step_path_}}) +
         "\n";
}

Result<Evolution> Evolution::parse(std::string_view text, const std::string& where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  ORDO_TRY_ASSIGN(std::vector<double> mean, object.get<std::vector<double>>("mean"));
  ORDO_TRY_ASSIGN(const double step, object.get<double>("step"));
  ORDO_TRY_ASSIGN(const std::int64_t seed, object.get<std::int64_t>("seed"));
  ORDO_TRY_ASSIGN(const std::int64_t generation, object.get<std::int64_t>("generation"));
  Evolution made(std::move(mean), step, static_cast<std::uint64_t>(seed));
  made.generation_ = static_cast<std::size_t>(generation);
  ORDO_TRY_ASSIGN(made.variance_, object.get<std::vector<double>>("variance"));
  ORDO_TRY_ASSIGN(made.path_, object.get<std::vector<double>>("path"));
  ORDO_TRY_ASSIGN(made.step_path_, object.get<std::vector<double>>("step_path"));
  const std::size_t size = made.mean_.size();
  if (size == 0 || made.variance_.size() != size || made.path_.size() != size ||
      made.step_path_.size() != size || !(step > 0) || generation < 0 ||
      !std::ranges::all_of(made.variance_, [](double one) { return one > 0; }))
    return fail(ErrorCode::kCorrupt, "{}: an evolution that does not hold together", where);
  return made;
}

}  // namespace ordo::advice
