// ordo tune --build: a whole project under one budget.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

#include "projects/build.h"
#include "projects/free_search.h"

namespace ordo::cli {

struct ProjectRequest {
  projects::Commands commands;
  std::string compile_commands;     // a file, or ""
  bool linked = false;              // links in place of files
  std::string free_flags;           // "yes", "no", or "" for what suits
  std::string objective;            // "": by each file's level
  std::vector<std::string> limits;  // of code_bytes; none: as ORDO_LIMIT
  std::string budget;               // "" is a minute
  unsigned jobs = 1;
  bool json = false;
  bool quiet = false;
};

// Adds the options of `project`, once all others of `app` are there: those for files do not go with them.
// Objective, budget, jobs and how to print are shared, and the caller's to fill in.
void addProjectOptions(CLI::App& app, ProjectRequest& project);

// Of "60s", for builds: kInvalidArgument for what is no time.
Result<double> buildSeconds(std::string_view budget);

// A line of progress about a build with free flags.
std::string trialText(const projects::FreeTrial& trial);

// Tunes, says how it went, and gives the exit code: kWrong if the project did not stand what was found.
int tuneProject(const ProjectRequest& request);

}  // namespace ordo::cli
