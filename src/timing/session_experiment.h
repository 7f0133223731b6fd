// What can be measured again and again as an env::Experiment: states of sessions of backends that run what
// they compile, and other people's libraries. A number that is noisy is asked of the baseline and of a
// candidate in turn, never all of one and then all of the other. A block is two of each, mirrored (A B B A),
// so that what drifts evenly cancels; an answer is the trimmed mean of the blocks' log-ratios with its
// interval (estimate.h), of a number of blocks that is settled before. Where a gain could hide in that
// interval it may look again, at twice as many blocks; all looks share the chance of a false claim, so the
// intervals of all of them hold at once.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "env/experiment.h"
#include "env/session.h"
#include "support/clock.h"

namespace ordo::timing {

class SessionExperiment final : public env::Experiment {
 public:
  // Sessions in their states, which are not changed. What it is made of must outlive it.
  SessionExperiment(env::Session& baseline, const std::vector<env::Session*>& candidates,
                    const std::string& metric, const Clock& clock, unsigned looks = 1);
  // The same of whatever can be measured.
  using Subject = std::function<Result<env::Measurement>()>;
  SessionExperiment(Subject baseline, std::vector<Subject> candidates, const Clock& clock, unsigned looks = 1)
      : baseline_(std::move(baseline)), candidates_(std::move(candidates)), clock_(clock), looks_(looks) {}

  std::size_t size() const override { return candidates_.size(); }
  // Errors of both: those of measuring, and kInvalidArgument if the baseline fails.
  Result<env::Glance> glance(std::size_t candidate, Rng& rng) override;
  Result<env::Claim> ask(std::size_t candidate, const env::Allowance& allowance) override;
  Status renew(std::size_t) override { return {}; }

 private:
  // A cell: one number, or why the candidate has none.
  struct Cell {
    double value = 0;
    std::string failure = {};
  };
  Result<Cell> look(const Subject& subject) const;
  struct Blocks {
    std::vector<double> ratios, baselines;
    std::string failure = {};  // of the candidate
  };
  Status take(std::size_t candidate, Rng& rng, Blocks& blocks) const;

  const Subject baseline_;
  const std::vector<Subject> candidates_;
  const Clock& clock_;
  const unsigned looks_;  // at most, of one answer
};

}  // namespace ordo::timing
