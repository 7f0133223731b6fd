#include "support/own_time.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>

namespace ordo {
namespace {

// How often it is asked who has the processors.
constexpr double kSample_s = 0.05;

void addTree(int pid, ProcessorUse& use) {
  std::error_code gone;  // a process may end while it is looked at
  std::filesystem::directory_iterator threads(fmt::format("/proc/{}/task", pid), gone);
  for (; !gone && threads != std::filesystem::directory_iterator(); threads.increment(gone)) {
    double ran_ns = 0, waited_ns = 0;
    if (std::ifstream(threads->path() / "schedstat") >> ran_ns >> waited_ns) {
      use.ran_s += 1e-9 * ran_ns;
      use.waited_s += 1e-9 * waited_ns;
    }
    std::ifstream children(threads->path() / "children");
    for (int child = 0; children >> child;) addTree(child, use);
  }
}

// user, nice, system, irq, softirq and steal of all processors (proc(5)).
double busySeconds() {
  std::ifstream file("/proc/stat");
  std::string name;
  double user = 0, nice = 0, system = 0, idle = 0, waiting = 0, irq = 0, softirq = 0, steal = 0;
  file >> name >> user >> nice >> system >> idle >> waiting >> irq >> softirq >> steal;
  return (user + nice + system + irq + softirq + steal) / static_cast<double>(::sysconf(_SC_CLK_TCK));
}

}  // namespace

ProcessorUse processorUse() {
  ProcessorUse use;
  addTree(::getpid(), use);
  use.busy_s = busySeconds();
  use.processors = std::max(1U, std::thread::hardware_concurrency());
  return use;
}

OwnTime::OwnTime(double most_s, std::shared_ptr<const Clock> wall, std::function<ProcessorUse()> use)
    : most_s_(most_s),
      wall_(std::move(wall)),
      use_(std::move(use)),
      last_(use_()),
      last_s_(wall_->seconds()) {}

double OwnTime::seconds() const {
  const std::lock_guard lock(mutex_);
  const double now_s = wall_->seconds(), passed_s = now_s - last_s_;
  if (passed_s >= kSample_s && left_out_s_ < most_s_) {
    const ProcessorUse now = use_();
    // What has ended in between is in the totals no more.
    const double ran_s = std::max(now.ran_s - last_.ran_s, 0.0);
    const double waited_s = std::max(now.waited_s - last_.waited_s, 0.0);
    const double others_s = std::max(now.busy_s - last_.busy_s - ran_s, 0.0);
    if (waited_s > 0) {
      const double share = std::min(waited_s / (ran_s + waited_s), others_s / (now.processors * passed_s));
      left_out_s_ = std::min(left_out_s_ + std::min(share, 1.0) * passed_s, most_s_);
    }
    last_ = now;
    last_s_ = now_s;
  }
  return now_s - left_out_s_;
}

}  // namespace ordo
