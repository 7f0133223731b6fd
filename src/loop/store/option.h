// What could have been chosen for an experiment, as the store keeps it: tables that are newer than format 1,
// which an older Ordo leaves alone.
#pragma once

#include <string>
#include <vector>

#include "support/sqlite.h"

namespace ordo::loop {

// A candidate that could have been chosen for an experiment, or was.
struct Option {
  std::string candidate;
  double probability = 0;      // with which it would have been
  std::string sequences = {};  // that it is made by (sequences.h: writeSequences()); "" if nobody said

  bool operator==(const Option&) const = default;
};

// The tables, where they are not there yet.
Status makeOptions(Database& database);

// Within the caller's transaction. An error for probabilities that are none, and a candidate twice.
Status addOptions(const Database& database, const std::string& experiment,
                  const std::vector<Option>& options);

// By name. REQUIRES: the tables are there.
Result<std::vector<Option>> readOptions(const Database& database, const std::string& experiment);

}  // namespace ordo::loop
