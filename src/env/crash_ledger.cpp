#include "env/crash_ledger.h"

#include <sqlite3.h>

#include <algorithm>
#include <system_error>
#include <tuple>

namespace ordo::env {
namespace {

// How long to wait for another process that is writing.
constexpr int kBusyMs = 2000;

constexpr const char* kSchema =
    "PRAGMA journal_mode = WAL;"
    "CREATE TABLE IF NOT EXISTS crash_v1 (backend TEXT NOT NULL, state TEXT NOT NULL, action TEXT NOT NULL,"
    " status INTEGER NOT NULL, detail TEXT NOT NULL, program TEXT NOT NULL, count INTEGER NOT NULL,"
    " PRIMARY KEY (backend, state, action)) WITHOUT ROWID;";

// A prepared statement that finalises itself.
class Statement {
 public:
  Statement(sqlite3* database, const char* sql) {
    sqlite3_prepare_v2(database, sql, -1, &statement_, nullptr);
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  void bind(int column, std::string_view text) {
    sqlite3_bind_text(statement_, column, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  }
  void bind(int column, std::int64_t value) { sqlite3_bind_int64(statement_, column, value); }
  // Whether there is another row. A statement that does not fit the file has none, and is not done().
  bool row() {
    last_ = statement_ == nullptr ? SQLITE_ERROR : sqlite3_step(statement_);
    return last_ == SQLITE_ROW;
  }
  bool done() const { return last_ == SQLITE_DONE; }
  std::string text(int column) const {
    const unsigned char* bytes = sqlite3_column_text(statement_, column);
    return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
  }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }

 private:
  sqlite3_stmt* statement_ = nullptr;
  int last_ = SQLITE_OK;
};

}  // namespace

Result<std::unique_ptr<CrashLedger>> CrashLedger::open(const std::filesystem::path& file,
                                                       std::string_view backend) {
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);  // what is wrong with it, SQLite says too
  auto ledger = std::make_unique<CrashLedger>();
  ledger->backend_ = backend;
  const auto unusable = [&] {
    const int code = sqlite3_errcode(ledger->database_);
    // SQLITE_ERROR: a table of that name, but not ours.
    const bool corrupt = code == SQLITE_NOTADB || code == SQLITE_CORRUPT || code == SQLITE_ERROR;
    return fail(corrupt ? ErrorCode::kCorrupt : ErrorCode::kUnavailable,
                "cannot use the crash ledger {}: {}; delete it or set ORDO_CACHE to another folder",
                file.string(), sqlite3_errmsg(ledger->database_));
  };
  if (sqlite3_open(file.c_str(), &ledger->database_) != SQLITE_OK) return unusable();
  sqlite3_busy_timeout(ledger->database_, kBusyMs);
  if (sqlite3_exec(ledger->database_, kSchema, nullptr, nullptr, nullptr) != SQLITE_OK) return unusable();
  Statement select(ledger->database_,
                   "SELECT state, action, status, detail, program, count FROM crash_v1 WHERE backend = ?");
  select.bind(1, backend);
  while (select.row()) {
    const std::optional<Hash128> state = Hash128::fromHex(select.text(0));
    if (!state) continue;
    CrashRecord record{*state,         select.text(1), static_cast<StepStatus>(select.integer(2)),
                       select.text(3), select.text(4), select.integer(5)};
    ledger->by_action_[record.action].emplace(*state, std::move(record));
  }
  if (!select.done()) return unusable();
  return ledger;
}

CrashLedger::~CrashLedger() { sqlite3_close(database_); }

void CrashLedger::record(const CrashRecord& record) {
  const std::lock_guard lock(mutex_);
  ++recorded_here_;
  auto& states = by_action_[record.action];
  const auto [entry, added] = states.emplace(record.state, record);
  if (!added) ++entry->second.count;
  if (database_ == nullptr) return;
  Statement insert(database_,
                   "INSERT INTO crash_v1 VALUES (?, ?, ?, ?, ?, ?, 1)"
                   " ON CONFLICT (backend, state, action) DO UPDATE SET count = count + 1");
  insert.bind(1, backend_);
  insert.bind(2, record.state.hex());
  insert.bind(3, record.action);
  insert.bind(4, static_cast<std::int64_t>(record.status));
  insert.bind(5, record.detail);
  insert.bind(6, record.program);
  insert.row();
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
