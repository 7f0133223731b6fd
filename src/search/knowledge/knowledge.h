// What was learned from training programs: which pairs of actions help each other, which sequences are
// worth trying first, and what was best for which kind of program. `ordo mine` makes it; it is kept as a
// file (docs/formats/knowledge.md) by names, and used in a search by the indices of its actions.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "policy/policy.h"
#include "search/evaluation/evaluation.h"
#include "search/knowledge/estimate.h"
#include "support/error.h"

namespace ordo::search {

// In the actions of one search. Empty where nothing is known.
struct Knowledge {
  // On so many programs `second` pays alone and pays more after `first`.
  struct Synergy {
    env::ActionIndex first = 0;
    env::ActionIndex second = 0;
    double programs = 0;
  };
  // A training program, the best sequence known for it, and what that gained over the baseline, as a
  // fraction of it.
  struct Example {
    std::vector<double> features;
    Sequence best;
    double gain = 0;
  };

  // The first sequences of a coreset, and what tells them apart on a program without measuring.
  struct Openings {
    std::vector<Sequence> sequences;
    Estimate estimate;
  };

  std::vector<Synergy> synergies = {};
  std::map<std::string, Openings> openings = {};               // by objective
  std::map<std::string, std::vector<Sequence>> coresets = {};  // by objective; see coreset()
  std::vector<Example> examples = {};
  std::vector<double> features = {};  // of the program at hand; as long as those of the examples, or empty
  std::shared_ptr<const policy::Policy> policy = nullptr;  // that proposes what comes next; null: none

  // What to try first for an objective, in that order: what was chosen for it, or else for another. Where it
  // is of several metrics (env/preference.h), theirs take turns, as often as each matters.
  std::vector<Sequence> coreset(const std::string& objective) const;
};

// The same by name, with where it comes from.
struct KnowledgeFile {
  struct Synergy {
    std::string first;
    std::string second;
    std::int64_t programs = 0;
  };
  struct Program {
    std::string uri;
    Hash128 hash;  // of its IR before any action
    std::vector<double> features;
    std::vector<std::string> best;
    double gain = 0;  // of `best` over the baseline, as a fraction of it
  };
  // By objective: sequences to try first, in their order.
  using Coresets = std::map<std::string, std::vector<std::vector<std::string>>>;

  std::string backend;  // "llvm"
  std::string backend_version;
  std::string space;
  Hash128 space_hash;
  std::string objective;
  std::string baseline;
  std::string observation;  // that the features are
  std::string budget;       // of the search for each program, in words
  std::int64_t seed = 1;
  std::vector<Program> programs = {};
  std::vector<Synergy> synergies = {};
  Coresets coresets = {};                      // for any program
  std::map<std::string, Coresets> kinds = {};  // for programs of a kind, before those for any
  // By kind, "" for any, and objective: of as many of that coreset, the first ones, as it has offsets.
  std::map<std::pair<std::string, std::string>, Estimate> estimates = {};

  // The sequences of a kind, "" for any; null if there are none for the objective.
  const std::vector<std::vector<std::string>>* coreset(const std::string& kind,
                                                       const std::string& metric) const;
};

std::string writeKnowledge(const KnowledgeFile& file);

// What writeKnowledge() wrote. `name` is for messages. kUnsupported for a newer format, kCorrupt for
// anything that does not hold together, with the field.
Result<KnowledgeFile> parseKnowledge(std::string_view text, std::string_view name);

// `file` in terms of `actions`. What needs an action that is not among them is left out, so knowledge of one
// space is of use in another. `features` are those of the program at hand, `kind` is its kind, or "": what is
// "a/b" is of the kind "a" as well, for which that comes next.
// kInvalidArgument unless there are as many features as each program in the file has, or none.
Result<Knowledge> knowledgeFor(const KnowledgeFile& file, std::span<const env::Action> actions,
                               std::vector<double> features, std::string_view kind = "");

// Sequences of names in terms of `actions`, those left out that need an action which is not among them.
std::vector<Sequence> sequencesOf(std::span<const std::vector<std::string>> sequences,
                                  std::span<const env::Action> actions);

}  // namespace ordo::search
