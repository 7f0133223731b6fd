// Each change is one transaction that begins by looking at the lease (BEGIN IMMEDIATE, so that nobody writes
// in between). Rows are only added; the exceptions are `experiment`, whose transitions keep its history, and
// `meta`. CHECKs refuse what no controller of ours writes, lest a row by other hands poison what is learned.
#include "loop/store/store.h"

#include <cmath>

#include "support/json.h"

namespace ordo::loop {
namespace {

constexpr const char* kFormat = "1";
constexpr const char* kSchema =
    "BEGIN IMMEDIATE;"
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS experiment (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " candidate TEXT NOT NULL, baseline TEXT NOT NULL,"
    " probability REAL NOT NULL CHECK (probability > 0 AND probability <= 1), policy TEXT NOT NULL,"
    " toolchain TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, cause TEXT NOT NULL,"
    " artifact TEXT NOT NULL, hash TEXT NOT NULL, staged REAL CHECK (abs(staged) <= 10),"
    " staged_error REAL CHECK (staged_error >= 0), restarts INTEGER NOT NULL, created REAL NOT NULL,"
    " changed REAL NOT NULL);"
    "CREATE UNIQUE INDEX IF NOT EXISTS one_open ON experiment ((1)) WHERE state <> 'closed';"
    "CREATE TABLE IF NOT EXISTS transition (experiment TEXT NOT NULL REFERENCES experiment (id),"
    " number INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, cause TEXT NOT NULL,"
    " at REAL NOT NULL, PRIMARY KEY (experiment, number)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS window (experiment TEXT NOT NULL REFERENCES experiment (id),"
    " begin REAL NOT NULL, seen TEXT NOT NULL, PRIMARY KEY (experiment, begin)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS reward (experiment TEXT PRIMARY KEY REFERENCES experiment (id),"
    " value REAL CHECK (abs(value) <= 0.7), error REAL CHECK (error > 0 AND error <= 100),"
    " censored INTEGER NOT NULL CHECK (censored IN (0, 1)), verdict TEXT NOT NULL, why TEXT NOT NULL,"
    " inputs TEXT NOT NULL, whole TEXT NOT NULL, computed REAL NOT NULL,"
    " CHECK ((value IS NULL) = (error IS NULL))) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS spending (at REAL PRIMARY KEY, requests REAL NOT NULL"
    " CHECK (requests >= 0 AND requests < 1e15), bad REAL NOT NULL CHECK (bad >= 0 AND bad <= requests))"
    " WITHOUT ROWID;"
    "INSERT OR IGNORE INTO meta VALUES ('format', '1');"
    "COMMIT;";

constexpr const char* kColumns =
    "SELECT id, candidate, baseline, probability, policy, toolchain, state, outcome, cause, artifact, hash,"
    " staged, staged_error, restarts, created, changed, staged IS NULL FROM experiment ";

Result<Experiment> readExperiment(const Statement& row) {
  Experiment experiment{.id = row.text(0), .candidate = row.text(1), .baseline = row.text(2)};
  const std::optional<State> state = stateOf(row.text(6));
  const std::string outcome = row.text(7);
  if (!state || (!outcome.empty() && !outcomeOf(outcome)))
    return fail(ErrorCode::kCorrupt, "experiment {} is in a state that is none: '{}' '{}'", experiment.id,
                row.text(6), outcome);
  experiment.probability = row.number(3);
  experiment.policy = row.text(4);
  experiment.toolchain = row.text(5);
  experiment.state = *state;
  experiment.outcome = outcomeOf(outcome);
  experiment.cause = row.text(8);
  experiment.artifact = row.text(9);
  experiment.hash = row.text(10);
  if (row.integer(16) == 0) {
    experiment.staged = row.number(11);
    experiment.staged_error = row.number(12);
  }
  experiment.restarts = static_cast<unsigned>(row.integer(13));
  experiment.created_s = row.number(14);
  experiment.changed_s = row.number(15);
  return experiment;
}

std::string outcomeText(const Experiment& experiment) {
  return experiment.outcome ? std::string(name(*experiment.outcome)) : "";
}

}  // namespace

Result<Store> Store::open(const std::filesystem::path& file, bool create) {
  std::error_code ignored;
  if (!create && !std::filesystem::exists(file, ignored))
    return fail(ErrorCode::kNotFound, "there is no store {}; 'ordo loop run' makes it", file.string());
  ORDO_TRY_ASSIGN(Database database, Database::open(file, Database::Access::kWrite));
  bool fresh = false, older = false;
  {
    ORDO_TRY_ASSIGN(Statement tables, database.prepare("SELECT count(*), sum(name = 'experiment'),"
                                                       " sum(name = 'option') FROM sqlite_schema"));
    ORDO_TRY_ASSIGN(const bool row, tables.row());
    if (row && tables.integer(0) > 0 && tables.integer(1) == 0)
      return fail(ErrorCode::kCorrupt, "{} is a database, but no store of 'ordo loop'", file.string());
    fresh = row && tables.integer(0) == 0;
    older = row && tables.integer(2) == 0;
  }
  ORDO_TRY(database.share());
  // kill -9 loses nothing; what a power cut takes of the last steps is done again by who begins next.
  ORDO_TRY(database.run("PRAGMA synchronous = NORMAL"));
  ORDO_TRY(database.run("PRAGMA foreign_keys = ON"));
  // Who only looks must not wait for who writes.
  if (fresh) ORDO_TRY(database.run(kSchema));
  Store store(std::move(database));
  ORDO_TRY_ASSIGN(const std::string format, store.get("format"));
  if (format != kFormat)
    return fail(ErrorCode::kUnsupported, "{}: format {} is not {}, which this Ordo reads; upgrade Ordo",
                file.string(), format, kFormat);
  if (older && create) ORDO_TRY(makeOptions(store.database_));
  store.has_options_ = !older || create;
  return store;
}

template <typename Change>
Status Store::held(const std::string& holder, Change change) {
  ORDO_TRY(database_.run("BEGIN IMMEDIATE"));
  const auto within = [&]() -> Status {
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    if (has != holder)
      return fail(ErrorCode::kUnavailable, "another controller has taken over this loop; this one ends");
    return change();
  };
  Status done = within();
  if (done) done = database_.run("COMMIT");
  if (!done) static_cast<void>(database_.run("ROLLBACK"));
  return done;
}

Status Store::lease(const std::string& holder, double now_s, double seconds) {
  {
    // Each renewal is written to the disk: not more often than needed.
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    ORDO_TRY_ASSIGN(const double until, leasedUntil());
    if (has == holder && until - now_s > seconds / 2) return {};
  }
  ORDO_TRY(database_.run("BEGIN IMMEDIATE"));
  const auto within = [&]() -> Status {
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    ORDO_TRY_ASSIGN(const double until, leasedUntil());
    if (!has.empty() && has != holder && until > now_s)
      return fail(ErrorCode::kUnavailable, "controller {} has this loop, for {:.0f} s more at least", has,
                  until - now_s);
    ORDO_TRY(set("lease_holder", holder));
    return set("lease_until", fmt::format("{}", now_s + seconds));
  };
  Status done = within();
  if (done) done = database_.run("COMMIT");
  if (!done) static_cast<void>(database_.run("ROLLBACK"));
  return done;
}

Status Store::release(const std::string& holder) {
  return held(holder, [&]() -> Status {
    ORDO_TRY(set("lease_holder", ""));
    return set("lease_until", "0");
  });
}

Result<double> Store::leasedUntil() const {
  ORDO_TRY_ASSIGN(const std::string text, get("lease_until"));
  return text.empty() ? 0.0 : std::strtod(text.c_str(), nullptr);
}

Result<std::optional<Experiment>> Store::current() const {
  ORDO_TRY_ASSIGN(Statement rows,
                  database_.prepare((std::string(kColumns) + "WHERE state <> 'closed'").c_str()));
  ORDO_TRY_ASSIGN(const bool any, rows.row());
  if (!any) return std::nullopt;
  ORDO_TRY_ASSIGN(Experiment experiment, readExperiment(rows));
  return experiment;
}

Result<Experiment> Store::experiment(const std::string& id) const {
  ORDO_TRY_ASSIGN(Statement rows, database_.prepare((std::string(kColumns) + "WHERE id = ?").c_str()));
  rows.bind(id);
  ORDO_TRY_ASSIGN(const bool any, rows.row());
  if (!any)
    return fail(ErrorCode::kNotFound, "there is no experiment '{}'; 'ordo loop history' lists them", id);
  return readExperiment(rows);
}

Result<std::vector<Experiment>> Store::experiments() const {
  ORDO_TRY_ASSIGN(Statement rows, database_.prepare((std::string(kColumns) + "ORDER BY number").c_str()));
  std::vector<Experiment> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return all;
    ORDO_TRY_ASSIGN(Experiment experiment, readExperiment(rows));
    all.push_back(std::move(experiment));
  }
}

Status Store::add(const std::string& holder, const Experiment& experiment, const std::vector<Option>& among) {
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(
        Statement insert,
        database_.prepare("INSERT INTO experiment (id, candidate, baseline, probability, policy, toolchain,"
                          " state, cause, artifact, hash, restarts, created, changed)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?, ?, '', '', 0, ?, ?)"));
    insert.bind(experiment.id).bind(experiment.candidate).bind(experiment.baseline);
    insert.bind(experiment.probability).bind(experiment.policy).bind(experiment.toolchain);
    insert.bind(name(experiment.state)).bind(experiment.cause);
    ORDO_TRY(insert.bind(experiment.created_s).bind(experiment.created_s).run());
    return has_options_ ? addOptions(database_, experiment.id, among) : Status();
  });
}

