#include "timing/race.h"

#include <algorithm>
#include <limits>
#include <span>
#include <tuple>

#include "timing/estimate.h"

namespace ordo::timing {
namespace {

bool stopAsked(const RaceOptions& options) { return options.stop != nullptr && *options.stop; }

std::size_t roundsUntil(std::size_t finalists, std::size_t left) {
  std::size_t rounds = 1;
  for (; left > finalists; left = std::max(finalists, (left + 1) / 2)) ++rounds;
  return rounds;
}

}  // namespace

Status runPair(env::Experiment& experiment, Rng& rng, Standing& standing) {
  ORDO_TRY_ASSIGN(env::Glance glance, experiment.glance(standing.candidate, rng));
  standing.failure = std::move(glance.failure);
  if (glance.value) standing.pairs.push_back(*glance.value);
  return {};
}

double Standing::score() const {
  if (!sound() || pairs.empty()) return -std::numeric_limits<double>::infinity();
  return median(pairs);
}

Result<std::vector<Standing>> race(env::Experiment& experiment, const Clock& clock,
                                   const RaceOptions& options) {
  Rng rng(options.seed);
  std::vector<Standing> standings(experiment.size());
  for (std::size_t i = 0; i < standings.size(); ++i) standings[i].candidate = i;
  const double start_s = clock.seconds();
  const std::size_t rounds = roundsUntil(options.finalists, standings.size());
  std::size_t left = standings.size();
  for (std::size_t round = 1; round <= rounds && left > 0 && !stopAsked(options); ++round) {
    if (options.on_round) options.on_round(left);
    const std::span running = std::span(standings).first(left);
    const double end_s =
        start_s + options.budget_s * static_cast<double>(round) / static_cast<double>(rounds);
    do {
      rng.shuffle(running);
      for (Standing& standing : running) {
        if (standing.sound() && !stopAsked(options)) ORDO_TRY(runPair(experiment, rng, standing));
      }
    } while (clock.seconds() < end_s && !stopAsked(options) &&
             std::ranges::any_of(running, &Standing::sound));
    std::ranges::sort(running, [](const Standing& a, const Standing& b) {
      return std::tuple(a.sound(), a.score(), b.candidate) > std::tuple(b.sound(), b.score(), a.candidate);
    });
    // Those that failed go to the end of all, behind what earlier rounds left out.
    const auto failed =
        std::ranges::find_if_not(standings.begin(), standings.begin() + left, &Standing::sound);
    const auto sound = static_cast<std::size_t>(failed - standings.begin());
    std::rotate(failed, standings.begin() + left, standings.end());
    left = std::min(sound, std::max(options.finalists, (left + 1) / 2));
  }
  return standings;
}

}  // namespace ordo::timing
