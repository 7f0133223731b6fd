// What was seen of control and canary in the same stretch of time: all that a reward is made of.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "loop/reward/histogram.h"

namespace ordo::loop {

// One arm in one window.
struct ArmWindow {
  Histogram latency = {};          // of the requests that were answered
  std::uint64_t errors = 0;        // answers of 500 and more, and none at all
  std::uint64_t redispatches = 0;  // requests that the balancer took to another server instead
  bool up = true;                  // at both ends
  bool reset = false;              // its counters began anew

  bool operator==(const ArmWindow&) const = default;
};

struct Window {
  double begin_s = 0, end_s = 0;  // seconds since 1970
  ArmWindow control = {}, canary = {};
  double share = 0;      // of requests that the canary was to get
  std::string gap = {};  // why nothing was seen, or ""

  bool operator==(const Window&) const = default;
};

Json toJson(const Window& window);
// kCorrupt unless it is what toJson() writes.
Result<Window> windowFromJson(const Json& json, std::string_view where);

}  // namespace ordo::loop
