// Trials: what production said of a candidate (`ordo loop export`). They stand in a file of experience after
// its runs, each a line that begins with {"trial": (docs/formats/experience.md). A candidate NAME is the runs
// of the searcher "loop/NAME", one for each of its modules.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::experience {

// What the line of a trial begins with.
inline constexpr std::string_view kTrialPrefix = "{\"trial\":";
// Of the searcher of a candidate's runs, before its name.
inline constexpr std::string_view kCandidatePrefix = "loop/";
// No trial has more to choose from.
inline constexpr std::size_t kMaxOptions = 1000;

struct Trial {
  std::string id;                       // of the experiment
  std::string candidate;                // that was tried
  std::string baseline;                 // that it was compared with; "" is what production was at first
  std::map<std::string, double> among;  // what could have been tried, and how probably; 1 in all
  double reward = 0;                    // log of the baseline's over the candidate's latency
  double error = 1;                     // standard, of the reward: it weighs 1 / error^2
  bool censored = false;                // a penalty for harm, not a measurement

  bool operator==(const Trial&) const = default;
};

// REQUIRES: as decodeTrial() checks.
std::string encode(const Trial& trial);

// kCorrupt, with `where`, unless the numbers can be what they are said to be: probabilities that are 1 in
// all, of which the candidate's is not 0; a reward of at most 10 in magnitude; an error above 0, at most 100.
Result<Trial> decodeTrial(std::string_view line, std::string_view where);

}  // namespace ordo::experience
