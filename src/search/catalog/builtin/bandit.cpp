// An ensemble of simple techniques that share what they find. A bandit gives the next evaluations to
// whichever found new bests lately:
//
// - differential evolution, DE/rand/1/bin, on relaxed sequences (relaxation.h);
// - greedy mutation: the best so far with a tenth of its actions drawn again and one more change;
// - hill climbing: one small change at a time, anew from chance when it is stuck;
// - a steady-state genetic algorithm, in which a child replaces the worst.
//
// Source: J. Ansel et al., "OpenTuner: an extensible framework for program autotuning", PACT 2014; R. Storn
//   and K. Price, "Differential evolution", Journal of Global Optimization 11, 1997.
// Parameters: the constants below; window and exploration are OpenTuner's.
#include <algorithm>
#include <array>
#include <deque>

#include "search/searcher/auc_bandit.h"
#include "search/searcher/relaxation.h"
#include "search/searcher/searcher.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kWindow = 500;
constexpr double kExploration = 0.05;
constexpr std::size_t kPopulation = 30;     // of differential evolution and of the genetic algorithm
constexpr double kCrossoverRate = 0.9;      // of differential evolution, per coordinate
constexpr double kLeastDifferential = 0.5;  // its weight of a difference is uniform from here to 1
constexpr double kGreedyMutation = 0.1;
constexpr std::size_t kHillPatience = 50;  // changes without improvement
constexpr std::size_t kTournament = 3;

// Proposes sequences and hears what came of them, in the same order.
class Technique {
 public:
  explicit Technique(SearchContext& context) : context_(context) {}
  virtual ~Technique() = default;
  virtual Sequence propose() = 0;
  virtual void learn(const Evaluation& result) = 0;

 protected:
  SearchContext& context_;
};

class DifferentialEvolution final : public Technique {
 public:
  explicit DifferentialEvolution(SearchContext& context) : Technique(context), relaxation_(context) {}

  Sequence propose() override {
    const std::size_t target = proposed_++ % kPopulation;
    Point trial = population_.size() < kPopulation
                      ? relaxation_.encode(context_.randomSequence(), context_.rng())
                      : recombine(population_[target].point);
    Sequence sequence = relaxation_.decode(trial);
    pending_.push_back({target, std::move(trial)});
    return sequence;
  }

  void learn(const Evaluation& result) override {
    Trial trial = std::move(pending_.front());
    pending_.pop_front();
    if (population_.size() < kPopulation) {
      population_.push_back({std::move(trial.point), result});
    } else if (Member& target = population_[trial.target]; !better(target.evaluation, result)) {
      target = {std::move(trial.point), result};
    }
  }

 private:
  struct Member {
    Point point;
    Evaluation evaluation;
  };
  struct Trial {
    std::size_t target;
    Point point;
  };

  Point recombine(Point point) {
    Rng& rng = context_.rng();
    const Point& base = rng.pick(std::span(population_)).point;
    const Point& plus = rng.pick(std::span(population_)).point;
    const Point& minus = rng.pick(std::span(population_)).point;
    const double weight = kLeastDifferential + (1 - kLeastDifferential) * rng.uniform();
    const std::size_t always = rng.below(point.size());
    for (std::size_t i = 0; i < point.size(); ++i) {
      if (!rng.chance(kCrossoverRate) && i != always) continue;
      point[i] = std::clamp(base[i] + weight * (plus[i] - minus[i]), 0.0, 1.0);
    }
    return point;
  }

  Relaxation relaxation_;
  std::vector<Member> population_;
  std::deque<Trial> pending_;
  std::size_t proposed_ = 0;
};

class GreedyMutation final : public Technique {
 public:
  using Technique::Technique;

  Sequence propose() override {
    return neighbour(context_, mutated(context_, context_.best().actions, kGreedyMutation));
  }
  void learn(const Evaluation&) override {}
};

class HillClimbing final : public Technique {
 public:
  explicit HillClimbing(SearchContext& context) : Technique(context), here_(context.best()) {}

  Sequence propose() override {
    return idle_ < kHillPatience ? neighbour(context_, here_.actions) : context_.randomSequence();
  }

  void learn(const Evaluation& result) override {
    const bool restarts = idle_ >= kHillPatience && result.verdict >= Verdict::kScreened;
    if (restarts || better(result, here_)) {
      idle_ = 0;
    } else {
      ++idle_;
    }
    if (restarts || !better(here_, result)) here_ = result;
  }

 private:
  Evaluation here_;
  std::size_t idle_ = 0;
};

class SteadyGenetic final : public Technique {
 public:
  using Technique::Technique;

  Sequence propose() override {
    if (population_.size() < kPopulation) return context_.randomSequence();
    const Sequence child = crossed(context_, parent(), parent());
    return neighbour(context_, child);
  }

  void learn(const Evaluation& result) override {
    population_.insert(std::ranges::upper_bound(population_, result, ranksBefore), result);
    if (population_.size() > kPopulation) population_.pop_back();
  }

 private:
  const Sequence& parent() {
    return population_[tournament(context_.rng(), population_.size(), kTournament)].actions;
  }

  std::vector<Evaluation> population_;  // best first
};

class Bandit final : public Searcher {
 public:
  void run(SearchContext& context) override {
    DifferentialEvolution differential_evolution(context);
    GreedyMutation greedy_mutation(context);
    HillClimbing hill_climbing(context);
    SteadyGenetic steady_genetic(context);
    const std::array<Technique*, 4> techniques{&differential_evolution, &greedy_mutation, &hill_climbing,
                                               &steady_genetic};
    AucBandit bandit(techniques.size(), kWindow, kExploration);
    while (!context.done()) {
      const std::size_t chosen = bandit.choose();
      std::vector<Sequence> batch(context.lanes());
      for (Sequence& sequence : batch) sequence = techniques[chosen]->propose();
      Evaluation best = context.best();
      for (const Evaluation& result : context.evaluate(std::move(batch))) {
        techniques[chosen]->learn(result);
        bandit.record(chosen, better(result, best));
        if (better(result, best)) best = result;
      }
    }
  }
};

}  // namespace

extern constinit const SearcherInfo bandit{
    .name = "bandit",
    .summary = "differential evolution, mutation, hill climbing and a GA, each as it pays",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Bandit>(); }};

}  // namespace ordo::search
