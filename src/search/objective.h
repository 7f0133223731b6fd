// What a search minimises.
#pragma once

#include <string>

namespace ordo::search {

struct Objective {
  std::string metric;  // one of the backend's; lower is better

  // A cheaper metric of the same program ("ir_instructions" screens for "text_bytes"), or "". A
  // candidate whose screen value is more than (1 + screen_margin) times that of the best so far is
  // ruled out without measuring `metric`.
  std::string screen;
  double screen_margin = 0.05;
};

}  // namespace ordo::search
