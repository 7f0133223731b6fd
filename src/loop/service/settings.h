// loop.toml: what a loop runs (docs/formats/loop.md). It is read strictly: a key that is not known, a name
// that could be more than a name, a number out of its range are errors that say where.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "loop/controller/controller.h"
#include "loop/learning/values.h"
#include "loop/service/answers.h"
#include "loop/service/haproxy.h"
#include "loop/service/prometheus.h"

namespace ordo::loop {

// A program with its arguments, never a shell. An argument that is {candidate}, {output}, {pool}, {artifact},
// {production}, {control} or {canary} is replaced as a whole.
using CommandLine = std::vector<std::string>;

struct Settings {
  std::filesystem::path folder;  // of loop.toml: paths are relative to it, commands run in it
  std::string store;             // a path, or an address of PostgreSQL
  std::filesystem::path builds;
  CommandLine build, deploy, stop;
  std::string production;  // the candidate that production is at first
  std::vector<std::string> candidates;
  // Files of recipes that a candidate is made by, one for each module; of all candidates or of none.
  std::map<std::string, std::vector<std::filesystem::path>> recipes;
  std::vector<CommandLine>
      stage_runs;              // arguments of the built program, whose output is compared and time taken
  double stage_budget_s = 30;  // 0: only compared
  double command_timeout_s = 600;
  HaproxyOptions haproxy;
  CommandLine balancer_set, balancer_look;  // instead of HAProxy, if they are not empty
  PrometheusOptions prometheus;
  std::filesystem::path log;  // of HAProxy, instead of Prometheus, if it is not empty
  AnswersOptions answers;
  LoopOptions loop;
  LearningOptions learning;
};

// kNotFound, or kCorrupt with the place.
Result<Settings> loadSettings(const std::filesystem::path& file);
Result<Settings> parseSettings(std::string_view text, const std::filesystem::path& file);

// A loop.toml with a comment for each key, that parseSettings() takes.
std::string_view settingsTemplate();

}  // namespace ordo::loop
