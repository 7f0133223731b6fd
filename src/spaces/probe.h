// Probing: applies every candidate to every program of a small corpus and writes down what happened.
//
// Each program is tried in several states: as the front end made it, where most passes find nothing
// to do, and as passes see it further down a pipeline. From each state a candidate runs several
// times, because a result that depends on addresses differs between runs.
//
// The backend should isolate its sessions (env/isolated_session.h): candidates crash and hang. Its
// limits are what a hang and too much memory mean, and its crash ledger should be a fresh one, or
// what is known to kill is refused instead of tried.
#pragma once

#include <cstddef>
#include <functional>
#include <stop_token>
#include <string>
#include <vector>

#include "env/session.h"
#include "spaces/candidates.h"
#include "spaces/manifest.h"

namespace ordo::spaces {

// What leads from the program as given to the state that candidates are tried in.
struct ProbeState {
  std::string name;
  std::vector<env::Action> actions;
};

// For LLVM: raw, cleaned up, for speed (without attributes that hold passes back) and optimised. In
// each, what must be inlined is: before that, C++ calls functions that exist nowhere.
std::vector<ProbeState> defaultStates();

struct ProbeOptions {
  unsigned jobs = 0;  // threads, each with its own sessions; 0: one per core
  int runs = 3;       // from one state
  std::vector<ProbeState> states = defaultStates();
  // A metric that is taken wherever a candidate changed something, so that a result which only the
  // code generator cannot bear is found; "" for none.
  std::string metric;
  std::string generated_by;
  std::function<void(std::size_t done, std::size_t total)> progress;  // one call at a time, from any thread
  std::stop_token stop;
};

// The manifest of `backend`, without traps (traps.h). Rows stand in the order of the candidates, and
// equal inputs give an equal manifest, whatever the number of jobs. Names and programs of `corpus`
// are used, their actions are not. kDeadlineExceeded if it was stopped; an error of the backend or a
// state that cannot be reached ends it too.
Result<Manifest> probe(env::Backend& backend, const std::vector<env::SessionSpec>& corpus,
                       const Candidates& candidates, const ProbeOptions& options);

}  // namespace ordo::spaces
