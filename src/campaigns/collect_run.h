// One run for experience: a search on one program, everything it tried, and its best sequences replayed.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "experience/experience.h"
#include "search/driver/driver.h"
#include "study/run.h"
#include "support/error.h"

namespace ordo::campaigns {

struct CollectRunOptions {
  search::Objective objective;
  const search::SearcherInfo* searcher = nullptr;
  std::uint64_t seed = 1;
  search::Budget budget;
  std::size_t max_length = 60;
  std::size_t best = 8;                                        // at most so many sequences are told
  std::vector<std::string> metrics;                            // of the best; the objective's is one of them
  std::vector<experience::ObservationInfo> observations = {};  // of the states of the best
  const std::atomic<bool>* stop = nullptr;                     // may be null
};

// Searches as `ordo tune` does with one job. With a deterministic backend, and a budget that is not in
// seconds, all but cpu_s follows from the arguments.
//
// kUnsupported if the seeds cannot be measured, kDeadlineExceeded if the stop flag went up, or the first
// error of a session.
Result<experience::Run> collectRun(study::Site& site, const study::Subject& subject,
                                   const CollectRunOptions& options);

// Gives a run of a slim file its states again, by replaying its best sequences. kUnsupported if one fails or
// a state cannot be told. REQUIRES: a session on the program of the run, with the actions of its file.
Status restoreStates(env::Session& session, const std::vector<experience::ObservationInfo>& observations,
                     experience::Run& run);

}  // namespace ordo::campaigns
