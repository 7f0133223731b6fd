// What came of tuning one file, and how it is said.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "app/pareto.h"
#include "app/retrace.h"
#include "app/tune.h"
#include "cli/exit_code.h"
#include "cli/front.h"
#include "support/json.h"

namespace ordo::cli {

struct Outcome {
  std::string file;
  std::string name;
  std::string error;  // why there is no result, or ""
  std::optional<app::Tuned> tuned;
  std::optional<app::Retraced> retraced;
  std::string unexplained;  // why the policy says nothing of it, or ""
  std::string out, recipe;  // where they were written
  // Instead of one result, for --pareto.
  std::optional<app::Pareto> front;
  FrontFiles front_files;
  int code = kOk;
};

// For people; `alone` if it is the only one.
void printOutcome(const Outcome& outcome, bool alone, std::FILE* to);

Json toJson(const Outcome& outcome);

}  // namespace ordo::cli
