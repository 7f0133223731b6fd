#include "support/sqlite.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/files.h"

namespace ordo {
namespace {

TEST(SqliteTest, BytesAreNoText) {
  const TempDir dir = *TempDir::create();
  Database database = *Database::open(dir.path() / "d", Database::Access::kWrite);
  ASSERT_TRUE(database.run("CREATE TABLE t (a BLOB)"));
  const std::string bytes("a\0\xff", 3);
  ASSERT_TRUE(database.prepare("INSERT INTO t VALUES (?)")->bindBytes(bytes).run());
  Statement select = *database.prepare("SELECT a FROM t");
  ASSERT_TRUE(*select.row());
  EXPECT_EQ(select.bytes(0), bytes);
}

TEST(SqliteTest, ManyProcessesCanBeTheFirstToShareAFile) {
  const TempDir dir = *TempDir::create();
  for (int round = 0; round < 20; ++round) {
    const std::filesystem::path file = dir.path() / std::to_string(round);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      Result<Database> database = Database::open(file, Database::Access::kWrite);
      ::_exit(database && database->share() && database->run("CREATE TABLE IF NOT EXISTS t (a)") ? 0 : 1);
    }
    for (const pid_t child : children) {
      int status = 1;
      ::waitpid(child, &status, 0);
      EXPECT_EQ(status, 0);
    }
  }
}

TEST(SqliteTest, WhatIsWrittenIsRead) {
  const TempDir dir = *TempDir::create();
  {
    Database database = *Database::open(dir.path() / "d", Database::Access::kWrite);
    ASSERT_TRUE(database.run("CREATE TABLE t (a TEXT, b INTEGER, c REAL)"));
    Statement insert = *database.prepare("INSERT INTO t VALUES (?, ?, ?)");
    ASSERT_TRUE(insert.bind("one").bind(std::int64_t{1}).bind(0.5).run());
    ASSERT_TRUE(insert.bind("two").bind(std::uint64_t{2}).bind(std::optional<double>()).run());
    EXPECT_EQ(database.lastId(), 2);
  }
  Database database = *Database::open(dir.path() / "d", Database::Access::kRead);
  Statement select = *database.prepare("SELECT a, b, c FROM t ORDER BY b");
  ASSERT_TRUE(*select.row());
  EXPECT_EQ(select.text(0), "one");
  EXPECT_EQ(select.integer(1), 1);
  EXPECT_EQ(select.number(2), 0.5);
  ASSERT_TRUE(*select.row());
  EXPECT_EQ(select.text(2), "");
  EXPECT_FALSE(*select.row());
  EXPECT_FALSE(database.run("INSERT INTO t VALUES (1, 2, 3)"));
}

TEST(SqliteTest, AStatementThatDoesNotFitIsNoCorruption) {
  const TempDir dir = *TempDir::create();
  Database database = *Database::open(dir.path() / "d", Database::Access::kWrite);
  EXPECT_EQ(database.prepare("SELECT a FROM nothing").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(database.run("no statement at all").error().code, ErrorCode::kUnavailable);
}

TEST(SqliteTest, ErrorsSayWhichFile) {
  const TempDir dir = *TempDir::create();
  EXPECT_EQ(Database::open(dir.path() / "no", Database::Access::kRead).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(writeFile(dir.path() / "text", std::string(2000, 'x')));
  const auto text = Database::open(dir.path() / "text", Database::Access::kRead);
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code, ErrorCode::kCorrupt);
  EXPECT_NE(text.error().message.find("text"), std::string::npos);
}

}  // namespace
}  // namespace ordo
