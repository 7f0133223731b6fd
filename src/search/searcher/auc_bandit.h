// Which of several techniques to use next, by the successes of each in a sliding window: those late in
// a technique's history weigh more than the early ones (the area under its curve of successes), and
// what was used little is explored.
//
// Source: A. Fialho et al., "Analyzing bandit-based adaptive operator selection mechanisms", 2010; J. Ansel
//   et al., "OpenTuner: an extensible framework for program autotuning", PACT 2014.
#pragma once

#include <cstddef>
#include <deque>
#include <vector>

namespace ordo::search {

class AucBandit {
 public:
  // REQUIRES: arms > 0 and window > 0.
  AucBandit(std::size_t arms, std::size_t window, double exploration)
      : arms_(arms), window_(window), exploration_(exploration) {}

  // The arm of highest credit; one that is not in the window comes before all others.
  std::size_t choose() const;

  // The arm was used, and whether that was a success.
  void record(std::size_t arm, bool success);

 private:
  struct Use {
    std::size_t arm;
    bool success;
  };

  std::size_t arms_;
  std::size_t window_;
  double exploration_;
  std::deque<Use> uses_;  // the latest last
};

}  // namespace ordo::search
