// What came of tuning one file, and how it is said.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "cli/front.h"
#include "support/exit_code.h"
#include "support/json.h"
#include "tune/pareto.h"
#include "tune/retrace.h"
#include "tune/tune.h"

namespace ordo::cli {

struct Outcome {
  std::string file;
  std::string name;
  std::string error;  // why there is no result, or ""
  std::optional<tune::Tuned> tuned;
  std::optional<tune::Retraced> retraced;
  std::string unexplained;  // why the policy says nothing of it, or ""
  std::string out, recipe;  // where they were written
  // Instead of one result, for --pareto.
  std::optional<tune::Pareto> front;
  FrontFiles front_files;
  int code = kOk;
};

// For people; `alone` if it is the only one.
void printOutcome(const Outcome& outcome, bool alone, std::FILE* to);

Json toJson(const Outcome& outcome);

}  // namespace ordo::cli
