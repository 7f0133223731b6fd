#include "loop/store/sql.h"

#include <chrono>
#include <filesystem>
#include <thread>

#include "loop/store/postgres.h"
#include "support/sqlite.h"

namespace ordo::loop {
namespace {

class SqliteRows final : public Rows {
 public:
  explicit SqliteRows(Statement statement) : statement_(std::move(statement)) {}

  Result<bool> next() override { return statement_.row(); }
  std::string text(int column) const override { return statement_.text(column); }
  std::int64_t integer(int column) const override { return statement_.integer(column); }
  double number(int column) const override { return statement_.number(column); }

 private:
  Statement statement_;
};

class Sqlite final : public Sql {
 public:
  Sqlite(Database database, std::string where) : database_(std::move(database)), where_(std::move(where)) {}

  std::string where() const override { return where_; }
  Status script(const std::string& statements) override { return database_.run(statements.c_str()); }
  Result<std::unique_ptr<Rows>> ask(const std::string& statement,
                                    const std::vector<Parameter>& with) const override {
    ORDO_TRY_ASSIGN(Statement prepared, database_.prepare(statement.c_str()));
    for (const Parameter& parameter : with)
      std::visit([&](const auto& value) { prepared.bind(value); }, parameter);
    return std::make_unique<SqliteRows>(std::move(prepared));
  }
  Result<std::set<std::string>> tables() const override {
    ORDO_TRY_ASSIGN(const auto rows,
                    ask("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", {}));
    std::set<std::string> all;
    for (;;) {
      ORDO_TRY_ASSIGN(const bool more, rows->next());
      if (!more) return all;
      all.insert(rows->text(0));
    }
  }
  Names names() const override { return {"REAL", "INTEGER", " WITHOUT ROWID"}; }

 private:
  Status begin() override { return database_.run("BEGIN IMMEDIATE"); }
  Status end(const char* how) override { return database_.run(how); }

  Database database_;
  std::string where_;
};

// Whether a file is there with nothing in it, and stays so: SQLite begins with that when it makes one, for a
// moment. Making a new store of it would forget, without a word, what is barred and what production is.
bool isEmptied(const std::string& file) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  std::error_code error;
  while (std::filesystem::file_size(file, error) == 0 && !error) {
    if (std::chrono::steady_clock::now() > until) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

}  // namespace

Status Sql::run(const std::string& statement, const std::vector<Parameter>& with) const {
  ORDO_TRY_ASSIGN(const auto rows, ask(statement, with));
  for (bool more = true; more;) {
    ORDO_TRY_ASSIGN(more, rows->next());
  }
  return {};
}

Result<std::unique_ptr<Sql>> openSql(const std::string& where, bool create) {
  if (isPostgres(where)) return openPostgres(where);
  std::error_code ignored;
  if (!create && !std::filesystem::exists(where, ignored))
    return fail(ErrorCode::kNotFound, "there is no store {}; 'ordo loop run' makes it", where);
  if (isEmptied(where))
    return fail(
        ErrorCode::kCorrupt,
        "{} is damaged: it is empty; put a copy of it back, or remove it to begin anew, without what was "
        "learned and barred",
        where);
  ORDO_TRY_ASSIGN(Database database, Database::open(where, Database::Access::kWrite));
  ORDO_TRY(database.share());
  // kill -9 loses nothing; what a power cut takes of the last steps is done again by who begins next.
  ORDO_TRY(database.run("PRAGMA synchronous = NORMAL"));
  ORDO_TRY(database.run("PRAGMA foreign_keys = ON"));
  return std::make_unique<Sqlite>(std::move(database), where);
}

}  // namespace ordo::loop
