#include "loop/store/option.h"

#include "support/hash.h"

namespace ordo::loop {

// The same sequences are there once, under their hash.
Status makeOptions(Sql& sql) {
  const Sql::Names names = sql.names();
  return sql.transact([&] {
    return sql.script(fmt::format(
        "CREATE TABLE IF NOT EXISTS sequences (hash TEXT PRIMARY KEY, whole TEXT NOT NULL){keyed};"
        "CREATE TABLE IF NOT EXISTS option (experiment TEXT NOT NULL REFERENCES experiment (id),"
        " candidate TEXT NOT NULL, probability {real} NOT NULL CHECK (probability >= 0 AND probability <= 1),"
        " sequences TEXT REFERENCES sequences (hash), PRIMARY KEY (experiment, candidate)){keyed};",
        fmt::arg("real", names.real), fmt::arg("keyed", names.keyed)));
  });
}

Status addOptions(const Sql& sql, const std::string& experiment, const std::vector<Option>& options) {
  for (const Option& option : options) {
    const std::string hash = option.sequences.empty() ? "" : hashBytes(option.sequences).hex();
    if (!hash.empty())
      ORDO_TRY(sql.run("INSERT INTO sequences VALUES ($1, $2) ON CONFLICT (hash) DO NOTHING",
                       {hash, option.sequences}));
    ORDO_TRY(sql.run("INSERT INTO option VALUES ($1, $2, $3, nullif($4, ''))",
                     {experiment, option.candidate, option.probability, hash}));
  }
  return {};
}

Result<std::vector<Option>> readOptions(const Sql& sql, const std::string& experiment) {
  ORDO_TRY_ASSIGN(const auto rows,
                  sql.ask("SELECT candidate, probability, whole FROM option LEFT JOIN sequences"
                          " ON sequences = hash WHERE experiment = $1 ORDER BY candidate",
                          {experiment}));
  std::vector<Option> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return all;
    all.push_back({rows->text(0), rows->number(1), rows->text(2)});
  }
}

}  // namespace ordo::loop
