// The results of `ordo tune --pareto`: where they are written, and how they are said and drawn.
#pragma once

#include <string>
#include <vector>

#include "app/pareto.h"
#include "cli/output.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::cli {

struct FrontFiles {
  struct Point {
    std::string out, recipe;
  };
  std::vector<Point> points;
  std::string drawing;  // SVG
};

// NAME.pareto-1.o and its recipe, and so on, and NAME.pareto.svg beside the recipes.
Result<FrontFiles> writeFront(app::Engine& engine, const app::Input& input, const app::Pareto& front,
                              const OutputOptions& options);

// A table, a picture of the first two metrics, and what was checked. Lines of at most 100 columns, but for
// the names of files.
std::string frontText(const app::Pareto& front, const FrontFiles& files);

Json toJson(const app::Pareto& front, const FrontFiles& files);

}  // namespace ordo::cli
