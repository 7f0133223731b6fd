// What the objective comes to after some known sequence, told from the program that it leads to and without
// measuring: for bytes, passes say nothing of what the code generator makes of a program, but counts of its
// instructions by shape do.
//
// A linear model of what differs between the programs that several sequences make of one: with the counts c
// and the baseline's value b, log(value / b) is offset[sequence] + weights · c / b, up to a number that is
// the same for all sequences on that program. So it ranks sequences, and predicts nothing else.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace ordo::search {

struct Estimate {
  std::string observation;      // that gives the counts
  std::vector<double> weights;  // of each count, by which it is divided by the baseline's value
  std::vector<double> offsets;  // of each sequence

  // The lower the better. REQUIRES: as many counts as weights, baseline > 0.
  double rank(std::size_t sequence, std::span<const std::int64_t> counts, double baseline) const;
};

// What one sequence came to on one program.
struct Outcome {
  double cost = 0;             // the objective's value in units of the baseline's; above 0
  std::vector<double> counts;  // in units of the baseline's value
};

// From what `observation` counts and what the sequences, always the same, came to on each of several
// programs: ridge regression within programs. A weight costs by its size in bytes, whether its count is
// frequent or not: of what was hardly seen hardly anything is believed. Programs whose sequences differ by
// more than a tenth count for less. REQUIRES: at least two programs and two sequences.
Estimate fitEstimate(std::string observation, const std::vector<std::vector<Outcome>>& programs);

}  // namespace ordo::search
