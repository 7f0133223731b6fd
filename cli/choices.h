// What functions chose (env/choices.h), as people read it: an action's name says nothing of it, and its text
// is long.
#pragma once

#include <string>
#include <string_view>

#include "recipe/recipe.h"
#include "support/json.h"

namespace ordo::cli {

// "choose<a2c4…>: 6 functions have one of 4 sequences" for an action of that kind, and the name of any other.
std::string shownName(const env::Action& action);

// Which functions chose which sequence, and what it saves of each, as far as it is known, most first; then
// the sequences. Of many functions the first `most`. Lines of at most 100 columns, names of functions aside,
// which are demangled beside; "" for a recipe without choices.
std::string choicesText(const recipe::Recipe& recipe, std::size_t most);

// The same in a few words: "6 have a sequence of their own: play 43, main 12, look 3 and 3 more".
std::string choicesInShort(const recipe::Recipe& recipe);

// A stock command as it is, or, where it would be a page for the many functions that it names, with the first
// few of them: nothing to paste then.
std::string foldedCommand(std::string_view line);

// [{"action": index, "sequences": [text], "functions": [{"function", "shown", "sequence", "saves" or
// null}]}], one for each action of the kind, functions as above.
Json choicesJson(const recipe::Recipe& recipe);

}  // namespace ordo::cli
