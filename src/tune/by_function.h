// A sequence for each function of a program (search/driver/function_search.h), behind what is done to all of
// it and in front of what cleans up.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "env/choices.h"
#include "env/session.h"
#include "search/evaluation/evaluation.h"
#include "search/evaluation/objective.h"
#include "search/knowledge/function_sequences.h"
#include "support/error.h"
#include "tune/function_memory.h"

namespace ordo::tune {

// Of a budget that is worth so many answers, what choices for so many functions are to have. What few have to
// try is soon tried, and what is too little to gain anything is better left to the search for the whole.
double shareOf(std::size_t functions, double answers);

// Whether choices can be measured for `objective`: it is of bytes or instructions, which functions have.
bool choosesByFunction(const env::BackendInfo& backend, const std::string& objective);

// How many functions a program has, of which each may have its own sequence.
Result<std::size_t> functionsOf(engine::Engine& engine, const engine::Input& input,
                                const env::SessionSpec& spec);

// What choices stand between. Functions differ by what was inlined into them, so each has its own.
struct Track {
  search::Sequence prefix, suffix;
  std::string program;  // that the prefix makes, if it is known
  std::string name;     // of this kind of tracks: "behind", "bare"
  std::string first;    // what a function has without a choice, as env::Choices writes it
  std::vector<search::MinedSequence> sequences;  // to be tried, with what they may save of a function
};

// A sequence, and the program that it makes, "" if that is not known.
struct Beginning {
  search::Sequence sequence;
  std::string program = {};
};

// The best of a search, which choices can only improve, and calls inlined and little else, where they decide
// all that happens to functions. `coreset` has sequences of whole programs, whose parts for functions are
// tried. Those of `mined` come first.
std::vector<Track> tracksBehind(const Beginning& best, std::span<const env::Action> actions,
                                std::span<const search::Sequence> coreset,
                                const search::FunctionSequences& mined);

struct ByFunctionOptions {
  std::string objective;
  double least = 0;                        // what choices have to be below to be any
  std::vector<search::Limit> limits = {};  // and what they may have at most of other metrics
  std::uint64_t seed = 1;
  // Whether what a function came to says most of those like it: not shown to gain anything
  // (docs/functions.md).
  bool similar = false;
  FunctionMemory* memory = nullptr;  // of earlier searches, which learns from this one; may be null
  // Whether the budget is over with so many emissions made, or will be in so many seconds: asked before each,
  // but for the first track's first.
  std::function<bool(std::size_t emissions, double ahead_s)> done;
};

struct ByFunction {
  // Of `tracks`, by number, the one that is best with choices; nothing is named if none came below `least`.
  std::size_t track = 0;
  env::Choices choices;
  double value = 0;  // of the objective, of the whole program, if so
  std::size_t emissions = 0;
  std::size_t functions = 0, remembered = 0;  // that there are, and of those the ones the memory knew
  // By function against its first sequence, most first.
  std::vector<std::pair<std::string, double>> saved = {};

  bool found() const { return value > 0; }
};

// What each of a track's sequences makes of each function of a program, for search::chooseSequences().
// Nothing if the state in front of the choices is none.
Result<std::optional<search::FunctionLabels>> labelsOf(engine::Engine& engine, const env::SessionSpec& spec,
                                                       const Track& track, const std::string& objective);

// Goes on with the track that promises most until `done`, or until none promises anything. `spec` has the
// program and the actions that tracks are of. Errors are the backend's own; a track that fails is left.
Result<ByFunction> chooseByFunction(engine::Engine& engine, const env::SessionSpec& spec,
                                    const std::vector<Track>& tracks, const ByFunctionOptions& options);

}  // namespace ordo::tune
