#include "mlir/learned/fit.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numeric>

#include "mlir/learned/estimator.h"
#include "mlir/model/cost.h"
#include "mlir/model/operation_features.h"
#include "policy/trainable.h"
#include "support/rng.h"

namespace ordo::learned {
namespace {

using policy::Trainable;

constexpr std::size_t kBatch = 12;     // samples of one kernel
constexpr double kGigahertz = 3.7;     // what cycles are nanoseconds by, about
constexpr double kFastest = 0.7;       // by what logarithm of slowness a sample matters e times less
constexpr double kLeastWeight = 0.05;  // of the slowest
constexpr double kAmong = 0.1;         // weight of kernels among each other
constexpr double kHuber = 0.5;
constexpr double kLeftOut = 0.2;  // of the groups, by each network
constexpr std::size_t kFew = 8;   // groups of which none is left out

struct Estimate {
  double log_cycles = 0;
  std::vector<Trainable::Tape> tapes;
  std::vector<double> shares;  // of each operation of all
};

Estimate estimate(const Trainable& network, const Sample& sample) {
  Estimate made;
  double sum = 0;
  for (std::size_t i = 0; i < sample.operations.size(); ++i) {
    made.tapes.push_back(network.forward(sample.operations[i]));
    const double factor = std::clamp(made.tapes.back().logits[0], -kMostFactor, kMostFactor);
    made.shares.push_back(sample.cycles[i] * std::exp(factor));
    sum += made.shares.back();
  }
  sum = std::max(sum, 1e-9);
  for (double& share : made.shares) share /= sum;
  made.log_cycles = std::log(sum);
  return made;
}

double logTime(const Sample& sample) { return std::log(sample.time_ns * kGigahertz); }

double slope(double off) { return std::clamp(off, -kHuber, kHuber); }

// Learns from some samples of a group; the loss.
double learn(Trainable& network, std::span<const Sample* const> some, double best) {
  std::vector<Estimate> estimates;
  std::vector<double> weights;
  double all = 0, mean = 0;
  for (const Sample* const sample : some) {
    estimates.push_back(estimate(network, *sample));
    weights.push_back(kLeastWeight + std::exp((best - logTime(*sample)) / kFastest));
    all += weights.back();
    mean += weights.back() * (estimates.back().log_cycles - logTime(*sample));
  }
  mean /= all;
  double loss = 0;
  for (std::size_t i = 0; i < some.size(); ++i) {
    const double weight = weights[i] / all;
    const double off = estimates[i].log_cycles - logTime(*some[i]) - mean;
    loss += weight * std::min(off * off / 2, kHuber * std::abs(off));
    const double wrong = weight * (slope(off) + kAmong * slope(mean));
    for (std::size_t j = 0; j < estimates[i].tapes.size(); ++j)
      network.backward(estimates[i].tapes[j], {wrong * estimates[i].shares[j]});
  }
  return loss;
}

// Learns from all samples of a group; the loss.
double learnGroup(Trainable& network, const Group& group, double rate, double decay, Rng& rng) {
  std::vector<const Sample*> samples;
  double least = INFINITY;
  for (const Sample& sample : group) {
    samples.push_back(&sample);
    least = std::min(least, logTime(sample));
  }
  rng.shuffle(std::span(samples));
  double loss = 0, batches = 0;
  for (std::size_t begin = 0; begin < samples.size(); begin += kBatch) {
    const std::size_t size = std::min(kBatch, samples.size() - begin);
    if (size < 2) continue;
    loss += learn(network, std::span(samples).subspan(begin, size), least);
    ++batches;
    network.step(1, rate, decay);
  }
  return batches > 0 ? loss / batches : 0;
}

// Of the logarithm of the best over the first, what the sample has of which `value` is least.
double shareOf(std::span<const Group> groups, const std::function<double(const Sample&)>& value) {
  double reached = 0, possible = 0;
  for (const Group& group : groups) {
    const auto chosen = std::ranges::min_element(group, {}, value);
    const auto best = std::ranges::min_element(group, {}, &Sample::time_ns);
    reached += logTime(group.front()) - logTime(*chosen);
    possible += logTime(group.front()) - logTime(*best);
  }
  return possible > 0 ? reached / possible : 1;
}

}  // namespace

const std::vector<std::string>& rowNames() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all = {"cycles"};
    std::ranges::copy(model::operationFeatureNames(), std::back_inserter(all));
    return all;
  }();
  return names;
}

std::vector<float> rowsOf(const model::Schedule& schedule) {
  std::vector<float> rows;
  for (std::size_t i = 0; i < schedule.kernel().operations.size(); ++i) {
    rows.push_back(static_cast<float>(model::cost(schedule, i)));
    std::ranges::copy(model::operationFeatures(schedule, i), std::back_inserter(rows));
  }
  return rows;
}

Sample sampleOf(std::span<const float> rows, double time_ns) {
  Sample sample{{}, {}, time_ns};
  for (; !rows.empty(); rows = rows.subspan(rowNames().size())) {
    const std::span<const float> row = rows.first(rowNames().size());
    sample.cycles.push_back(static_cast<double>(row.front()));
    sample.operations.emplace_back(row.begin() + 1, row.end());
  }
  return sample;
}

Fit fit(std::span<const Group> groups, std::span<const Group> held_out, const FitSettings& settings,
        const std::function<bool(std::size_t, double)>& go_on) {
  std::vector<Trainable> networks;
  Fit fitted;
  const auto share = [&](const std::function<double(const Sample&)>& value) {
    return shareOf(held_out, value);
  };
  for (std::size_t number = 0; number < settings.networks; ++number) {
    Rng rng = Rng(settings.seed).stream(number);
    Trainable& network =
        networks.emplace_back(policy::NetworkShape{.architecture = policy::Architecture::kResidual,
                                                   .inputs = model::operationFeatureNames().size(),
                                                   .hidden = settings.hidden,
                                                   .blocks = settings.blocks,
                                                   .actions = 1});
    network.initialise(rng);
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      if (groups.size() < kFew || !rng.chance(kLeftOut)) order.push_back(i);
    }
    for (std::size_t epoch = 1; epoch <= settings.epochs; ++epoch) {
      // Down to nothing along half a cosine.
      const double along = static_cast<double>(epoch - 1) / static_cast<double>(settings.epochs);
      const double rate = settings.rate * (1 + std::cos(M_PI * along)) / 2;
      rng.shuffle(std::span(order));
      double loss = 0;
      for (const std::size_t i : order) loss += learnGroup(network, groups[i], rate, settings.decay, rng);
      if (go_on && !go_on(number * settings.epochs + epoch, loss / static_cast<double>(order.size())))
        return fitted;
    }
    fitted.networks.push_back(network.tensors());
  }
  fitted.share = share([&](const Sample& sample) {
    std::vector<double> log_cycles;
    for (const Trainable& network : networks) log_cycles.push_back(estimate(network, sample).log_cycles);
    return together(log_cycles);
  });
  fitted.share_of_costs = share(
      [](const Sample& sample) { return std::accumulate(sample.cycles.begin(), sample.cycles.end(), 0.0); });
  return fitted;
}

}  // namespace ordo::learned
