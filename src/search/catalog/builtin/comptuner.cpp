// CompTuner, compiler autotuning in phases. First a random forest learns to predict what sequences cost,
// from those random ones that promise the greatest expected improvement, until its predictions hold. Then a
// swarm of particles flies over the predictions; the best of what it passed is evaluated, the forest
// learns that too, and the next swarm starts from the best so far and from chance.
//
// CompTuner was made for unordered flags. Here a particle is a relaxed sequence (relaxation.h). The seeds
// are observations too.
//
// Source: M. Zhu, D. Hao and J. Chen, "Compiler autotuning through multiple-phase learning", TOSEM 2024;
//   swarm: J. Kennedy and R. Eberhart, "Particle swarm optimization", 1995, with the coefficients of M.
//   Clerc and J. Kennedy, 2002; the forest is Breiman's (forest.h).
// Parameters: the constants below.
#include <algorithm>
#include <limits>

#include "search/searcher/relaxation.h"
#include "search/searcher/searcher.h"
#include "search/searcher/surrogate.h"

namespace ordo::search {
namespace {

constexpr std::size_t kInitial = 10;
constexpr std::size_t kPool = 100;             // random sequences to choose from in the first phase
constexpr double kTrustedError = 0.05;         // of predictions, where the first phase ends
constexpr double kMaxFirstShare = 0.2;         // of the budget, where it ends in any case,
constexpr std::size_t kMaxObservations = 100;  // and of observations
constexpr std::size_t kParticles = 20;
constexpr std::size_t kFlight = 15;  // moves of a particle
constexpr double kInertia = 0.73;
constexpr double kPull = 1.5;  // of the particle's best and of the swarm's

struct Particle {
  Point at;
  Point velocity;
  Point best;
  double best_cost = std::numeric_limits<double>::infinity();
};

class CompTuner final : public Searcher {
 public:
  void run(SearchContext& context) override {
    searchBySurrogate(context, kInitial, [&](const Surrogate& surrogate) {
      trusted_ = trusted_ || surrogate.error() <= kTrustedError || context.progress() >= kMaxFirstShare ||
                 surrogate.observations() >= kMaxObservations;
      return trusted_ ? fly(context, surrogate) : pool(context, surrogate);
    });
  }

 private:
  static std::vector<Candidate> pool(SearchContext& context, const Surrogate& surrogate) {
    std::vector<Candidate> candidates(kPool);
    for (Candidate& candidate : candidates) {
      candidate.actions = context.randomSequence();
      candidate.score = surrogate.expectedImprovement(candidate.actions);
    }
    return candidates;
  }

  static std::vector<Candidate> fly(SearchContext& context, const Surrogate& surrogate) {
    const Relaxation relaxation(context);
    std::vector<Particle> swarm = start(context, relaxation);
    std::vector<Candidate> passed;
    for (std::size_t move = 0; move < kFlight; ++move) {
      for (Particle& particle : swarm) {
        Sequence sequence = relaxation.decode(particle.at);
        const double cost = surrogate.predict(sequence).mean;
        passed.push_back({std::move(sequence), -cost});
        if (cost >= particle.best_cost) continue;
        particle.best = particle.at;
        particle.best_cost = cost;
      }
      const Point target = std::ranges::min_element(swarm, {}, &Particle::best_cost)->best;
      for (Particle& particle : swarm) moveOn(context.rng(), particle, target);
    }
    return passed;
  }

  // Half of the swarm stands where the leaders are, as far as there are so many.
  static std::vector<Particle> start(SearchContext& context, const Relaxation& relaxation) {
    std::vector<Particle> swarm(kParticles);
    for (std::size_t i = 0; i < kParticles; ++i) {
      const bool leads = i < kParticles / 2 && i < context.leaders().size();
      const Sequence sequence = leads ? context.leaders()[i].actions : context.randomSequence();
      swarm[i].at = relaxation.encode(sequence, context.rng());
      swarm[i].velocity.assign(relaxation.dimensions(), 0);
    }
    return swarm;
  }

  static void moveOn(Rng& rng, Particle& particle, const Point& target) {
    for (std::size_t i = 0; i < particle.at.size(); ++i) {
      const double to_own = kPull * rng.uniform() * (particle.best[i] - particle.at[i]);
      const double to_swarm = kPull * rng.uniform() * (target[i] - particle.at[i]);
      particle.velocity[i] = kInertia * particle.velocity[i] + to_own + to_swarm;
      particle.at[i] = std::clamp(particle.at[i] + particle.velocity[i], 0.0, 1.0);
    }
  }

  bool trusted_ = false;
};

}  // namespace

extern constinit const SearcherInfo comptuner{
    .name = "comptuner",
    .summary = "a random forest learns what sequences cost, a particle swarm flies over it",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<CompTuner>(); }};

}  // namespace ordo::search
