// What a store knows, as experience (docs/formats/experience.md) that policies are trained on: `ordo loop
// export`.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "experience/trial.h"
#include "loop/store/sequences.h"
#include "loop/store/store.h"

namespace ordo::loop {

// Trials, and what each candidate that is named in them is made by.
struct Lore {
  std::vector<experience::Trial> trials;                    // oldest first
  std::map<std::string, std::vector<Sequence>> candidates;  // all of one space, baseline and LLVM
  std::vector<std::string> left_out;                        // experiments, each with the reason
};

// Of all closed experiments with a reward. Left out are those of another toolchain, and those of which a
// candidate that could have been chosen has no recipe, or had another one than now.
// kNotFound if none is left, with the reason of the last; kCorrupt if the candidates do not go together, or
// for a row that cannot be.
Result<Lore> collectLore(const Store& store, const std::string& toolchain);

// The text of a file of experience, with `actions` the names of the space. Its objective is runtime, of which
// what production was at first has 1. kUnsupported if a sequence has an action that is none of these.
Result<std::string> writeLore(const Lore& lore, const std::vector<std::string>& actions);

}  // namespace ordo::loop
