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

SessionExperiment::Subject subjectOf(env::Session& session, const std::string& metric) {
  return [&session, metric] { return session.measure(metric); };
}

}  // namespace

SessionExperiment::SessionExperiment(env::Session& baseline, const std::vector<env::Session*>& candidates,
                                     const std::string& metric, const Clock& clock)
    : baseline_(subjectOf(baseline, metric)),
      candidates_([&] {
        std::vector<Subject> subjects;
        for (env::Session* const candidate : candidates) subjects.push_back(subjectOf(*candidate, metric));
        return subjects;
      }()),
      clock_(clock) {}

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

Result<env::Claim> SessionExperiment::ask(std::size_t candidate, const env::Allowance& allowance) {
  const double start_s = clock_.seconds();
  Rng rng(allowance.seed);
  std::vector<double> ratios, baselines;
  env::Claim claim;
  unsigned planned = kFewest;
  for (unsigned block = 0; block < planned; ++block) {
    const bool first = rng.chance(0.5);
    double ratio = 0;
    for (const bool candidate_now : std::array{first, !first, !first, first}) {
      ORDO_TRY_ASSIGN(Cell cell, look(candidate_now ? candidates_[candidate] : baseline_));
      if (!cell.failure.empty()) {
        claim.why = std::move(cell.failure);
        claim.cost_s = clock_.seconds() - start_s;
        return claim;
      }
      ratio += (candidate_now ? -0.5 : 0.5) * std::log(cell.value);
      if (!candidate_now) baselines.push_back(cell.value);
    }
    ratios.push_back(ratio);
    // How many fit is settled by how long the first took, not by what they say.
    if (block == 0) {
      const double fit = allowance.budget_s / std::max(clock_.seconds() - start_s, 1e-9);
      planned = static_cast<unsigned>(
          std::clamp(fit, static_cast<double>(kFewest), static_cast<double>(kMostBlocksOfSession)));
    }
    if (allowance.on_progress) allowance.on_progress(block + 1, planned);
  }
  const Centre middle = centre(ratios);
  // Where all blocks say the same, as of runs of a few ticks of the clock, resamples without any spread make
  // the bootstrap's end infinite; Student's is not.
  double critical = CriticalValues(ratios, {.seed = allowance.seed}).at(kLevel);
  if (!std::isfinite(critical)) critical = studentCritical(kLevel, middle.df);
  const double reach = critical * middle.error;
  const double p = middle.error > 0 ? 2 * studentTail(std::abs(middle.mean) / middle.error, middle.df)
                                    : (middle.mean == 0 ? 1 : 0);
  claim.effect = {middle.mean, middle.mean - reach, middle.mean + reach, std::min(p, 1.0)};
  claim.baseline = median(baselines);
  claim.verdict = claim.effect->low > 0    ? env::Verdict::kBetter
                  : claim.effect->high < 0 ? env::Verdict::kWorse
                                           : env::Verdict::kNoDifference;
  claim.why =
      fmt::format("{} blocks of two and two; {:.3f} times as fast, {:.3f} to {:.3f} at 95 %", ratios.size(),
                  std::exp(claim.effect->value), std::exp(claim.effect->low), std::exp(claim.effect->high));
  claim.cost_s = clock_.seconds() - start_s;
  return claim;
}

}  // namespace ordo::timing
