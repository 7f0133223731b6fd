// Several metrics that are to be small at once, and how much each of them matters:
// "ir_instructions=0.7+text_bytes=0.3".
//
// What a program with the metrics m_k is worth is the product of m_k^w_k, where the weights w_k sum to 1. So
// the ratio of two programs is the weighted geometric mean of their ratios by each metric, whatever the
// units, and is what the metric itself says where one has all the weight.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "support/error.h"

namespace ordo::env {

struct Preference {
  struct Part {
    std::string metric;
    double weight = 1;
  };

  std::vector<Part> parts;  // at least one, each of another metric, the weights sum to 1

  // One metric and nothing else.
  bool single() const { return parts.size() == 1; }
  // REQUIRES: as many values as parts, in their order.
  double value(std::span<const double> values) const;
  // What measure() says of the session's program, or estimate() if that will do; of the first metric that
  // cannot be measured, if there is one. The errors are those of the session.
  Result<Measurement> measure(Session& session, bool estimate = false) const;
};

// "METRIC", or "METRIC=WEIGHT+METRIC=WEIGHT", two or more: weights are above 0 and are divided by their sum.
// That there are such metrics is not looked at. kInvalidArgument, with how it is written.
Result<Preference> parsePreference(std::string_view text);

}  // namespace ordo::env
