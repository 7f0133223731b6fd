#include "support/sqlite.h"

#include <sqlite3.h>
#include <unistd.h>

#include <chrono>
#include <thread>
#include <utility>

namespace ordo {
namespace {

// How long to wait for another connection that is writing.
constexpr int kBusyMs = 5000;

tl::unexpected<Error> failed(sqlite3* database, std::string_view what) {
  // Not SQLITE_ERROR, which says that a statement was wrong for this file: callers that set aside what is
  // corrupt would lose a good file.
  const int code = sqlite3_errcode(database);
  const bool corrupt = code == SQLITE_NOTADB || code == SQLITE_CORRUPT;
  return fail(corrupt ? ErrorCode::kCorrupt : ErrorCode::kUnavailable, "{}: {}", what,
              sqlite3_errmsg(database));
}

}  // namespace

Statement::Statement(Statement&& other) noexcept
    : database_(other.database_), statement_(std::exchange(other.statement_, nullptr)), next_(other.next_) {}

Statement::~Statement() { sqlite3_finalize(statement_); }

Statement& Statement::bind(std::string_view text) {
  sqlite3_bind_text(statement_, next_++, text.data(), static_cast<int>(text.size()), SQLITE_TRANSIENT);
  return *this;
}

Statement& Statement::bindBytes(std::string_view bytes) {
  sqlite3_bind_blob64(statement_, next_++, bytes.data(), bytes.size(), SQLITE_STATIC);
  return *this;
}

Statement& Statement::bind(double value) {
  sqlite3_bind_double(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(std::int64_t value) {
  sqlite3_bind_int64(statement_, next_++, value);
  return *this;
}

Statement& Statement::bind(std::optional<double> value) {
  if (value) return bind(*value);
  sqlite3_bind_null(statement_, next_++);
  return *this;
}

Result<bool> Statement::row() {
  const int code = sqlite3_step(statement_);
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return failed(database_, sqlite3_db_filename(database_, nullptr));
}

Status Statement::run() {
  for (bool more = true; more;) {
    ORDO_TRY_ASSIGN(more, row());
  }
  sqlite3_reset(statement_);
  next_ = 1;
  return {};
}

std::string Statement::text(int column) const {
  const unsigned char* bytes = sqlite3_column_text(statement_, column);
  return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
}

std::string Statement::bytes(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const auto size = static_cast<std::size_t>(sqlite3_column_bytes(statement_, column));
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), size);
}

std::int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_, column); }

double Statement::number(int column) const { return sqlite3_column_double(statement_, column); }

Result<Database> Database::open(const std::filesystem::path& file, Access access) {
  std::error_code ignored;
  if (access == Access::kRead && !std::filesystem::exists(file, ignored))
    return fail(ErrorCode::kNotFound, "there is no file {}", file.string());
  sqlite3* handle = nullptr;
  const int flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code = sqlite3_open_v2(file.c_str(), &handle, flags, nullptr);
  Database database(file, handle);
  if (code != SQLITE_OK) return failed(handle, file.string());
  sqlite3_busy_timeout(handle, kBusyMs);
  // SQLite opens lazily: only now does it look at what the file is.
  ORDO_TRY(database.run("SELECT count(*) FROM sqlite_schema"));
  return database;
}

Database::Database(std::filesystem::path file, sqlite3* database)
    : file_(std::move(file)), database_(database), owner_(::getpid()) {}

Database::~Database() {
  if (owner_ == ::getpid()) sqlite3_close(database_);
}

Status Database::checkOurs() const {
  if (owner_ == ::getpid()) return {};
  return fail(ErrorCode::kUnavailable, "{}: was opened by the process that this one was forked from",
              file_.string());
}

Status Database::share() {
  // While another connection changes the mode of a new file, SQLite says so at once instead of waiting.
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::milliseconds(kBusyMs);
  for (;;) {
    const Status changed = run("PRAGMA journal_mode = WAL");
    if (changed || sqlite3_errcode(database_) != SQLITE_BUSY || std::chrono::steady_clock::now() > deadline)
      return changed;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

Status Database::run(const char* sql) {
  ORDO_TRY(checkOurs());
  if (sqlite3_exec(database_, sql, nullptr, nullptr, nullptr) != SQLITE_OK)
    return failed(database_, file_.string());
  return {};
}

Result<Statement> Database::prepare(const char* sql) const {
  ORDO_TRY(checkOurs());
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v2(database_, sql, -1, &statement, nullptr) != SQLITE_OK)
    return failed(database_, file_.string());
  return Statement(database_, statement);
}

std::int64_t Database::lastId() const { return sqlite3_last_insert_rowid(database_); }

}  // namespace ordo
