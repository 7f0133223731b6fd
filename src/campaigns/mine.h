// Mining: from training programs to knowledge (docs/formats/knowledge.md).
#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/baseline.h"
#include "engine/engine.h"
#include "env/metric.h"
#include "search/catalog/catalog.h"
#include "search/driver/driver.h"
#include "search/knowledge/knowledge.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::campaigns {

struct MineOptions {
  std::vector<std::string> programs;  // what prepareInput() takes; for training, all of them
  engine::Baseline baseline;
  std::string objective = env::kIrInstructions;
  std::string observation = "autophase_norm";
  std::string budget_text = "1000evals";       // `budget` in words, as the file says it
  search::Budget budget{.evaluations = 1000};  // of the search for each program's best sequence
  const search::SearcherInfo* searcher = search::find("evolutionary");
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  std::size_t coreset = 50;                 // at most so many sequences
  std::int64_t max_instructions = 5000;     // of a program before any action; larger ones are left out
  const std::atomic<bool>* stop = nullptr;  // may be null

  // Called with everything known whenever a program is added: to be kept, so that little is lost.
  std::function<Status(const search::KnowledgeFile&)> save;
  // Told what is going on, and of every program that is left out and why. May be empty.
  std::function<void(std::string_view)> progress;
  std::function<void(std::string_view)> note;
  // Who looks at a program, asked for one after the other: gives what mine() makes of it alone, with the same
  // options, or no program if it is left out, having said why. An error ends it all. Empty: this process
  // does.
  std::function<Result<search::KnowledgeFile>(const std::string& uri)> elsewhere;
};

// Adds to `known`, which is empty or what an earlier run saved: its programs are not mined again, and
// neither is one whose IR is there already. A program that cannot be compiled or measured is left out.
// Ends early, with what there is and without a coreset, once `stop` is up.
// kInvalidArgument if `known` was mined with other options or another compiler, or if a program is for
// final evaluation only, or of a dataset with splits and not of its part for training.
Result<search::KnowledgeFile> mine(engine::Engine& engine, const spaces::Space& space,
                                   const MineOptions& options, search::KnowledgeFile known);

}  // namespace ordo::campaigns
