// Tuning: from a file to a smaller object of the same behaviour, with a recipe.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/engine.h"
#include "engine/image.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "engine/symbols.h"
#include "env/metric.h"
#include "recipe/recipe.h"
#include "runtime/faster.h"
#include "search/catalog/catalog.h"
#include "search/driver/driver.h"
#include "spaces/space.h"
#include "support/clock.h"
#include "support/error.h"
#include "timing/rig.h"

namespace ordo::tune {

struct TuneOptions {
  std::string objective = env::kTextBytes;  // or several metrics (env/preference.h)
  // For all of it, from the making of the baseline to the proof of the result. Of its seconds, `spent_s` are
  // over before it begins: compiling takes time as well.
  search::Budget budget{.seconds = 10};
  double spent_s = 0;
  double most_s = 0;  // for env::kRuntime: up to which the budget grows where runs are long
  std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>();  // that counts its seconds
  const search::SearcherInfo* searcher = search::find("evolutionary");
  std::uint64_t seed = 1;
  unsigned jobs = 1;
  engine::Learned learned = {};
  // Sequences that the search begins with, by the names of their actions (SearchOptions::proposals). One with
  // an action that is not to be used is left out.
  std::vector<std::vector<std::string>> proposals = {};
  // Longer ones are left out (SearchOptions::max_length).
  std::size_t max_length = search::SearchOptions{}.max_length;
  // Of other metrics: "text_bytes=+5%". tune() adds engine::usualLimits().
  std::vector<std::string> limits = {};
  double ram_price = engine::kRamPrice;  // of images: engine::mayReplace()
  bool allow_unsafe = false;             // let actions be used that the manifest warns of
  // For env::kRuntime: how the program is run, in `run_dir`, instead of as its tests do.
  std::optional<timing::Input> run = {};
  std::filesystem::path run_dir = ".";
  runtime::Reward reward = runtime::Reward::kFinal;
  bool symbols = false;  // say what grew and what shrank
  bool profile = true;   // let a run say which way branches go
  bool calls = true;     // for a metric: let single calls be decided (tune/calls.h)
  bool functions =
      true;  // for bytes and instructions: let each function have its own sequence (by_function.h)
  const std::atomic<bool>* stop = nullptr;

  // Called on the caller's thread as the search goes on, with the names of the actions.
  std::function<void(double baseline, const search::Evaluation&, const std::vector<std::string>&)>
      on_improvement;
  // Told every answer of a search by a metric, as search::Evaluator::listen() says; its actions are of
  // engine::candidateActions(), and those of decisions about calls behind them.
  std::function<void(const search::Evaluation&)> on_answer;
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

struct Tuned {
  recipe::Recipe recipe;
  std::string bitcode;  // the result
  std::string object;   // made from it by stock clang
  search::Statistics statistics;
  env::IsolationStats isolation;
  std::vector<std::string> notes;
  std::vector<Refused> refused;  // best first
  // Of a program that has a machine: what is linked of the baseline and of the result.
  std::optional<engine::Image> baseline_image, image;
  std::vector<engine::SymbolChange>
      symbols;                              // if asked for: of the image if there is one, else of the object
  std::optional<runtime::Rewards> rewards;  // if they were immediate
  std::vector<runtime::Raced> raced;        // for env::kRuntime, best first

  enum class Checked { kPassed, kFailed, kNotPossible };
  Checked verified = Checked::kNotPossible;  // stock opt-22 gives the same IR
  Checked tested = Checked::kNotPossible;    // the program's tests pass

  double improvement() const;  // of the objective over the baseline, as a fraction
};

// Searches, minimises and explains, or for env::kRuntime finds what is faster (faster.h); then asks of the
// winner what gate.h says. If it is refused, the next best that the search knows is asked, and so on for a
// few, and at last the baseline. If even that fails it is returned with kFailed: it is the caller's to refuse
// it loudly. Where the baseline takes most of the budget only the first answer is tried, or nothing if the
// budget is over, and a note says so.
Result<Tuned> tune(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                   const TuneOptions& options);

}  // namespace ordo::tune
