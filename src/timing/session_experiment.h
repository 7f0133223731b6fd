// What can be measured again and again as an env::Experiment: states of sessions of backends that run what
// they compile, and other people's libraries. A number that is noisy is asked of the baseline and of a
// candidate in turn, never all of one and then all of the other. A block is two of each, mirrored (A B B A),
// so that what drifts evenly cancels; an answer is the trimmed mean of the blocks' log-ratios with its
// interval (estimate.h), of a number of blocks that is settled before.
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
                    const std::string& metric, const Clock& clock);
  // The same of whatever can be measured.
  using Subject = std::function<Result<env::Measurement>()>;
  SessionExperiment(Subject baseline, std::vector<Subject> candidates, const Clock& clock)
      : baseline_(std::move(baseline)), candidates_(std::move(candidates)), clock_(clock) {}

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

  const Subject baseline_;
  const std::vector<Subject> candidates_;
  const Clock& clock_;
};

}  // namespace ordo::timing
