// Which module of a project to search next, so that one budget gains the most.
//
// Always the one of highest
//
//   g / t  +  G / T * sqrt((s / S) / (n / N))
//
// g: what its searches gained, t: their seconds, both halved with each new search, because the same seconds
// gain less and less; G, T: their sums over all modules. s / S: its share of all bytes. n / N: its share of
// all seconds spent. The first term is what is expected of it, the second how far that may be wrong: a module
// that was searched little for its size gets the benefit of the doubt, more of it the longer that lasts, and
// as far as there are gains at all. Seconds count for each byte because a search of twice the code takes
// twice the time. One that was never searched comes first, the largest before others.
//
// Source: upper confidence bounds are P. Auer et al., "Finite-time analysis of the multiarmed bandit
// problem",
//   2002; discounted means for arms that change A. Garivier, E. Moulines, "On upper-confidence bound policies
//   for switching bandit problems", 2011; the form of the second term is our own.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

namespace ordo::projects {

// One thread at a time.
class Bandit {
 public:
  // An arm for each of `sizes`, which are positive and comparable.
  explicit Bandit(const std::vector<double>& sizes);

  // The arm to use next. It is busy until it is recorded or retired. Nothing if all are.
  std::optional<std::size_t> choose();

  // What the use of an arm came to. May be said of an arm that was not chosen, for what was before.
  void record(std::size_t arm, double gain, double seconds);

  // There is nothing to be had of it.
  void retire(std::size_t arm) { arms_[arm].idle = false; }

  // How long an arm was used, all in all.
  double seconds(std::size_t arm) const { return arms_[arm].spent; }

 private:
  struct Arm {
    double size = 0;
    double gain = 0, seconds = 0;  // discounted
    double spent = 0;
    bool idle = true;
  };
  std::vector<Arm> arms_;
  double size_ = 0, spent_ = 0;  // of all
};

}  // namespace ordo::projects
