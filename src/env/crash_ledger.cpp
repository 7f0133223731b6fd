#include "env/crash_ledger.h"

#include <algorithm>
#include <tuple>

#include "support/files.h"

namespace ordo::env {
namespace {

constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS crash_v1 (backend TEXT NOT NULL, state TEXT NOT NULL, action TEXT NOT NULL,"
    " status INTEGER NOT NULL, detail TEXT NOT NULL, program TEXT NOT NULL, count INTEGER NOT NULL,"
    " PRIMARY KEY (backend, state, action)) WITHOUT ROWID;";

Result<Database> openTable(const std::filesystem::path& file) {
  ORDO_TRY_ASSIGN(Database database, Database::open(file, Database::Access::kWrite));
  ORDO_TRY(database.share());
  ORDO_TRY(database.run(kSchema));
  return database;
}

Result<std::vector<CrashRecord>> read(const Database& database, std::string_view backend) {
  ORDO_TRY_ASSIGN(Statement select,
                  database.prepare("SELECT state, action, status, detail, program, count FROM crash_v1"
                                   " WHERE backend = ?"));
  select.bind(backend);
  std::vector<CrashRecord> records;
  for (;;) {
    ORDO_TRY_ASSIGN(const bool more, select.row());
    if (!more) return records;
    const std::optional<Hash128> state = Hash128::fromHex(select.text(0));
    if (!state) continue;
    records.push_back({*state, select.text(1), static_cast<StepStatus>(select.integer(2)), select.text(3),
                       select.text(4), select.integer(5)});
  }
}

Status insert(const Database& database, std::string_view backend, const CrashRecord& record) {
  ORDO_TRY_ASSIGN(Statement insert,
                  database.prepare("INSERT INTO crash_v1 VALUES (?, ?, ?, ?, ?, ?, 1)"
                                   " ON CONFLICT (backend, state, action) DO UPDATE SET count = count + 1"));
  return insert.bind(backend)
      .bind(record.state.hex())
      .bind(record.action)
      .bind(static_cast<std::int64_t>(record.status))
      .bind(record.detail)
      .bind(record.program)
      .run();
}

}  // namespace

Result<std::unique_ptr<CrashLedger>> CrashLedger::open(const std::filesystem::path& file,
                                                       std::string_view backend) {
  makePrivateFolders(file.parent_path());  // what is wrong with it, SQLite says too
  const auto unusable = [](const Error& why) {
    return fail(why.code, "cannot use the crash ledger {}; delete it or set ORDO_CACHE to another folder",
                why.message);
  };
  Result<Database> database = openTable(file);
  if (!database) return unusable(database.error());
  Result<std::vector<CrashRecord>> records = read(*database, backend);
  if (!records) return unusable(records.error());

  auto ledger = std::make_unique<CrashLedger>();
  ledger->backend_ = backend;
  ledger->database_.emplace(std::move(*database));
  for (CrashRecord& record : *records)
    ledger->by_action_[record.action].emplace(record.state, std::move(record));
  return ledger;
}

void CrashLedger::record(const CrashRecord& record) {
  const std::lock_guard lock(mutex_);
  ++recorded_here_;
  auto& states = by_action_[record.action];
  const auto [entry, added] = states.emplace(record.state, record);
  if (!added) ++entry->second.count;
  if (!database_ || !record.lasting) return;
  const Status written = insert(*database_, backend_, record);
  if (written || !problem_.empty()) return;
  problem_ =
      fmt::format("cannot write to the crash ledger {}: later runs will not know what crashed in this one",
                  written.error().message);
}

std::string CrashLedger::problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

bool CrashLedger::mentions(std::string_view action) const {
  const std::lock_guard lock(mutex_);
  return by_action_.contains(std::string(action));
}

bool CrashLedger::contains(Hash128 state, std::string_view action) const {
  const std::lock_guard lock(mutex_);
  const auto found = by_action_.find(std::string(action));
  return found != by_action_.end() && found->second.contains(state);
}

std::size_t CrashLedger::actions() const {
  const std::lock_guard lock(mutex_);
  return by_action_.size();
}

bool CrashLedger::empty() const {
  const std::lock_guard lock(mutex_);
  return by_action_.empty();
}

std::vector<CrashRecord> CrashLedger::records() const {
  std::vector<CrashRecord> all;
  {
    const std::lock_guard lock(mutex_);
    for (const auto& [action, states] : by_action_) {
      for (const auto& [state, record] : states) all.push_back(record);
    }
  }
  std::sort(all.begin(), all.end(), [](const CrashRecord& a, const CrashRecord& b) {
    return std::tie(b.count, a.action, a.state) < std::tie(a.count, b.action, b.state);
  });
  return all;
}

std::int64_t CrashLedger::recordedHere() const {
  const std::lock_guard lock(mutex_);
  return recorded_here_;
}

}  // namespace ordo::env
