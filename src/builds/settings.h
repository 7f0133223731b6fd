// What the environment says about Ordo in a build.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "builds/folder.h"
#include "builds/free_flags.h"
#include "support/error.h"

namespace ordo::builds {

struct Settings {
  bool disabled = false;  // ORDO_DISABLE, any value but 0: every command is the plain one
  std::string objective;  // ORDO_OBJECTIVE: a metric for every level; "": text_bytes for -Oz and -Os
  std::vector<std::string> limits;  // ORDO_LIMIT: of code alone (engine/limits.h), if not the usual one
  double seconds = 0.2;             // ORDO_BUDGET: of search for each file; 0 is what the policy says at once
  std::filesystem::path folder;     // ORDO_CACHE or as cacheDir(): the cache and the log
  Sharing sharing = Sharing::kNobody;  // ORDO_CACHE_SHARED=group
  std::filesystem::path log;           // ORDO_LOG, or builds.jsonl in the folder
  std::filesystem::path lock;          // ORDO_LOCK: only these recipes, and an error for anything else
  std::string advice;                  // ORDO_ADVISORS, as adviceOf() (builds/advice.h); "" with a lock file
  // ORDO_FREE_FLAGS: added to every command of ours (free_flags.h).
  FreeChoices free_flags;
  bool plain = false;   // ORDO_PLAIN, any value but 0: nothing else is done
  bool linked = false;  // ORDO_LINKED, any value but 0: links are what is tuned (link.h)
  // ORDO_RECORD: every command is the plain one, and this folder gets the modules that could be tuned
  // (projects/build.h).
  std::filesystem::path record;
  std::uint64_t cache_bytes = std::uint64_t{1} << 30;  // ORDO_CACHE_LIMIT: 500M, 2G
};

// One limit of code alone, as a share of what clang's own code has, or any. kInvalidArgument for another,
// after `what` gave it.
Result<std::vector<std::string>> parseLimits(std::string_view what, const std::vector<std::string>& limits);

// kInvalidArgument names the variable that makes no sense.
Result<Settings> settingsFromEnvironment();

}  // namespace ordo::builds