Status Store::advance(const std::string& holder, State from, const Experiment& experiment, double now_s) {
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(const Experiment stored, this->experiment(experiment.id));
    if (stored.state != from)
      return fail(ErrorCode::kInternal, "experiment {} is {}, not {}", experiment.id, name(stored.state),
                  name(from));
    ORDO_TRY_ASSIGN(Statement update,
                    database_.prepare("UPDATE experiment SET state = ?, outcome = nullif(?, ''), cause = ?,"
                                      " artifact = ?, hash = ?, staged = ?, staged_error = ?, restarts = ?,"
                                      " changed = ? WHERE id = ?"));
    update.bind(name(experiment.state)).bind(outcomeText(experiment)).bind(experiment.cause);
    update.bind(experiment.artifact)
        .bind(experiment.hash)
        .bind(experiment.staged)
        .bind(experiment.staged_error);
    update.bind(static_cast<std::int64_t>(experiment.restarts)).bind(now_s).bind(experiment.id);
    ORDO_TRY(update.run());
    ORDO_TRY_ASSIGN(
        Statement insert,
        database_.prepare("INSERT INTO transition SELECT ?1, count(*), ?2, ?3, ?4, ?5 FROM transition"
                          " WHERE experiment = ?1"));
    insert.bind(experiment.id)
        .bind(name(from))
        .bind(name(experiment.state))
        .bind(experiment.cause)
        .bind(now_s);
    return insert.run();
  });
}

