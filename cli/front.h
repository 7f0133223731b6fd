// The results of `ordo tune --pareto`: where they are written, and how they are said and drawn.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "cli/output.h"
#include "support/error.h"
#include "support/json.h"
#include "tune/pareto.h"

namespace ordo::cli {

struct FrontFiles {
  struct Point {
    std::string out, recipe;
  };
  std::vector<Point> points;
  std::string drawing;  // SVG
};

// The name of the results of the point of this number, from 1, of the program `name`.
std::string pointName(std::string_view name, std::size_t number);

// Where its drawing goes.
std::string drawingPath(const OutputOptions& options, std::string_view name);

// NAME.pareto-1.o and its recipe, and so on, and NAME.pareto.svg beside the recipes.
Result<FrontFiles> writeFront(engine::Engine& engine, const engine::Input& input, const tune::Pareto& front,
                              const OutputOptions& options, std::string_view name);

// A table, a picture of the first two metrics, and what was checked. Lines of at most 100 columns, but for
// the names of files.
std::string frontText(const tune::Pareto& front, const FrontFiles& files);

Json toJson(const tune::Pareto& front, const FrontFiles& files);

}  // namespace ordo::cli
