#include "timing/race.h"

#include <algorithm>
#include <array>
#include <cmath>
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

Status runPair(Field& field, const RaceOptions& options, Rng& rng, Standing& standing) {
  ORDO_TRY(field.enter(standing.candidate));
  std::array<Arm, 2> order{Arm::kBaseline, Arm::kCandidate};
  if (rng.chance(0.5)) std::swap(order[0], order[1]);
  double pair = 0;
  for (const Arm arm : order) {
    ORDO_TRY_ASSIGN(const Reading reading, field.runner().run(arm));
    if (stopAsked(options)) return {};
    if (!reading.failure.empty() && arm == Arm::kBaseline) {
      return fail(ErrorCode::kInvalidArgument,
                  "{}: it does not do the same each time, so nothing can be compared with it",
                  reading.failure);
    }
    if (!reading.failure.empty()) {
      standing.failure = reading.failure;
      return {};
    }
    const std::optional<double> value = reading.of(options.quantity);
    if (!value || *value <= 0) {
      return fail(ErrorCode::kUnavailable, "a run took no {} that could be measured", name(options.quantity));
    }
    pair += arm == Arm::kBaseline ? std::log(*value) : -std::log(*value);
  }
  standing.pairs.push_back(pair);
  return {};
}

double Standing::score() const {
  if (!sound() || pairs.empty()) return -std::numeric_limits<double>::infinity();
  return median(pairs);
}

Result<std::vector<Standing>> race(Field& field, const Clock& clock, const RaceOptions& options) {
  Rng rng(options.seed);
  std::vector<Standing> standings(field.size());
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
        if (standing.sound() && !stopAsked(options)) ORDO_TRY(runPair(field, options, rng, standing));
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