Status Store::addWindow(const std::string& holder, const std::string& experiment, const Window& window) {
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(Statement insert, database_.prepare("INSERT OR IGNORE INTO window VALUES (?, ?, ?)"));
    return insert.bind(experiment).bind(window.begin_s).bind(writeJson(toJson(window))).run();
  });
}

Status Store::addReward(const std::string& holder, const std::string& experiment, const Reward& reward,
                        bool censored, double now_s) {
  const bool sound = !reward.value || (std::abs(*reward.value) <= kMostReward && reward.error &&
                                       *reward.error > 0 && std::isfinite(*reward.error));
  if (!sound) return fail(ErrorCode::kInvalidArgument, "experiment {}: a reward that is none", experiment);
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(Statement insert,
                    database_.prepare("INSERT INTO reward VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
                                      " ON CONFLICT (experiment) DO NOTHING"));
    insert.bind(experiment).bind(reward.value).bind(reward.value ? reward.error : std::nullopt);
    insert.bind(static_cast<std::int64_t>(censored)).bind(name(reward.verdict)).bind(reward.why);
    return insert.bind(reward.inputs.hex()).bind(writeJson(toJson(reward))).bind(now_s).run();
  });
}

Status Store::spend(const std::string& holder, const Spending& spending) {
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(Statement insert, database_.prepare("INSERT OR IGNORE INTO spending VALUES (?, ?, ?)"));
    return insert.bind(spending.at_s).bind(spending.requests).bind(spending.bad).run();
  });
}

Status Store::setProduction(const std::string& holder, const std::string& candidate,
                            const std::string& artifact) {
  return held(holder, [&]() -> Status {
    ORDO_TRY(set("production_artifact", artifact));
    return set("production", candidate);
  });
}

Status Store::setMode(const std::string& holder, Mode mode) {
  return held(holder, [&] { return set("mode", name(mode)); });
}

