// A clock for budgets on a machine that others use as well: time in which this process and all that it has
// started wait for a processor, because others have it, does not count.
//
// The kernel says how long each thread has run and how long it has waited to (/proc/*/schedstat), and how
// long the processors were busy (/proc/stat). Threads of one's own wait for each other, too, where there are
// more of them than processors; so no more is left out than what others have had. Where the kernel says
// nothing of this, it is the clock on the wall.
#pragma once

#include <functional>
#include <memory>
#include <mutex>

#include "support/clock.h"

namespace ordo {

// Totals since some moment, in seconds.
struct ProcessorUse {
  double ran_s = 0;     // processor time of ours
  double waited_s = 0;  // in which a thread of ours was ready to run and did not
  double busy_s = 0;    // of all processors, whoever had them
  double processors = 1;
};

// Of this process and its descendants. About 100 µs a process.
ProcessorUse processorUse();

class OwnTime final : public Clock {
 public:
  // Leaves out `most_s` at most: budgets are also a promise about when something ends.
  explicit OwnTime(double most_s) : OwnTime(most_s, std::make_shared<SteadyClock>(), processorUse) {}
  OwnTime(double most_s, std::shared_ptr<const Clock> wall, std::function<ProcessorUse()> use);

  double seconds() const override;

 private:
  const double most_s_;
  const std::shared_ptr<const Clock> wall_;
  const std::function<ProcessorUse()> use_;
  mutable std::mutex mutex_;  // guards what follows
  mutable ProcessorUse last_;
  mutable double last_s_;
  mutable double left_out_s_ = 0;
};

}  // namespace ordo
