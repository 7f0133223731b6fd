// Choices of the code generator in a search. No pass sees them, and what they are worth hardly depends on the
// passes before, so they need not wait for chance: each is tried on one good sequence, then the best
// together.
#pragma once

#include "search/searcher/context.h"

namespace ordo::search {

bool hasChoices(std::span<const env::Action> actions);

// The choices of the code generator in `sequence`, in its order.
Sequence codegenChoices(std::span<const env::Action> actions, const Sequence& sequence);

// `sequence` without them.
Sequence passesOf(std::span<const env::Action> actions, Sequence sequence);

// `sequence` behind those of `choices` that it does not make itself. Where they stand makes no difference to
// the code; at the head they stay when a sequence is cut and continued.
Sequence withChoices(std::span<const env::Action> actions, const Sequence& choices, const Sequence& sequence);

// Evaluates the best sequence with each choice that it does not make and without each that it makes, then
// with those together that helped, from the best on. Its passes are run once more at most; all else is
// emission. Nothing in a space without choices. The answers, in order.
std::vector<Evaluation> tryCodegenChoices(SearchContext& context);

}  // namespace ordo::search
