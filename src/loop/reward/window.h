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
  std::uint64_t errors = 0;        // answers of 500 and more, answers cut short, and none at all
  std::uint64_t redispatches = 0;  // tries that failed and that the balancer made again, there or elsewhere
  std::uint64_t aborts = 0;        // clients that left before their answer was whole
  std::uint64_t tries = 0;         // requests that the balancer gave it; 0 if it does not say
  // Answers to the same requests, of both arms and production (docs/loop.md): how many were compared, of how
  // many it alone had another one, and of how many that were asked again because that was so of an arm.
  std::uint64_t compared = 0, odd = 0, odd_again = 0;
  bool up = true;      // at both ends
  bool reset = false;  // its counters began anew

  bool operator==(const ArmWindow&) const = default;
};

// All that it was asked: what was answered, what failed, and what was tried again. Where the balancer says
// how often it tried, no fewer.
double requestsOf(const ArmWindow& arm);

// Of these, those that failed, whether or not a client saw it. A balancer may count one twice (HAProxy does
// so with a connection that is reset), so at most all.
double failuresOf(const ArmWindow& arm);

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
