// Plots as SVG that stands in a page by itself: no script, no network, no font of its own. Nothing is told
// by colour alone: a series has a dash pattern, a marker and its name beside it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "report/statistics.h"

namespace ordo::report {

// `text` with what HTML and SVG would read as markup written out.
std::string escaped(std::string_view text);

struct Series {
  std::string name;
  std::vector<double> x, y;
};

struct PlotLabels {
  std::string title;  // for those who cannot see it
  std::string x, y;
};

// Lines over a logarithmic x axis; y is a fraction and shown as percent. Names stand at the right ends, moved
// apart where they would touch. REQUIRES: every x is above 0, and x and y are of equal length.
std::string linePlot(const std::vector<Series>& series, const PlotLabels& labels);

struct Bar {
  std::string name;
  double value = 0;
  std::optional<Interval> interval = {};  // no bar where none is known
  std::string text;                       // beside it
};

// One line for each: a dot for the value, a bar for its interval, its figures at the right; a line at zero.
std::string intervalPlot(const std::vector<Bar>& bars, const PlotLabels& labels);

// Points in the plane of two costs: the front nearest to the corner, and what it was chosen from.
struct Scatter {
  using Dot = std::pair<double, double>;
  std::vector<Dot> front = {};  // numbered from 1; in ascending order of x
  bool stairs = true;           // join them: nothing that was seen lies below the line
  Dot reference;
  std::string reference_name;
  std::vector<Dot> cloud = {};  // the rest; what is far above the others is not drawn

  // What is drawn, as its lower left and upper right corner: front and reference, with some room above them.
  std::pair<Dot, Dot> window() const;
};

// A whole file by itself. REQUIRES: a front.
std::string scatterPlot(const Scatter& scatter, const PlotLabels& labels);

}  // namespace ordo::report
