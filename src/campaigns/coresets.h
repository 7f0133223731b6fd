// Coresets from experience: of the best sequences of many programs, the few that together serve all of them
// best.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/stage.h"
#include "campaigns/yardstick.h"
#include "experience/experience.h"
#include "search/knowledge/knowledge.h"
#include "support/error.h"

namespace ordo::campaigns {

struct CoresetOptions {
  YardstickOptions on = {};      // the programs on which sequences are tried
  std::size_t candidates = 200;  // sequences of each objective that are tried, drawn by chance
  std::size_t size = 50;         // of a coreset, at most
  std::size_t bettered = 4;      // so many of a coreset, the first ones, are bettered
  std::size_t rounds = 12;       // in which each of them is, at most
  std::size_t some = 12;         // changes by chance that are tried in each, of every kind
  std::uint64_t seed = 1;
  std::function<void(std::string_view)> note = {};  // of what is done; may be empty
};

// For every objective of the runs: the best sequence of each program where one gains anything is a candidate,
// first those of programs of the packages that are tried on, and the candidates are tried on programs of the
// experience, or others. Those that are tried first, or only, are bettered by hill climbing: each was the
// best for one program, and is to add most to those before it on all. kNotFound if none of the programs is
// there, kDeadlineExceeded once the stage's stop flag is up, otherwise the errors of the stage.
Result<search::KnowledgeFile::Coresets> coresetsOf(const experience::Header& header,
                                                   const std::vector<experience::Run>& runs, Stage& stage,
                                                   const CoresetOptions& options);

}  // namespace ordo::campaigns
