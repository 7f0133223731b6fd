// practise() is the loop: a policy of the weights as they are, a batch played on the stage, one update, now
// and then a judgement, then a checkpoint. A batch follows from its number, the grounds and the options alone
// (Curriculum::batch()), and torch's seed from the number too, so that a training that goes on from a
// checkpoint has the same exercises. The checkpoint is one file with network, optimizer, best weights and
// counters, renamed into place. In the end the weights that the judges liked best are put back (without
// judges, the last).
#include "trainer/practise.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <numeric>
#include <span>

#include "support/clock.h"
#include "support/rng.h"

namespace ordo::trainer {
namespace {

constexpr double kSmallest = 200;
constexpr std::uint64_t kOpenings = 1'000'000;  // a random stream that no episode has

// Uniform over all weights that sum to 1: they are in proportion to exponential variates (Dirichlet's
// distribution with all parameters 1).
std::string anyPreference(const std::vector<std::string>& objectives, Rng& rng) {
  std::string text;
  for (const std::string& objective : objectives) {
    const double weight = std::max(-std::log1p(-rng.uniform()), 1e-6);
    text += fmt::format("{}{}={:.6f}", text.empty() ? "" : "+", objective, weight);
  }
  return text;
}

// Batches of exercises, each of which follows from its number and the options.
class Curriculum {
 public:
  Curriculum(std::vector<Ground> grounds, const PractiseOptions& options)
      : grounds_(std::move(grounds)), options_(options) {
    std::ranges::sort(grounds_, [](const Ground& a, const Ground& b) {
      return std::pair(a.instructions, a.uri) < std::pair(b.instructions, b.uri);
    });
  }

  std::vector<campaigns::Exercise> batch(std::uint64_t number) const {
    Rng rng = Rng(options_.seed).stream(number);
    const std::size_t within = reach(number);
    std::vector<campaigns::Exercise> exercises;
    for (std::size_t i = 0; i < options_.programs; ++i) {
      const Ground& ground = grounds_[rng.below(within)];
      std::string objective = options_.objectives[rng.below(options_.objectives.size())];
      const bool only = rng.uniform() < options_.only_share;
      const std::uint64_t seed = rng.next();
      // Only where it is asked for, so that all other exercises are what they are without it.
      if (options_.preference_share > 0 && rng.uniform() < options_.preference_share)
        objective = anyPreference(options_.objectives, rng);
      auto openings = openingsOf(ground.uri, objective, number, seed);
      exercises.push_back(
          {ground.uri, std::move(objective), options_.group, 1, seed, only, std::move(openings)});
    }
    return exercises;
  }

 private:
  // What the episodes begin with, each; nothing where nothing is proposed. Which batches had the program
  // before is a matter of chance, so that its first episodes are those that it is expected to have had.
  std::vector<std::vector<std::string>> openingsOf(const std::string& uri, const std::string& objective,
                                                   std::uint64_t number, std::uint64_t seed) const {
    const prior::Proposals* const known =
        options_.prior != nullptr ? options_.prior->find(uri, objective) : nullptr;
    if (known == nullptr || known->proposals.empty()) return {};
    Rng rng = Rng(seed).stream(kOpenings);
    const std::uint64_t before = number * options_.programs / grounds_.size() * options_.group;
    std::vector<std::vector<std::string>> openings;
    for (std::size_t i = 0; i < options_.group; ++i) {
      std::vector<std::string>& opening = openings.emplace_back();
      if (before + i < known->proposals.size()) {
        opening = known->proposals[before + i].actions;
      } else if (rng.chance(options_.prior_share)) {
        opening = rng.pick(std::span<const prior::Proposal>(known->proposals)).actions;
        opening.resize(rng.between(1, opening.size()));
      }
    }
    return openings;
  }

