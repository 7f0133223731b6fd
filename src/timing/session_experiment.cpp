#include "timing/session_experiment.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "timing/distributions.h"
#include "timing/estimate.h"

namespace ordo::timing {
namespace {

constexpr unsigned kMostBlocksOfSession = 24;
constexpr double kLevel = 0.025;  // of a false claim, on each side

// A gain that could hide in an interval makes it worth looking again.
constexpr double kWorthAnother = 0.05;

env::Claim::Interval effectOf(const std::vector<double>& ratios, double level, std::uint64_t seed) {
  const Centre middle = centre(ratios);
  // Where all blocks say the same, as of runs of a few ticks of the clock, resamples without any spread make
  // the bootstrap's end infinite; Student's is not.
  double critical = CriticalValues(ratios, {.seed = seed}).at(level);
  if (!std::isfinite(critical)) critical = studentCritical(level, middle.df);
  const double reach = critical * middle.error;
  const double p = middle.error > 0 ? 2 * studentTail(std::abs(middle.mean) / middle.error, middle.df)
                                    : (middle.mean == 0 ? 1 : 0);
  return {middle.mean, middle.mean - reach, middle.mean + reach, std::min(p * kLevel / level, 1.0)};
}

// Where a gain was seen and not shown: how long it would take at this pace and in this noise. Intervals
// shrink with the root of the blocks.
std::string whatWouldTell(const env::Claim& claim, double budget_s) {
  const env::Claim::Interval& effect = *claim.effect;
  if (claim.verdict != env::Verdict::kNoDifference || effect.high <= kWorthAnother) return "";
  if (effect.value <= 0) return "; it is too noisy here to tell more";
  const double times = std::pow((effect.high - effect.value) / effect.value, 2);
  return fmt::format("; some {:.0f} s more might show it", std::max((times - 1) * claim.cost_s, budget_s));
}

SessionExperiment::Subject subjectOf(env::Session& session, const std::string& metric) {
  return [&session, metric] { return session.measure(metric); };
}

}  // namespace

SessionExperiment::SessionExperiment(env::Session& baseline, const std::vector<env::Session*>& candidates,
                                     const std::string& metric, const Clock& clock, unsigned looks)
    : baseline_(subjectOf(baseline, metric)),
      candidates_([&] {
        std::vector<Subject> subjects;
        for (env::Session* const candidate : candidates) subjects.push_back(subjectOf(*candidate, metric));
        return subjects;
      }()),
      clock_(clock),
      looks_(looks) {}

Result<SessionExperiment::Cell> SessionExperiment::look(const Subject& subject) const {
  ORDO_TRY_ASSIGN(const env::Measurement measurement, subject());
  if (measurement.ok() && measurement.value > 0) return Cell{measurement.value};
  std::string why = measurement.ok() ? fmt::format("it measures {}", measurement.value) : measurement.detail;
  if (&subject == &baseline_) return fail(ErrorCode::kInvalidArgument, "the baseline fails: {}", why);
  return Cell{0, std::move(why)};
}

Result<env::Glance> SessionExperiment::glance(std::size_t candidate, Rng& rng) {
  Cell mine, theirs;
  const bool first = rng.chance(0.5);
  for (const bool candidate_now : {first, !first}) {
    ORDO_TRY_ASSIGN(Cell cell, look(candidate_now ? candidates_[candidate] : baseline_));
    (candidate_now ? mine : theirs) = std::move(cell);
  }
  if (!mine.failure.empty()) return env::Glance{std::nullopt, std::move(mine.failure)};
  return env::Glance{std::log(theirs.value / mine.value)};
}

// One more block: two of each, mirrored.
Status SessionExperiment::take(std::size_t candidate, Rng& rng, Blocks& blocks) const {
  const bool first = rng.chance(0.5);
  double ratio = 0;
  for (const bool candidate_now : std::array{first, !first, !first, first}) {
    ORDO_TRY_ASSIGN(Cell cell, look(candidate_now ? candidates_[candidate] : baseline_));
    blocks.failure = std::move(cell.failure);
    if (!blocks.failure.empty()) return {};
    ratio += (candidate_now ? -0.5 : 0.5) * std::log(cell.value);
    if (!candidate_now) blocks.baselines.push_back(cell.value);
  }
  blocks.ratios.push_back(ratio);
  return {};
}

Result<env::Claim> SessionExperiment::ask(std::size_t candidate, const env::Allowance& allowance) {
  const double start_s = clock_.seconds();
  Rng rng(allowance.seed);
  Blocks blocks;
  env::Claim claim;
  auto planned = static_cast<unsigned>(kFewest);
  for (unsigned looks = 1;; ++looks, planned *= 2) {
    while (blocks.ratios.size() < planned) {
      ORDO_TRY(take(candidate, rng, blocks));
      claim.cost_s = clock_.seconds() - start_s;
      if (!blocks.failure.empty()) {
        claim.why = std::move(blocks.failure);
        return claim;
      }
      const auto done = static_cast<unsigned>(blocks.ratios.size());
      // How many fit is settled by how long the first took, not by what they say.
      if (done == 1) {
        planned = static_cast<unsigned>(std::clamp(allowance.budget_s / std::max(claim.cost_s, 1e-9),
                                                   static_cast<double>(kFewest),
                                                   static_cast<double>(kMostBlocksOfSession)));
      }
      if (allowance.on_progress) allowance.on_progress(done, planned);
    }
    claim.effect = effectOf(blocks.ratios, kLevel / looks_, allowance.seed);
    claim.verdict = claim.effect->low > 0    ? env::Verdict::kBetter
                    : claim.effect->high < 0 ? env::Verdict::kWorse
                                             : env::Verdict::kNoDifference;
    const bool open = claim.verdict == env::Verdict::kNoDifference && claim.effect->high > kWorthAnother;
    if (looks >= looks_ || !open) break;
  }
  claim.baseline = median(blocks.baselines);
  claim.why = fmt::format("{} blocks of two and two; {:.3f} times as fast, {:.3f} to {:.3f} at 95 %{}",
                          blocks.ratios.size(), std::exp(claim.effect->value), std::exp(claim.effect->low),
                          std::exp(claim.effect->high), whatWouldTell(claim, allowance.budget_s));
  return claim;
}

}  // namespace ordo::timing
