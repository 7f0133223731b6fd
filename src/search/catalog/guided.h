// Policy-guided search: a learned policy proposes what comes next by what the program looks like now, and
// adapts to what that turned out to be worth (guide.h). First comes its own answer, from the program as
// given; then a few sequences that did well elsewhere, which of a very large program come before its own
// answer, the shortest first, because a budget may be over before that ends; then batches of sequences that
// are drawn from the policy, from the beginning, from states of which it expects much, or from within the
// best known ones, of changes that it makes in those, and of a few by chance. Without a policy it is
// `coreset` followed by `evolutionary`.
//
// Source: our own; the local refinement is that of `evolutionary`.
// Parameters: the constants in guided.cpp and guide.cpp.
#pragma once

#include <memory>

#include "search/guided/guide.h"
#include "search/searcher/searcher.h"

namespace ordo::search {

// `options` are for ablations.
std::unique_ptr<Searcher> guidedSearch(const GuideOptions& options = {});

// What is tried first for `objective` in a program that nobody has looked at: the first sequence of the
// coreset. Empty where nothing is known, or where a pass of it may take minutes of a large program.
Sequence firstAnswer(const Knowledge& knowledge, const std::string& objective,
                     std::span<const env::Action> actions);

// Only the policy's own answer, which is two evaluations where it goes back to a better state on its way.
// Without a policy it is the first sequence of the coreset.
std::unique_ptr<Searcher> ownAnswer();

}  // namespace ordo::search
