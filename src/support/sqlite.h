// A thin hold on SQLite: a connection and its statements close themselves, and errors are values.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace ordo {

// A prepared statement. Columns and parameters count from 0. It must not outlive its Database.
class Statement {
 public:
  Statement(Statement&& other) noexcept;
  Statement& operator=(Statement&&) = delete;
  ~Statement();

  Statement& bind(std::string_view text);
  // Bytes that are no text. They must outlive the run.
  Statement& bindBytes(std::string_view bytes);
  Statement& bind(double value);
  Statement& bind(std::int64_t value);
  Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }
  Statement& bind(std::optional<double> value);

  // Whether there is another row.
  Result<bool> row();
  // Runs it to its end and makes it ready to be bound anew.
  Status run();

  std::string text(int column) const;
  std::string bytes(int column) const;
  std::int64_t integer(int column) const;
  double number(int column) const;

 private:
  friend class Database;
  Statement(sqlite3* database, sqlite3_stmt* statement) : database_(database), statement_(statement) {}
  sqlite3* database_;
  sqlite3_stmt* statement_;
  int next_ = 1;  // parameter to be bound
};

// One connection. One thread at a time. In a process that was forked from the one that opened it, it is of no
// use and is not closed, because SQLite's connections do not survive that.
class Database {
 public:
  enum class Access { kRead, kWrite };

  // kNotFound if there is nothing to read, kCorrupt if it is no database, else kUnavailable.
  static Result<Database> open(const std::filesystem::path& file, Access access);
  Database(Database&& other) noexcept
      : file_(std::move(other.file_)),
        database_(std::exchange(other.database_, nullptr)),
        owner_(other.owner_) {}
  Database& operator=(Database&&) = delete;
  ~Database();

  // Prepares the file for several processes that read and write at once (write-ahead log).
  Status share();
  // Runs statements without parameters.
  Status run(const char* sql);
  Result<Statement> prepare(const char* sql) const;
  std::int64_t lastId() const;

 private:
  Database(std::filesystem::path file, sqlite3* database);
  Status checkOurs() const;

  std::filesystem::path file_;
  sqlite3* database_;
  int owner_;  // the process
};

}  // namespace ordo
