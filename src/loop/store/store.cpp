// Each change is one transaction that begins by looking at the lease (alone, so that nobody writes in
// between). Rows are only added; the exceptions are `experiment`, whose transitions keep its history, and
// `meta`. CHECKs refuse what no controller of ours writes, lest a row by other hands poison what is learned.
#include "loop/store/store.h"

#include <cmath>

#include "loop/store/postgres.h"
#include "support/json.h"

namespace ordo::loop {
namespace {

constexpr const char* kFormat = "1";
// What differs between databases is in braces.
constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL){keyed};"
    "CREATE TABLE IF NOT EXISTS experiment (number {serial} PRIMARY KEY, id TEXT NOT NULL UNIQUE,"
    " candidate TEXT NOT NULL, baseline TEXT NOT NULL,"
    " probability {real} NOT NULL CHECK (probability > 0 AND probability <= 1), policy TEXT NOT NULL,"
    " toolchain TEXT NOT NULL, state TEXT NOT NULL, outcome TEXT, cause TEXT NOT NULL,"
    " artifact TEXT NOT NULL, hash TEXT NOT NULL, staged {real} CHECK (abs(staged) <= 10),"
    " staged_error {real} CHECK (staged_error >= 0), restarts INTEGER NOT NULL, created {real} NOT NULL,"
    " changed {real} NOT NULL);"
    "CREATE UNIQUE INDEX IF NOT EXISTS one_open ON experiment ((1)) WHERE state <> 'closed';"
    "CREATE TABLE IF NOT EXISTS transition (experiment TEXT NOT NULL REFERENCES experiment (id),"
    " number INTEGER NOT NULL, before TEXT NOT NULL, after TEXT NOT NULL, cause TEXT NOT NULL,"
    " at {real} NOT NULL, PRIMARY KEY (experiment, number)){keyed};"
    "CREATE TABLE IF NOT EXISTS \"window\" (experiment TEXT NOT NULL REFERENCES experiment (id),"
    " begin {real} NOT NULL, seen TEXT NOT NULL, PRIMARY KEY (experiment, begin)){keyed};"
    "CREATE TABLE IF NOT EXISTS reward (experiment TEXT PRIMARY KEY REFERENCES experiment (id),"
    " value {real} CHECK (abs(value) <= 0.7), error {real} CHECK (error > 0 AND error <= 100),"
    " censored INTEGER NOT NULL CHECK (censored IN (0, 1)), verdict TEXT NOT NULL, why TEXT NOT NULL,"
    " inputs TEXT NOT NULL, whole TEXT NOT NULL, computed {real} NOT NULL,"
    " CHECK ((value IS NULL) = (error IS NULL))){keyed};"
    "CREATE TABLE IF NOT EXISTS spending (at {real} PRIMARY KEY, requests {real} NOT NULL"
    " CHECK (requests >= 0 AND requests < 1e15), bad {real} NOT NULL CHECK (bad >= 0 AND bad <= requests))"
    "{keyed};"
    "INSERT INTO meta VALUES ('format', '1') ON CONFLICT (key) DO NOTHING;";

constexpr const char* kColumns =
    "SELECT id, candidate, baseline, probability, policy, toolchain, state, outcome, cause, artifact, hash,"
    " staged, staged_error, restarts, created, changed, CASE WHEN staged IS NULL THEN 1 ELSE 0 END FROM "
    "experiment ";

Result<Experiment> readExperiment(const Rows& row) {
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

std::string text(std::string_view view) { return std::string(view); }

// A key of `meta`, before the name of a candidate; the value is when.
constexpr const char* kForgiven = "forgiven ";

std::string textOf(Wish wish) {
  return wish == Wish::kPause ? "pause" : wish == Wish::kAbort ? "abort" : "run";
}

std::string outcomeText(const Experiment& experiment) {
  return experiment.outcome ? std::string(name(*experiment.outcome)) : "";
}

}  // namespace

Result<Store> Store::open(const std::string& where, bool create) {
  ORDO_TRY_ASSIGN(std::unique_ptr<Sql> sql, openSql(where, create));
  ORDO_TRY_ASSIGN(const std::set<std::string> tables, sql->tables());
  if (!tables.empty() && !tables.contains("experiment"))
    return fail(ErrorCode::kCorrupt, "{} has tables, but is no store of 'ordo loop'", sql->where());
  // Who only looks must not wait for who writes.
  if (tables.empty()) {
    if (!create && isPostgres(where))
      return fail(ErrorCode::kNotFound, "there is no store in {}; 'ordo loop run' makes it", sql->where());
    const Sql::Names names = sql->names();
    ORDO_TRY(sql->transact([&] {
      return sql->script(fmt::format(fmt::runtime(kSchema), fmt::arg("real", names.real),
                                     fmt::arg("serial", names.serial), fmt::arg("keyed", names.keyed)));
    }));
  }
  Store store(std::move(sql));
  ORDO_TRY_ASSIGN(const std::string format, store.get("format"));
  if (format != kFormat)
    return fail(ErrorCode::kUnsupported, "{}: format {} is not {}, which this Ordo reads; upgrade Ordo",
                store.sql_->where(), format, kFormat);
  const bool older = !tables.contains("option");
  if (older && create) ORDO_TRY(makeOptions(*store.sql_));
  store.has_options_ = !older || create;
  return store;
}

template <typename Change>
Status Store::held(const std::string& holder, Change change) {
  return sql_->transact([&]() -> Status {
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    if (has != holder)
      return fail(ErrorCode::kUnavailable, "another controller has taken over this loop; this one ends");
    return change();
  });
}

Status Store::lease(const std::string& holder, double now_s, double seconds) {
  {
    // Each renewal is written to the disk: not more often than needed.
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    ORDO_TRY_ASSIGN(const double until, leasedUntil());
    if (has == holder && until - now_s > seconds / 2) return {};
  }
  return sql_->transact([&]() -> Status {
    ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
    ORDO_TRY_ASSIGN(const double until, leasedUntil());
    if (!has.empty() && has != holder && until > now_s)
      return fail(ErrorCode::kUnavailable, "controller {} has this loop, for {:.0f} s more at least", has,
                  until - now_s);
    ORDO_TRY(set("lease_holder", holder));
    return set("lease_until", fmt::format("{}", now_s + seconds));
  });
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

Result<bool> Store::leasedToAnother(const std::string& holder, double now_s) const {
  ORDO_TRY_ASSIGN(const std::string has, get("lease_holder"));
  ORDO_TRY_ASSIGN(const double until, leasedUntil());
  return !has.empty() && has != holder && until > now_s;
}

Result<std::optional<Experiment>> Store::current() const {
  ORDO_TRY_ASSIGN(const auto rows, sql_->ask(std::string(kColumns) + "WHERE state <> 'closed'"));
  ORDO_TRY_ASSIGN(const bool any, rows->next());
  if (!any) return std::nullopt;
  ORDO_TRY_ASSIGN(Experiment experiment, readExperiment(*rows));
  return experiment;
}

Result<Experiment> Store::experiment(const std::string& id) const {
  ORDO_TRY_ASSIGN(const auto rows, sql_->ask(std::string(kColumns) + "WHERE id = $1", {id}));
  ORDO_TRY_ASSIGN(const bool any, rows->next());
  if (!any)
    return fail(ErrorCode::kNotFound, "there is no experiment '{}'; 'ordo loop history' lists them", id);
  return readExperiment(*rows);
}

Result<std::vector<Experiment>> Store::experiments() const {
  ORDO_TRY_ASSIGN(const auto rows, sql_->ask(std::string(kColumns) + "ORDER BY number"));
  std::vector<Experiment> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return all;
    ORDO_TRY_ASSIGN(Experiment experiment, readExperiment(*rows));
    all.push_back(std::move(experiment));
  }
}

Status Store::add(const std::string& holder, const Experiment& experiment, const std::vector<Option>& among) {
  return held(holder, [&]() -> Status {
    ORDO_TRY(
        sql_->run("INSERT INTO experiment (id, candidate, baseline, probability, policy, toolchain, state,"
                  " cause, artifact, hash, restarts, created, changed)"
                  " VALUES ($1, $2, $3, $4, $5, $6, $7, $8, '', '', 0, $9, $10)",
                  {experiment.id, experiment.candidate, experiment.baseline, experiment.probability,
                   experiment.policy, experiment.toolchain, text(name(experiment.state)), experiment.cause,
                   experiment.created_s, experiment.created_s}));
    return has_options_ ? addOptions(*sql_, experiment.id, among) : Status();
  });
}

Status Store::advance(const std::string& holder, State from, const Experiment& experiment, double now_s) {
  return held(holder, [&]() -> Status {
    ORDO_TRY_ASSIGN(const Experiment stored, this->experiment(experiment.id));
    if (stored.state != from)
      return fail(ErrorCode::kInternal, "experiment {} is {}, not {}", experiment.id, name(stored.state),
                  name(from));
    ORDO_TRY(
        sql_->run("UPDATE experiment SET state = $1, outcome = nullif($2, ''), cause = $3, artifact = $4,"
                  " hash = $5, staged = $6, staged_error = $7, restarts = $8, changed = $9 WHERE id = $10",
                  {text(name(experiment.state)), outcomeText(experiment), experiment.cause,
                   experiment.artifact, experiment.hash, experiment.staged, experiment.staged_error,
                   std::int64_t{experiment.restarts}, now_s, experiment.id}));
    return sql_->run(
        "INSERT INTO transition SELECT $1, count(*), $2, $3, $4, $5 FROM transition"
        " WHERE experiment = $1",
        {experiment.id, text(name(from)), text(name(experiment.state)), experiment.cause, now_s});
  });
}

Status Store::addWindow(const std::string& holder, const std::string& experiment, const Window& window) {
  return held(holder, [&] {
    return sql_->run("INSERT INTO \"window\" VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                     {experiment, window.begin_s, writeJson(toJson(window))});
  });
}

Status Store::addReward(const std::string& holder, const std::string& experiment, const Reward& reward,
                        bool censored, double now_s) {
  const bool sound = !reward.value || (std::abs(*reward.value) <= kMostReward && reward.error &&
                                       *reward.error > 0 && std::isfinite(*reward.error));
  if (!sound) return fail(ErrorCode::kInvalidArgument, "experiment {}: a reward that is none", experiment);
  return held(holder, [&] {
    return sql_->run(
        "INSERT INTO reward VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)"
        " ON CONFLICT (experiment) DO NOTHING",
        {experiment, reward.value, reward.value ? reward.error : std::nullopt, std::int64_t{censored},
         text(name(reward.verdict)), reward.why, reward.inputs.hex(), writeJson(toJson(reward)), now_s});
  });
}

Status Store::spend(const std::string& holder, const Spending& spending) {
  return held(holder, [&] {
    return sql_->run("INSERT INTO spending VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
                     {spending.at_s, spending.requests, spending.bad});
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
  ORDO_TRY_ASSIGN(
      const auto rows,
      sql_->ask("SELECT seen FROM \"window\" WHERE experiment = $1 ORDER BY begin", {experiment}));
  std::vector<Window> windows;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return windows;
    const std::string where = fmt::format("experiment {}, window {}", experiment, windows.size());
    ORDO_TRY_ASSIGN(const Json json, parseJson(rows->text(0), where));
    ORDO_TRY_ASSIGN(Window window, windowFromJson(json, where));
    windows.push_back(std::move(window));
  }
}

Result<std::vector<Transition>> Store::transitions(const std::string& experiment) const {
  ORDO_TRY_ASSIGN(const auto rows, sql_->ask("SELECT number, before, after, cause, at FROM transition"
                                             " WHERE experiment = $1 ORDER BY number",
                                             {experiment}));
  std::vector<Transition> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return all;
    const std::optional<State> from = stateOf(rows->text(1)), to = stateOf(rows->text(2));
    if (!from || !to) return fail(ErrorCode::kCorrupt, "experiment {}: a transition to no state", experiment);
    all.push_back({experiment, rows->integer(0), *from, *to, rows->text(3), rows->number(4)});
  }
}

Result<std::vector<StoredReward>> Store::rewards() const {
  ORDO_TRY_ASSIGN(
      const auto rows,
      sql_->ask("SELECT id, candidate, baseline, toolchain, probability, outcome, reward.value, error,"
                " censored, staged, verdict, why, computed, CASE WHEN reward.value IS NULL THEN 1 ELSE 0 END,"
                " CASE WHEN staged IS NULL THEN 1 ELSE 0 END, forgiven.value"
                " FROM reward JOIN experiment ON reward.experiment = id"
                " LEFT JOIN meta AS forgiven ON forgiven.key = $1 || candidate ORDER BY number",
                {std::string(kForgiven)}));
  std::vector<StoredReward> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return all;
    StoredReward reward{.experiment = rows->text(0), .candidate = rows->text(1), .baseline = rows->text(2)};
    const std::optional<Outcome> outcome = outcomeOf(rows->text(5));
    const std::optional<Verdict> verdict = verdictOf(rows->text(10));
    if (!outcome || !verdict)
      return fail(ErrorCode::kCorrupt, "experiment {}: a reward without an outcome", reward.experiment);
    reward.toolchain = rows->text(3);
    reward.probability = rows->number(4);
    reward.outcome = *outcome;
    reward.verdict = *verdict;
    reward.why = rows->text(11);
    if (rows->integer(13) == 0) {
      reward.value = rows->number(6);
      reward.error = rows->number(7);
    }
    reward.censored = rows->integer(8) != 0;
    if (rows->integer(14) == 0) reward.staged = rows->number(9);
    reward.computed_s = rows->number(12);
    reward.forgiven = reward.computed_s <= std::strtod(rows->text(15).c_str(), nullptr);
    all.push_back(std::move(reward));
  }
}

Result<std::vector<Option>> Store::options(const std::string& experiment) const {
  if (!has_options_) return std::vector<Option>();
  return readOptions(*sql_, experiment);
}

Result<std::vector<Spending>> Store::spending(double since_s) const {
  ORDO_TRY_ASSIGN(const auto rows,
                  sql_->ask("SELECT at, requests, bad FROM spending WHERE at > $1 ORDER BY at", {since_s}));
  std::vector<Spending> all;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, rows->next());
    if (!more) return all;
    all.push_back({rows->number(0), rows->number(1), rows->number(2)});
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
  return sql_->run(
      "INSERT INTO meta VALUES ('wish', $1) ON CONFLICT (key) DO UPDATE SET value = excluded.value"
      " WHERE NOT (meta.value = 'pause' AND excluded.value = 'abort')",
      {textOf(wish)});
}

Status Store::forgive(const std::string& candidate, double now_s) {
  return sql_->run("INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                   {std::string(kForgiven) + candidate, fmt::format("{}", now_s)});
}

Status Store::grant(Wish wish) {
  return sql_->run("UPDATE meta SET value = 'run' WHERE key = 'wish' AND value = $1", {textOf(wish)});
}

Status Store::set(const char* key, std::string_view value) {
  return sql_->run("INSERT INTO meta VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                   {std::string(key), text(value)});
}

Result<std::string> Store::get(const char* key) const {
  ORDO_TRY_ASSIGN(const auto row, sql_->ask("SELECT value FROM meta WHERE key = $1", {std::string(key)}));
  ORDO_TRY_ASSIGN(const bool any, row->next());
  return any ? row->text(0) : std::string();
}

}  // namespace ordo::loop
