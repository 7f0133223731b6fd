#include "projects/bandit.h"

#include <cmath>
#include <tuple>

namespace ordo::projects {
namespace {

constexpr double kDiscount = 0.5;

}  // namespace

Bandit::Bandit(const std::vector<double>& sizes) {
  for (const double size : sizes) {
    arms_.push_back({.size = size});
    size_ += size;
  }
}

std::optional<std::size_t> Bandit::choose() {
  double gain = 0, seconds = 0;
  for (const Arm& arm : arms_) {
    gain += arm.gain;
    seconds += arm.seconds;
  }
  // Without gains anywhere, whatever was searched least for its size.
  const auto worth = [&](const Arm& arm) {
    if (arm.spent <= 0) return std::tuple(HUGE_VAL, arm.size);
    const double neglect = std::sqrt(arm.size / size_ * spent_ / arm.spent);
    const double expected = arm.seconds > 0 ? arm.gain / arm.seconds : 0;
    return std::tuple(expected + (seconds > 0 ? gain / seconds : 0) * neglect, neglect);
  };
  std::optional<std::size_t> best;
  for (std::size_t i = 0; i < arms_.size(); ++i) {
    if (arms_[i].idle && (!best || worth(arms_[i]) > worth(arms_[*best]))) best = i;
  }
  if (best) arms_[*best].idle = false;
  return best;
}

void Bandit::record(std::size_t arm, double gain, double seconds) {
  Arm& used = arms_[arm];
  used.gain = used.gain * kDiscount + gain;
  used.seconds = used.seconds * kDiscount + seconds;
  used.spent += seconds;
  used.idle = true;
  spent_ += seconds;
}

}  // namespace ordo::projects
