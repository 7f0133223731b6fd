// Tuning: from a file to a smaller object of the same behaviour, with a recipe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/engine.h"
#include "app/input.h"
#include "app/knowledge.h"
#include "datasets/tests.h"
#include "recipe/recipe.h"
#include "search/driver.h"
#include "spaces/space.h"
#include "support/error.h"
#include "timing/rig.h"

namespace ordo::app {

// When a search for recipe::kRuntime learns what a program is worth: in the race and the trials at its end,
// or as it goes, by a quick measurement that says what to try next.
enum class Reward { kFinal, kImmediate };

struct TuneOptions {
  std::string objective = "text_bytes";  // or several metrics (env/preference.h)
  // For all of it, from the making of the baseline to the proof of the result, but for runtime, whose budget
  // is for searching and timing. Of its seconds, `spent_s` are over before it begins: compiling takes time as
  // well.
  search::Budget budget{.seconds = 10};
  double spent_s = 0;
  const search::SearcherInfo* searcher = search::find("evolutionary");
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  Learned learned = {};
  std::vector<std::string> limits = {};  // of other metrics: "text_bytes=+5%" (limits.h)
  bool allow_unsafe = false;             // let actions be used that the manifest warns of
  // For recipe::kRuntime: how the program is run, in `run_dir`, instead of as its tests do.
  std::optional<timing::Input> run = {};
  std::filesystem::path run_dir = ".";
  Reward reward = Reward::kFinal;
  bool profile = true;  // let a run say which way branches go
  const std::atomic<bool>* stop = nullptr;

  // Called on the caller's thread as the search goes on.
  std::function<void(double baseline, const search::Evaluation&)> on_improvement;
  // Called about ten times a second from another thread while the search runs.
  std::function<void(const search::Statistics&)> on_progress;
  // Called with what is being done where it is no search: "proving the result".
  std::function<void(std::string_view)> on_phase;
};

// What the search liked better than the result, and why it is not the result.
struct Refused {
  std::vector<std::string> actions;  // their names
  std::string why;
};

// What immediate rewards were worth.
struct Rewards {
  std::size_t known = 0;        // programs that were not run because their code had been
  std::size_t predicted = 0;    // programs that the surrogate said something of before they were run
  double rank_correlation = 0;  // Spearman's, of that with how they did
};

// A candidate that was run beside the baseline before any trial. The best of many was also lucky: its score
// is no estimate of what it is worth.
struct Raced {
  std::vector<std::string> actions;  // their names
  std::size_t pairs = 0;             // of runs
  double score = 0;                  // median of their log-ratios of times, baseline to candidate
  std::string failure = {};          // what it did wrong, or ""; then there is no score
};

struct Tuned {
  recipe::Recipe recipe;
  std::string bitcode;  // the result
  std::string object;   // made from it by stock clang
  search::Statistics statistics;
  env::IsolationStats isolation;
  std::vector<std::string> notes;
  std::vector<Refused> refused;    // best first
  std::optional<Rewards> rewards;  // if they were immediate
  std::vector<Raced> raced;        // for recipe::kRuntime, best first

  enum class Checked { kPassed, kFailed, kNotPossible };
  Checked verified = Checked::kNotPossible;  // stock opt-22 gives the same IR
  Checked tested = Checked::kNotPossible;    // the program's tests pass

  double improvement() const;  // of the objective over the baseline, as a fraction
};

// Of one metric, or several (env/preference.h). kInvalidArgument that suggests the nearest metric if one is
// none of the backend's, or if one of several is another each time.
Status checkObjective(const env::BackendInfo& info, const std::string& objective);
// The same where the metrics are these.
Status checkObjective(const std::vector<std::string>& metrics, const std::string& objective);
// The same, for what tune() takes: recipe::kRuntime too.
Status checkTunable(const env::BackendInfo& info, const std::string& objective);

// The space to search for `objective` when nobody says: choices of the code generator change bytes and no IR.
std::string usualSpace(const std::string& objective);

// What a search for `input` chooses from: the space's actions, without unsafe ones unless allowed, with
// the baseline among them as it was captured for this program's flags. `baseline` becomes its index.
std::vector<env::Action> candidateActions(const Input& input, const spaces::Space& space, bool allow_unsafe,
                                          env::ActionIndex& baseline);

// How a search minimises `objective`: what is slow to measure is screened by the number of instructions.
search::Objective objectiveFor(const std::string& objective);

// Searches, minimises and explains, or for recipe::kRuntime finds what is faster (faster.h); then asks of the
// winner what gate.h says. If it is refused, the next best that the search knows is asked, and so on for a
// few, and at last the baseline. If even that fails it is returned with kFailed: it is the caller's to refuse
// it loudly. Where the baseline alone takes the budget, it is the result and a note says so.
Result<Tuned> tune(Engine& engine, const Input& input, const spaces::Space& space,
                   const TuneOptions& options);

// The result of `recipe` on `input`, with the hash of its IR. kUnsupported if the recipe is for
// another LLVM, kInvalidArgument if `input` is not the program the recipe was made for.
struct Replayed {
  std::string bitcode;
  Hash128 hash;
};
Result<Replayed> replay(Engine& engine, const Input& input, const recipe::Recipe& recipe);

// Shows that stock opt-22 makes the same IR of `input` as `recipe` says. The value says how;
// kCorrupt (with both hashes) if it does not.
Result<std::string> verifyWithStock(Engine& engine, const Input& input, const recipe::Recipe& recipe);

// `bitcode` as text.
Result<std::string> textualIr(Engine& engine, const Input& input, std::string_view bitcode);

// Runs the program's tests on `object`; nothing if it has none.
Result<std::optional<datasets::TestReport>> testObject(const Input& input, std::string_view object);

}  // namespace ordo::app
