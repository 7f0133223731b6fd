// A recipe is what a tuning run leaves behind: enough to get the same object again, with Ordo or
// with stock tools, to check it, and to know why it was chosen. docs/formats/recipe.md describes
// the file; a change of meaning bumps kFormat.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::recipe {

// Of 1 there is no checksum. Up to 2, a number that was not measured is 0, and it is not known how a program
// was run.
inline constexpr std::int64_t kFormat = 3;

// A metric of the program compiled three ways.
struct Figure {
  std::string metric;
  double baseline = 0;  // the baseline that was asked for
  // The same level in the research convention, for comparison with papers; if there was time for it.
  std::optional<double> bare = std::nullopt;
  double tuned = 0;
};

// What one action of the result saves; see search/driver/explain.h.
struct Reason {
  std::int64_t action = 0;  // index into Recipe::actions
  double saves = 0;         // in the objective's unit
};

// What a function's own sequence (env/choices.h) saves of it.
struct FunctionSaving {
  std::string function;  // as shownSymbol() has it
  double saves = 0;      // in the objective's unit, over the sequence of all that are not named
};

// Time of the baseline over the candidate's, with its interval.
struct Speedup {
  double value = 1, low = 1, high = 1;
};

// How a program was run to be timed, in the folder of its program.toml or that of the tuning.
struct Run {
  std::string name;
  std::vector<std::string> args;
  std::string input;  // the file that is its standard input, or ""
};

// What timing said, for the objective env::kRuntime. Its figures are in seconds of processor time.
struct Timing {
  std::string
      verdict;  // "faster", or why the recipe is the baseline: "slower", "no difference shown", "void"
  std::string why;
  std::optional<Speedup> speedup;  // of the last trial that came to an end; if one did
  double p = 1;
  std::int64_t candidates = 0;  // that were run
  // Of these, that did something else than the baseline, or that stock opt-22 makes otherwise.
  std::int64_t refused = 0;
  std::int64_t trials = 0;
  std::string checked;         // "exit status and standard output in every run, on 3 inputs"
  std::vector<Run> runs = {};  // empty: of an older format
};

struct Recipe {
  // What was tuned.
  std::string program;             // its name
  std::string source;              // as the user wrote it
  std::string language;            // clang's -x
  std::vector<std::string> flags;  // the user's compiler flags
  Hash128 program_hash;            // state hash of the program before any pass

  // For what.
  std::string baseline;             // "clang-Oz"
  std::string objective;            // "text_bytes"
  std::vector<Figure> figures;      // the objective first
  std::vector<std::string> limits;  // of other metrics, as they were asked for: "text_bytes=+5%"

  // The result.
  std::vector<env::Action> prepare;  // applied before the search began: what makes a bare program
  std::vector<env::Action> actions;  // what the search found
  Hash128 result_hash;               // state hash after `prepare` and `actions`
  std::optional<Timing> timing;      // there if the objective is an experiment's (env/metric.h)
  std::vector<Reason> reasons;       // of the actions that the budget left time to ask about, in order
  std::vector<FunctionSaving> functions = {};  // most first; which sequence each has, the action says

  // Where and how.
  std::string backend;          // "llvm"
  std::string backend_version;  // "22.1.8"
  std::string target;           // triple
  std::string settings = {};    // of code (env::SessionSpec)
  std::string space;
  Hash128 space_hash;
  std::string searcher;
  std::int64_t seed = 0;
  std::int64_t jobs = 0;
  std::int64_t evaluations = 0;
  double seconds = 0;

  // What was checked: "3 tests passed", "not run: no tests are known", ...
  std::string verified;
  std::string tested;

  // Shell lines that make the same object with stock LLVM.
  std::vector<std::string> stock;

  // It was read from a file whose checksum fits: what it says is what a tuning run wrote.
  bool sealed = false;
};

// Indented JSON that ends with a newline, of format kFormat, with its checksum.
std::string write(const Recipe& recipe);

// Where its source is, seen from the current folder: as it is written, or from the folder of `file`, which is
// the recipe, or from one above that; as it is written if it is nowhere there.
std::string locateSource(const Recipe& recipe, const std::filesystem::path& file);

// kCorrupt names the field at fault, or says that the checksum is of something else; kUnsupported if it is of
// a newer format. `name` is for messages.
Result<Recipe> parse(std::string_view text, std::string_view name);

}  // namespace ordo::recipe
