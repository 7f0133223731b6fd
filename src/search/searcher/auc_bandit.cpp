#include "search/searcher/auc_bandit.h"

#include <algorithm>
#include <cmath>

namespace ordo::search {

std::size_t AucBandit::choose() const {
  struct History {
    double length = 0;
    double area = 0;  // the sum over its successes of their places, from 1
  };
  std::vector<History> histories(arms_);
  for (const Use& use : uses_) {
    History& history = histories[use.arm];
    history.length += 1;
    if (use.success) history.area += history.length;
  }
  std::vector<double> credits;
  for (const History& history : histories) {
    const double whole_area = history.length * (history.length + 1) / 2;
    const double bonus = std::sqrt(2 * std::log2(static_cast<double>(uses_.size())) / history.length);
    credits.push_back(history.length == 0 ? HUGE_VAL : history.area / whole_area + exploration_ * bonus);
  }
  return static_cast<std::size_t>(std::ranges::max_element(credits) - credits.begin());
}

void AucBandit::record(std::size_t arm, bool success) {
  uses_.push_back({arm, success});
  if (uses_.size() > window_) uses_.pop_front();
}

}  // namespace ordo::search
