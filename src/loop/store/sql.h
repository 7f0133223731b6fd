// What a store asks of a database: an SQLite file, or PostgreSQL. Statements are written in what both
// understand, with parameters $1, $2, … that appear first in that order; words in which they differ are
// names().
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "support/error.h"

namespace ordo::loop {

// What is bound to a parameter; nothing is NULL. Bytes of a text that are no UTF-8 may come back as others.
using Parameter = std::variant<std::string, std::int64_t, std::optional<double>>;

// What came of a statement, row by row. Columns count from 0. It must not outlive its Sql, and is read before
// the next statement of that is run.
class Rows {
 public:
  virtual ~Rows() = default;
  // To the next; false if there is none.
  virtual Result<bool> next() = 0;
  virtual std::string text(int column) const = 0;  // "" for NULL
  virtual std::int64_t integer(int column) const = 0;
  virtual double number(int column) const = 0;
};

// One connection. One thread at a time.
class Sql {
 public:
  virtual ~Sql() = default;

  // Who this is, for people: never with a password.
  virtual std::string where() const = 0;
  // Statements without parameters.
  virtual Status script(const std::string& statements) = 0;
  virtual Result<std::unique_ptr<Rows>> ask(const std::string& statement,
                                            const std::vector<Parameter>& with = {}) const = 0;
  // Tables that are there.
  virtual Result<std::set<std::string>> tables() const = 0;

  struct Names {
    const char* real;    // type of a number of 64 bits
    const char* serial;  // type of a key that counts rows
    const char* keyed;   // behind a table that is kept by its key
  };
  virtual Names names() const = 0;

  // Asks for what answers nothing.
  Status run(const std::string& statement, const std::vector<Parameter>& with = {}) const;
  // Does what `change` does, if that goes well, or else nothing. Meanwhile nobody else is in here, while
  // others read; it waits some seconds for who is.
  template <typename Change>
  Status transact(Change change) {
    ORDO_TRY(begin());
    Status done = change();
    if (done) done = end("COMMIT");
    if (!done) static_cast<void>(end("ROLLBACK"));
    return done;
  }

 private:
  // If it fails, nothing was begun.
  virtual Status begin() = 0;
  virtual Status end(const char* how) = 0;
};

// "postgresql://…" and "postgres://…" are PostgreSQL's (postgres.h), all else is a file of SQLite's, which
// has to be there unless `create`. kNotFound, kCorrupt if it is no database, else kUnavailable.
Result<std::unique_ptr<Sql>> openSql(const std::string& where, bool create);

}  // namespace ordo::loop
