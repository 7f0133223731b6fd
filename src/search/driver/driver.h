// A whole search for one program: seeds, search, decide, confirm, minimise, explain.
#pragma once

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "search/catalog/catalog.h"
#include "search/driver/decide.h"
#include "search/driver/explain.h"
#include "search/searcher/searcher.h"

namespace ordo::search {

// The stage that a searcher runs in, as on_phase is told; what comes before it needs no search.
inline constexpr std::string_view kSearching = "searching";

struct SearchOptions {
  const SearcherInfo* searcher = find("evolutionary");
  // For everything together, counted since the evaluator was opened. Exceeded only by what honesty
  // needs: the seeds are always measured, and the winner is always confirmed, for which time is left if it is
  // known how long that takes.
  Budget budget;
  // Of it, what is over when the search ends; the rest is for whoever goes on. What is asked before the
  // searcher may use all.
  double share = 1;
  // Candidates before all others; one of them is the baseline. Empty means the empty sequence.
  std::vector<Sequence> seeds;
  std::optional<Evaluation> measured = {};  // one of them, if the evaluator has measured it afresh
  // What is asked before `searcher` and before shares of the budget count: a sequence, in full, and then a
  // searcher, whose answers are to be had without a search. Left out only where the budget is over. So a
  // search begins with what less time would have given, and never ends above it.
  Sequence first = {};                    // empty: none
  const SearcherInfo* at_once = nullptr;  // null: none
  // What somebody would try first on this program: measured before the searcher begins, within the budget, as
  // if they were its own. Longer ones than max_length are left out.
  std::vector<Sequence> proposals = {};
  // What can be decided at single places of the program in front of the winner (decide.h), by actions that no
  // searcher sees, promising places first. REQUIRES: they are the evaluator's last actions.
  std::vector<Decisions> decisions = {};
  std::size_t max_length = 60;  // of sequences, in actions
  std::uint64_t seed = 1;       // of chance
  Knowledge knowledge;          // for the searchers that use some
  // False leaves it to the caller to find out whether the winner keeps its promise.
  bool confirm = true;
  bool minimize = true;
  bool explain = true;
  // The observation of the program that the winner makes, for whoever goes on from there; empty: nobody does.
  std::string program = {};
  SearchContext::OnImprovement on_improvement;  // may be empty; called on the caller's thread
  // Told of each stage as it begins: "minimising the winner". May be empty; called on the caller's thread.
  std::function<void(std::string_view)> on_phase;
};

struct SearchResult {
  std::vector<Evaluation> seeds;  // confirmed, in the order given; one may have failed
  Evaluation found;               // the winner before it was minimised, confirmed if asked for
  Evaluation best;                // the winner, likewise; never worse than any seed
  // Other programs that promise more than all seeds, best first: for whoever has to refuse the winner.
  std::vector<Evaluation> others;
  std::vector<Contribution> contributions;  // of best's actions
  std::string program;                      // that best makes, if it was asked for and could be told
  Statistics statistics;
};

// Confirmed means: replayed from the program as given, without caches, and measured in full.
// With one lane, a budget in evaluations and the same seed, the result is the same.
//
// kInvalidArgument if a seed uses an action that is not there, kUnsupported if no seed can be
// measured, or the first error of a session.
Result<SearchResult> search(Evaluator& evaluator, const SearchOptions& options);

}  // namespace ordo::search
