// What can be known to be wrong before any request is at stake: each finding has what was found and what to
// do about it. Nothing is changed but a weight of production, by a 256th and back, and only while nobody has
// the loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "loop/service/settings.h"
#include "support/json.h"

namespace ordo::loop {

enum class Grade : std::uint8_t {
  kGood,
  kDoubtful,  // it can go on, and somebody should know
  kBad,       // no experiment could end well
};

struct Finding {
  std::string what;  // "Prometheus' histogram"
  Grade grade = Grade::kGood;
  std::string found;                         // what is so
  std::string remedy = {};                   // unless it is good
  ErrorCode code = ErrorCode::kUnsupported;  // if it is bad: kUnavailable for what is not there now
  // What no waiting mends.
  bool isWrong() const { return grade == Grade::kBad && code == ErrorCode::kUnsupported; }
  Error error() const { return {code, fmt::format("{}: {}; {}", what, found, remedy)}; }
};

struct Preflight {
  std::vector<Finding> findings;
  std::optional<double> news_s;  // figures come so often, as far as that can be known

  // The first that is bad, as an error.
  Status status() const;
};

// `held`: a controller has this loop, whose weights are left alone.
Preflight preflight(const Settings& settings, bool held);

// `options` at a pace at which figures that come each `news_s` seconds are no silence. `said`: what was
// changed.
LoopOptions paced(LoopOptions options, double news_s, std::vector<std::string>& said);

// What HAProxy's file says of a backend.
struct HaproxyFile {
  bool found = false;  // the backend
  bool redispatch = false;
  std::string retry_on;  // "" for its default, conn-failure
};
// With what its `defaults` say. Files are given as HAProxy reads them, one after the other.
HaproxyFile readHaproxyFile(std::string_view text, std::string_view backend);

std::string toText(const Preflight& preflight);
Json toJson(const Preflight& preflight);

}  // namespace ordo::loop
