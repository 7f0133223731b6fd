// What a search minimises.
#pragma once

#include <string>
#include <vector>

namespace ordo::search {

// What a candidate may have at most of another metric.
struct Limit {
  std::string metric;
  double most = 0;
};

struct Objective {
  std::string metric;  // one of the backend's, or several (env/preference.h); lower is better

  // A cheaper metric of the same program ("ir_instructions" screens for "text_bytes"), or "". A
  // candidate whose screen value is more than (1 + screen_margin) times that of the best so far is
  // ruled out without measuring `metric`.
  std::string screen;
  double screen_margin = 0.05;

  // A candidate that is beyond one of them is no result. They are measured of every candidate that is.
  std::vector<Limit> limits = {};
};

}  // namespace ordo::search
