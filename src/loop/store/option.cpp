#include "loop/store/option.h"

#include "support/hash.h"

namespace ordo::loop {

// The same sequences are there once, under their hash.
Status makeOptions(Database& database) {
  return database.run(
      "BEGIN IMMEDIATE;"
      "CREATE TABLE IF NOT EXISTS sequences (hash TEXT PRIMARY KEY, whole TEXT NOT NULL) WITHOUT ROWID;"
      "CREATE TABLE IF NOT EXISTS option (experiment TEXT NOT NULL REFERENCES experiment (id),"
      " candidate TEXT NOT NULL, probability REAL NOT NULL CHECK (probability >= 0 AND probability <= 1),"
      " sequences TEXT REFERENCES sequences (hash), PRIMARY KEY (experiment, candidate)) WITHOUT ROWID;"
      "COMMIT;");
}

Status addOptions(const Database& database, const std::string& experiment,
                  const std::vector<Option>& options) {
  ORDO_TRY_ASSIGN(Statement keep, database.prepare("INSERT OR IGNORE INTO sequences VALUES (?, ?)"));
  ORDO_TRY_ASSIGN(Statement add, database.prepare("INSERT INTO option VALUES (?, ?, ?, nullif(?, ''))"));
  for (const Option& option : options) {
    const std::string hash = option.sequences.empty() ? "" : hashBytes(option.sequences).hex();
    if (!hash.empty()) ORDO_TRY(keep.bind(hash).bind(option.sequences).run());
    ORDO_TRY(add.bind(experiment).bind(option.candidate).bind(option.probability).bind(hash).run());
  }
  return {};
}

Result<std::vector<Option>> readOptions(const Database& database, const std::string& experiment) {
  ORDO_TRY_ASSIGN(Statement rows,
                  database.prepare("SELECT candidate, probability, whole FROM option LEFT JOIN sequences"
                                   " ON sequences = hash WHERE experiment = ? ORDER BY candidate"));
  rows.bind(experiment);
  std::vector<Option> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return all;
    all.push_back({rows.text(0), rows.number(1), rows.text(2)});
  }
}

}  // namespace ordo::loop
