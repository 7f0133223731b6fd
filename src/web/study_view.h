// A study: the figures of `ordo report` for the programs that somebody picks, by suite and by size, and two
// methods against each other, program by program. The statistics are those of report/analysis.h.
#pragma once

#include <filesystem>
#include <memory>

#include "support/error.h"
#include "web/view.h"

namespace ordo::web {

// Reads the file once. Errors as of study::readStudy().
Result<std::unique_ptr<View>> openStudy(const std::filesystem::path& file);

}  // namespace ordo::web
