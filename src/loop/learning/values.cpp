#include "loop/learning/values.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

namespace ordo::loop {
namespace {

// Standard deviations that a reward may be off before the load is taken to have shifted.
constexpr double kSurprise = 3;
// Of choices, whatever is believed: what is never tried is never found.
constexpr double kAnyway = 0.1;

constexpr double kDay = 86400;
constexpr double kRejectedRests = 60;  // times as long: it is surely worse, until the load is another

struct Belief {
  Eigen::VectorXd mean;
  Eigen::MatrixXd root;  // of the covariance
};

double normal(Rng& rng) {
  return std::sqrt(-2 * std::log(1 - rng.uniform())) * std::cos(2 * std::numbers::pi * rng.uniform());
}

Eigen::VectorXd draw(const Belief& belief, double temperature, Rng& rng) {
  Eigen::VectorXd noise(belief.mean.size());
  for (Eigen::Index i = 0; i < noise.size(); ++i) noise[i] = temperature * normal(rng);
  return belief.mean + belief.root * noise;
}

Eigen::Index best(const Eigen::VectorXd& values, const std::vector<bool>& allowed) {
  Eigen::Index first = -1;
  for (Eigen::Index i = 0; i < values.size(); ++i)
    if (allowed[static_cast<std::size_t>(i)] && (first < 0 || values[i] > values[first])) first = i;
  return first;
}

// Of which of `allowed` it is least known how it compares with production, and that for the longest time.
Eigen::Index leastKnown(const Belief& belief, const std::vector<bool>& allowed, Eigen::Index production) {
  Eigen::VectorXd unknown(belief.mean.size());
  for (Eigen::Index i = 0; i < unknown.size(); ++i)
    unknown[i] = (belief.root.row(i) - belief.root.row(production)).squaredNorm();
  return best(unknown, allowed);
}

struct Known {
  Belief belief;
  std::vector<Value> values;
};

// What an end says of when to try it again.
void rest(const StoredReward& reward, const LearningOptions& options, Value& value) {
  if (reward.forgiven || reward.outcome == Outcome::kPromoted || reward.outcome == Outcome::kInconclusive) {
    value.fruitless = 0;
    value.rests_until_s = 0;
    return;
  }
  value.barred = value.barred || reward.censored;
  ++value.fruitless;
  const double longer = reward.outcome == Outcome::kRejected && reward.value ? kRejectedRests : 1;
  const double doubled = std::exp2(std::min<double>(30, static_cast<double>(value.fruitless - 1)));
  value.rests_until_s = reward.computed_s + std::min(kDay, options.rest_s * longer * doubled);
}

Known learn(const std::vector<std::string>& candidates, const std::vector<StoredReward>& rewards,
            const std::string& toolchain, const LearningOptions& options) {
  const auto count = static_cast<Eigen::Index>(candidates.size() + 1);
  std::map<std::string, Eigen::Index> index = {{"", count - 1}};
  Known known;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    index[candidates[i]] = static_cast<Eigen::Index>(i);
    known.values.push_back({.candidate = candidates[i]});
  }
  known.values.push_back({.candidate = ""});
  Eigen::VectorXd mean = Eigen::VectorXd::Zero(count);
  Eigen::VectorXd others = Eigen::VectorXd::Ones(count);
  others[count - 1] = 0;  // the first production's value is 0: the others are told by it
  Eigen::MatrixXd covariance = options.prior * options.prior * others.asDiagonal().toDenseMatrix();
  for (const StoredReward& reward : rewards) {
    const auto to = index.find(reward.candidate), from = index.find(reward.baseline);
    if (to == index.end() || reward.toolchain != toolchain) continue;
    Value& value = known.values[static_cast<std::size_t>(to->second)];
    rest(reward, options, value);
    if (from == index.end()) continue;
    if (value.rewards == 0 && reward.staged && to->second != count - 1)
      mean[to->second] = *reward.staged + mean[from->second];
    // A penalty is no measurement: it says whom to leave alone, and nothing of what the others are worth.
    if (!reward.value || reward.censored || to->second == from->second) continue;
    ++value.rewards;
    covariance += options.walk * options.walk * others.asDiagonal().toDenseMatrix();
    Eigen::VectorXd difference = Eigen::VectorXd::Zero(count);
    difference[to->second] = 1;
    difference[from->second] = -1;
    const double noise = *reward.error * *reward.error + options.drift * options.drift;
    const double surprise = *reward.value - difference.dot(mean);
    double variance = difference.dot(covariance * difference) + noise;
    if (surprise * surprise > kSurprise * kSurprise * variance) {
      // The load is another: what is known of all is worth little.
      covariance += 4 * options.prior * options.prior * others.asDiagonal().toDenseMatrix();
      variance = difference.dot(covariance * difference) + noise;
    }
    const Eigen::VectorXd gain = covariance * difference / variance;
    mean += gain * surprise;
    covariance -= gain * (covariance * difference).transpose();
  }
  const Eigen::MatrixXd tiny = 1e-12 * Eigen::MatrixXd::Identity(count, count);  // for the root
  known.belief = {.mean = mean, .root = (covariance + tiny).llt().matrixL()};
  for (std::size_t i = 0; i < known.values.size(); ++i) {
    const auto at = static_cast<Eigen::Index>(i);
    known.values[i].mean = known.belief.mean[at];
    known.values[i].deviation = std::sqrt(covariance(at, at));
  }
  return known;
}

}  // namespace

