// What `ordo tune` is asked for: its options, what suits where one says nothing, and what does not go
// together.
#pragma once

#include <CLI/App.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "cli/output.h"
#include "cli/project.h"
#include "engine/image.h"
#include "env/metric.h"
#include "env/session.h"
#include "spaces/space.h"
#include "support/error.h"

namespace ordo::cli {

struct TuneRequest {
  std::vector<std::string> files = {};
  ProjectRequest project = {};          // instead of files
  std::vector<std::string> flags = {};  // after "--"
  std::string objective = env::kTextBytes;
  std::string pareto = {};              // instead of an objective
  std::vector<std::string> front = {};  // its metrics
  std::vector<std::string> limits = {};
  std::string baseline = {};  // "" is what suits the objective, as are budget and space
  std::string budget = {};
  bool budget_grows = false;  // nobody gave it
  std::string searcher = "policy";
  std::string space = {};
  std::string reward = {};  // "" is final
  double ram_price = engine::kRamPrice;
  bool symbols = false;
  bool no_profile = false;
  bool no_calls = false, no_functions = false;
  std::string run = {};
  std::string stdin_file = {};
  std::string knowledge = "shipped";
  std::string policy = "shipped";
  bool no_policy = false;
  bool no_peers = false;
  bool more_peers = false;
  unsigned threads = 1;
  bool answers = false;
  std::string prior = {};  // "" is none
  std::string model = "shipped";
  std::string journal = {};  // "" is none
  OutputOptions output = {};
  std::uint64_t seed = 1;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool allow_unsafe = false;
  bool json = false;
  bool quiet = false;
};

// Adds all options, those of a project too.
void addTuneOptions(CLI::App& app, TuneRequest& request);

// What suits the objective, where nothing was said.
void chooseDefaults(TuneRequest& request);

// kInvalidArgument for what cannot be, and for what does not go together. REQUIRES: chooseDefaults().
Status checkRequest(const TuneRequest& request);

// The metrics of --pareto, and the space. kInvalidArgument for a metric that is none of the backend's.
Status chooseSpace(const env::BackendInfo& info, TuneRequest& request);

// Searches without a policy, and says so, if the shipped one is not to be had or does not fit: search needs
// none. A file that somebody named is what they want, or an error.
Status choosePolicy(const env::BackendInfo& info, const spaces::Space& space, TuneRequest& request);

}  // namespace ordo::cli