  // How many programs, the smallest first, the batch may have.
  std::size_t reach(std::uint64_t number) const {
    if (!options_.curriculum) return grounds_.size();
    const double done = static_cast<double>(number * options_.programs * options_.group) /
                        static_cast<double>(options_.rollouts);
    const double largest = grounds_.back().instructions;
    const double size = kSmallest + (largest - kSmallest) * std::min(2 * done, 1.0);
    const auto end = std::ranges::upper_bound(grounds_, size, {}, &Ground::instructions);
    return std::max<std::size_t>(static_cast<std::size_t>(end - grounds_.begin()),
                                 std::min(grounds_.size(), options_.programs));
  }

  std::vector<Ground> grounds_;
  const PractiseOptions& options_;
};

struct Progress {
  std::uint64_t batches = 0;
  double best = 0, seconds = 0;
  std::uint64_t stale = 0;  // judgements since the best
  std::vector<policy::Tensor> best_weights;
};

// One file with all that is needed to go on. Written beside and renamed, so that it is always whole.
void save(const std::string& path, const learn::Network& network, torch::optim::Optimizer& optimizer,
          const Progress& progress) {
  torch::serialize::OutputArchive archive, weights, state, best;
  network->save(weights);
  optimizer.save(state);
  learn::Network kept(network->shape());
  ORDO_CHECK(learn::setWeights(kept, progress.best_weights).has_value(), "its own weights do not fit");
  kept->save(best);
  archive.write("network", weights);
  archive.write("optimizer", state);
  archive.write("best", best);
  archive.write("numbers", torch::tensor({static_cast<double>(progress.batches), progress.best,
                                          progress.seconds, static_cast<double>(progress.stale)},
                                         torch::kDouble));
  const std::string beside = path + ".new";
  archive.save_to(beside);
  std::filesystem::rename(beside, path);
}

Status load(const std::string& path, learn::Network& network, torch::optim::Optimizer& optimizer,
            Progress& progress) try {
  torch::serialize::InputArchive archive, weights, state, best;
  archive.load_from(path);
  archive.read("network", weights);
  network->load(weights);
  archive.read("optimizer", state);
  optimizer.load(state);
  archive.read("best", best);
  learn::Network kept(network->shape());
  kept->load(best);
  torch::Tensor numbers;
  archive.read("numbers", numbers);
  progress.batches = static_cast<std::uint64_t>(numbers[0].item<double>());
  progress.best = numbers[1].item<double>();
  progress.seconds = numbers[2].item<double>();
  progress.stale = static_cast<std::uint64_t>(numbers[3].item<double>());
  progress.best_weights = learn::weightsOf(kept);
  return {};
} catch (const std::exception& error) {
  const std::string_view what = error.what();
  return fail(ErrorCode::kCorrupt, "{} is no checkpoint of such a training; remove it to begin again ({})",
              path, what.substr(0, what.find('\n')));
}

}  // namespace

Result<std::shared_ptr<const policy::Policy>> policyOf(const policy::PolicyInfo& info,
                                                       const learn::Network& network) {
  ORDO_TRY_ASSIGN(policy::Policy policy,
                  policy::Policy::parse(policy::writePolicy(info, learn::weightsOf(network)), "the network"));
  return std::make_shared<const policy::Policy>(std::move(policy));
}

Result<double> judge(const std::shared_ptr<const policy::Policy>& policy, campaigns::Stage& stage,
                     const std::vector<std::string>& programs, const std::vector<std::string>& objectives,
                     std::size_t episodes) {
  const bool greedy = episodes == 1;
  std::vector<campaigns::Exercise> exercises;
  for (const std::string& uri : programs) {
    for (const std::string& objective : objectives)
      exercises.push_back({uri, objective, episodes, greedy ? 0.0 : 1.0, 0, greedy});
  }
  ORDO_TRY_ASSIGN(const std::vector<policy::TrajectoryGroup> groups, stage.play(policy, exercises));
  double sum = 0, count = 0;
  for (const policy::TrajectoryGroup& group : groups) {
    if (group.episodes.empty()) continue;
    double best = greedy ? -1 : 0;
    for (const policy::Trajectory& episode : group.episodes)
      best = std::max(best, episode.failed ? 0 : episode.gain);
    sum += best;
    ++count;
  }
  return count > 0 ? sum / count : 0;
}

Result<PractiseReport> practise(learn::Network& network, const policy::PolicyInfo& info,
                                campaigns::Stage& stage, const std::vector<Ground>& grounds,
                                const PractiseOptions& options, const std::atomic<bool>& stop,
                                const std::function<void(const PractiseReport&)>& on_batch) {
  if (grounds.empty()) return fail(ErrorCode::kInvalidArgument, "there is no program to practise on");
  const SteadyClock clock;
  const Curriculum curriculum(grounds, options);
  learn::Reinforcer reinforcer(network, options.reinforce);
  if (options.kept.defined() && options.keep > 0) reinforcer.keep(options.kept, options.keep);
  Progress progress;
  PractiseReport report;
  const auto judgeNow = [&]() -> Status {
    ORDO_TRY_ASSIGN(const std::shared_ptr<const policy::Policy> policy, policyOf(info, network));
    ORDO_TRY_ASSIGN(report.judged, judge(policy, stage, options.judges, options.objectives, 1));
    if (options.judge_episodes > 1) {
      ORDO_TRY_ASSIGN(const double best,
                      judge(policy, stage, options.judges, options.objectives, options.judge_episodes));
      report.judged = (report.judged + best) / 2;
    }
    report.is_best = progress.best_weights.empty() || report.judged > progress.best;
    ++progress.stale;
    if (!report.is_best && !options.judges.empty()) return {};
    progress.best = report.judged;
    progress.best_weights = learn::weightsOf(network);
    progress.stale = 0;
    return {};
  };
  const bool resumed = !options.checkpoint.empty() && std::filesystem::exists(options.checkpoint);
  if (resumed) {
    ORDO_TRY(load(options.checkpoint, network, reinforcer.optimizer(), progress));
    report.judged = progress.best;
  } else {
    ORDO_TRY(judgeNow());
  }
  const double start_s = clock.seconds() - progress.seconds;
  const std::uint64_t batches =
      (options.rollouts + options.programs * options.group - 1) / (options.programs * options.group);
  while (progress.batches < batches && !stop &&
         (options.patience == 0 || progress.stale < options.patience)) {
    torch::manual_seed(options.seed + progress.batches);
    ORDO_TRY_ASSIGN(const std::shared_ptr<const policy::Policy> policy, policyOf(info, network));
    Result<std::vector<policy::TrajectoryGroup>> groups =
        stage.play(policy, curriculum.batch(progress.batches));
    if (!groups && stop) break;
    if (!groups) return fail(std::move(groups).error());
    report.update = reinforcer.update(*groups);
    report.gains.clear();
    for (const policy::TrajectoryGroup& group : *groups) {
      for (const policy::Trajectory& episode : group.episodes) report.gains.push_back(episode.gain);
    }
    report.rollouts += report.update.episodes;
    report.is_best = false;
    ++progress.batches;
    const bool last = progress.batches == batches;
    if (last || options.judges.empty() || progress.batches % options.judge_every == 0) {
      if (Status judged = judgeNow(); !judged) {
        if (stop) break;
        return fail(std::move(judged).error());
      }
    }
    progress.seconds = clock.seconds() - start_s;
    report.batch = progress.batches;
    report.seconds = progress.seconds;
    if (!options.checkpoint.empty()) save(options.checkpoint, network, reinforcer.optimizer(), progress);
    on_batch(report);
  }
  ORDO_CHECK(learn::setWeights(network, progress.best_weights).has_value(), "its own weights do not fit");
  report.batch = progress.batches;
  report.judged = progress.best;
  return report;
}

}  // namespace ordo::trainer
