// A scatter plot drawn with characters, for terminals.
#pragma once

#include <string>

#include "report/plot.h"

namespace ordo::report {

// Columns of at most `width`. Front points are digits, from the tenth on letters; R is the reference.
// REQUIRES: a front, and a width of 72 or more.
std::string characterPlot(const Scatter& scatter, const PlotLabels& labels, std::size_t width);

}  // namespace ordo::report
