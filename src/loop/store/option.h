// What could have been chosen for an experiment, as the store keeps it: tables that are newer than format 1,
// which an older Ordo leaves alone.
#pragma once

#include <string>
#include <vector>

#include "loop/store/sql.h"

namespace ordo::loop {

// A candidate that could have been chosen for an experiment, or was.
struct Option {
  std::string candidate;
  double probability = 0;      // with which it would have been
  std::string sequences = {};  // that it is made by (sequences.h: writeSequences()); "" if nobody said

  bool operator==(const Option&) const = default;
};

// The tables, where they are not there yet.
Status makeOptions(Sql& sql);

// Within the caller's transaction. An error for probabilities that are none, and a candidate twice.
Status addOptions(const Sql& sql, const std::string& experiment, const std::vector<Option>& options);

// By name. REQUIRES: the tables are there.
Result<std::vector<Option>> readOptions(const Sql& sql, const std::string& experiment);

}  // namespace ordo::loop
