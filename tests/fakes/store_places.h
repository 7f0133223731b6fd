// Where stores of tests lie: a file of SQLite's, and a schema of PostgreSQL's. Suites of LoopStorePlaces run
// in both; without a PostgreSQL, they say why and pass.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "loop/store/sql.h"
#include "support/files.h"
#include "tests/fakes/postgres_server.h"

namespace ordo::fakes {

class StorePlaces : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "Sqlite") return;
    if (!PostgresServer::get().missing().empty()) GTEST_SKIP() << PostgresServer::get().missing();
  }

  // One that is not there yet.
  std::string place(const std::string& name = "loop.sqlite") {
    return GetParam() == "Sqlite" ? (dir_.path() / name).string() : PostgresServer::get().fresh();
  }
  // A connection of other hands.
  static std::unique_ptr<loop::Sql> hands(const std::string& place) {
    Result<std::unique_ptr<loop::Sql>> sql = loop::openSql(place, true);
    EXPECT_TRUE(sql) << sql.error().message;
    return sql ? std::move(*sql) : nullptr;
  }

  TempDir dir_ = *TempDir::create();
};

inline std::string nameOf(const testing::TestParamInfo<std::string>& info) { return info.param; }

}  // namespace ordo::fakes
