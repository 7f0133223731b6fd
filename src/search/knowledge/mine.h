// What training programs teach: the parts of `ordo mine` that see one evaluator or plain numbers.
#pragma once

#include <span>
#include <utility>
#include <vector>

#include "search/evaluation/evaluator.h"

namespace ordo::search {

using ActionPair = std::pair<env::ActionIndex, env::ActionIndex>;

// The pairs (A, B) where B alone improves the program, and A, then B improves it more. Tries every action,
// and for each that improves every other before it; fewer if the evaluator is done before. Heavy actions
// (whole pipelines) are left out.
//
// Source: the definition of Compiler-R1 (arXiv 2506.15701) and GRACE (arXiv 2510.13176).
std::vector<ActionPair> findSynergies(Evaluator& evaluator);

// Indices into `costs`, in the order of choice: greedily, at most `size`, each time the candidate that lowers
// most the sum over all programs of the lowest cost among the chosen ones, or of what there is in `lowest`
// for the program if that is lower. Ends when none lowers it. REQUIRES: the rows, one for each candidate, are
// as long as `lowest`.
std::vector<std::size_t> chooseCoreset(std::span<const std::vector<double>> costs, std::size_t size,
                                       std::vector<double> lowest);

// The same where there is the baseline, whose cost is 1.
std::vector<std::size_t> chooseCoreset(std::span<const std::vector<double>> costs, std::size_t size);

}  // namespace ordo::search