Result<std::vector<Window>> Store::windows(const std::string& experiment) const {
  ORDO_TRY_ASSIGN(Statement rows,
                  database_.prepare("SELECT seen FROM window WHERE experiment = ? ORDER BY begin"));
  rows.bind(experiment);
  std::vector<Window> windows;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return windows;
    const std::string where = fmt::format("experiment {}, window {}", experiment, windows.size());
    ORDO_TRY_ASSIGN(const Json json, parseJson(rows.text(0), where));
    ORDO_TRY_ASSIGN(Window window, windowFromJson(json, where));
    windows.push_back(std::move(window));
  }
}

Result<std::vector<Transition>> Store::transitions(const std::string& experiment) const {
  ORDO_TRY_ASSIGN(Statement rows, database_.prepare("SELECT number, before, after, cause, at FROM transition"
                                                    " WHERE experiment = ? ORDER BY number"));
  rows.bind(experiment);
  std::vector<Transition> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return all;
    const std::optional<State> from = stateOf(rows.text(1)), to = stateOf(rows.text(2));
    if (!from || !to) return fail(ErrorCode::kCorrupt, "experiment {}: a transition to no state", experiment);
    all.push_back({experiment, rows.integer(0), *from, *to, rows.text(3), rows.number(4)});
  }
}

Result<std::vector<StoredReward>> Store::rewards() const {
  ORDO_TRY_ASSIGN(
      Statement rows,
      database_.prepare("SELECT id, candidate, baseline, toolchain, probability, outcome, value, error,"
                        " censored, staged, verdict, why, computed, value IS NULL, staged IS NULL"
                        " FROM reward JOIN experiment ON reward.experiment = id ORDER BY number"));
  std::vector<StoredReward> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return all;
    StoredReward reward{.experiment = rows.text(0), .candidate = rows.text(1), .baseline = rows.text(2)};
    const std::optional<Outcome> outcome = outcomeOf(rows.text(5));
    const std::optional<Verdict> verdict = verdictOf(rows.text(10));
    if (!outcome || !verdict)
      return fail(ErrorCode::kCorrupt, "experiment {}: a reward without an outcome", reward.experiment);
    reward.toolchain = rows.text(3);
    reward.probability = rows.number(4);
    reward.outcome = *outcome;
    reward.verdict = *verdict;
    reward.why = rows.text(11);
    if (rows.integer(13) == 0) {
      reward.value = rows.number(6);
      reward.error = rows.number(7);
    }
    reward.censored = rows.integer(8) != 0;
    if (rows.integer(14) == 0) reward.staged = rows.number(9);
    reward.computed_s = rows.number(12);
    all.push_back(std::move(reward));
  }
}

Result<std::vector<Option>> Store::options(const std::string& experiment) const {
  if (!has_options_) return std::vector<Option>();
  return readOptions(database_, experiment);
}

Result<std::vector<Spending>> Store::spending(double since_s) const {
  ORDO_TRY_ASSIGN(Statement rows,
                  database_.prepare("SELECT at, requests, bad FROM spending WHERE at > ? ORDER BY at"));
  rows.bind(since_s);
  std::vector<Spending> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows.row());
    if (!more) return all;
    all.push_back({rows.number(0), rows.number(1), rows.number(2)});
  }
}

Result<std::string> Store::production() const { return get("production"); }
Result<std::string> Store::productionArtifact() const { return get("production_artifact"); }

Result<Mode> Store::mode() const {
  ORDO_TRY_ASSIGN(const std::string text, get("mode"));
  return modeOf(text).value_or(Mode::kExplore);
}

Result<Wish> Store::wish() const {
  ORDO_TRY_ASSIGN(const std::string text, get("wish"));
  return text == "pause" ? Wish::kPause : text == "abort" ? Wish::kAbort : Wish::kRun;
}

Status Store::setWish(Wish wish) {
  return set("wish", wish == Wish::kPause ? "pause" : wish == Wish::kAbort ? "abort" : "run");
}

Status Store::set(const char* key, std::string_view value) {
  ORDO_TRY_ASSIGN(Statement insert, database_.prepare("INSERT OR REPLACE INTO meta VALUES (?, ?)"));
  return insert.bind(key).bind(value).run();
}

Result<std::string> Store::get(const char* key) const {
  ORDO_TRY_ASSIGN(Statement row, database_.prepare("SELECT value FROM meta WHERE key = ?"));
  row.bind(std::string_view(key));
  ORDO_TRY_ASSIGN(const bool any, row.row());
  return any ? row.text(0) : std::string();
}

}  // namespace ordo::loop