std::vector<Value> values(const std::vector<std::string>& candidates,
                          const std::vector<StoredReward>& rewards, const std::string& toolchain,
                          const LearningOptions& options, Rng& rng) {
  Known known = learn(candidates, rewards, toolchain, options);
  std::vector<bool> allowed;
  for (const Value& value : known.values) allowed.push_back(!value.barred);
  for (unsigned i = 0; i < options.draws; ++i)
    known.values[static_cast<std::size_t>(best(draw(known.belief, 1, rng), allowed))].best +=
        1.0 / options.draws;
  return known.values;
}

Result<std::optional<Choice>> ThompsonChooser::choose(const std::string& production, double temperature,
                                                      double now_s, Rng& rng) {
  ORDO_TRY_ASSIGN(const std::vector<StoredReward> rewards, store_.rewards());
  const Known known = learn(candidates_, rewards, toolchain_, options_);
  std::vector<bool> allowed;
  std::optional<Choice> later;
  for (const Value& value : known.values) {
    const bool may = !value.barred && !value.candidate.empty() && value.candidate != production;
    allowed.push_back(may && value.rests_until_s <= now_s);
    if (may && (!later || value.rests_until_s < later->not_before_s))
      later = Choice{.candidate = value.candidate, .policy = {}, .not_before_s = value.rests_until_s};
  }
  if (std::ranges::none_of(allowed, [](bool one) { return one; })) return later;
  const auto place = std::ranges::find(known.values, production, &Value::candidate);
  const Eigen::Index incumbent =
      place == known.values.end() ? known.belief.mean.size() - 1 : place - known.values.begin();
  const Eigen::Index unknown = leastKnown(known.belief, allowed, incumbent);
  std::vector<double> probabilities(allowed.size(), 0);
  for (unsigned i = 0; i < options_.draws; ++i) {
    const Eigen::VectorXd drawn = draw(known.belief, temperature, rng);
    Eigen::Index chosen = best(drawn, allowed);
    if (drawn[chosen] <= drawn[incumbent] && rng.chance(temperature)) chosen = unknown;
    probabilities[static_cast<std::size_t>(chosen)] += 1.0 / options_.draws;
  }
  const auto all = static_cast<double>(std::ranges::count(allowed, true));
  const double anyway = kAnyway * temperature;
  for (std::size_t i = 0; i < allowed.size(); ++i)
    if (allowed[i]) probabilities[i] = (1 - anyway) * probabilities[i] + anyway / all;
  // Chosen by these very numbers, so that what is logged is what was done.
  double left = rng.uniform();
  std::size_t chosen = 0;
  for (std::size_t i = 0; i < probabilities.size(); ++i) {
    if (probabilities[i] <= 0) continue;
    chosen = i;
    if ((left -= probabilities[i]) < 0) break;
  }
  Choice choice{.candidate = known.values[chosen].candidate,
                .probability = std::min(1.0, probabilities[chosen]),
                .policy = fmt::format("thompson-1 after {} rewards", rewards.size())};
  for (std::size_t i = 0; i < allowed.size(); ++i) {
    if (!allowed[i]) continue;
    const std::string& candidate = known.values[i].candidate;
    const auto made_by = sequences_.find(candidate);
    choice.among.push_back(
        {candidate, std::min(1.0, probabilities[i]), made_by == sequences_.end() ? "" : made_by->second});
  }
  return choice;
}

}  // namespace ordo::loop
