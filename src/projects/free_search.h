// Which flags that cost nothing but a build (builds/free_flags.h) make what a project links smallest.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "builds/free_flags.h"
#include "projects/binaries.h"
#include "projects/build.h"
#include "support/error.h"

namespace ordo::projects {

// A build of the project, and what it came to.
struct FreeTrial {
  builds::FreeChoices choices;
  Binaries binaries;
  double bytes = 0;          // of the metric, of all of them
  std::string trouble = {};  // why it came to nothing, or ""
};

struct FreeSearchOptions {
  std::string metric = "text_bytes";                    // or code_bytes
  bool for_search = false;                              // flags behind which a search goes on, alone
  bool lto = true;                                      // also those that make one module of a link
  double seconds = 60;                                  // a build that has begun may run over
  std::function<void(const FreeTrial&)> on_trial = {};  // called after each
};

struct FreeResult {
  std::vector<FreeTrial> trials;  // the first without any flag
  std::size_t best = 0;           // the smallest
};

// One flag after the other, each with all its values on top of the best so far, for as long as there is time.
// What the last of them built is what lies there afterwards.
// A build that fails, or links other files than the first, is a trial with trouble. kInvalidArgument if the
// first fails, kNotFound if it links nothing in the current folder. Once the build's `stop` is true
// there are the trials so far; kDeadlineExceeded if there is none.
Result<FreeResult> tryFreeFlags(Build& build, const FreeSearchOptions& options);

}  // namespace ordo::projects
