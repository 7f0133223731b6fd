#include "loop/store/sql.h"

#include "tests/fakes/store_places.h"

namespace ordo::loop {
namespace {

class LoopSqlTest : public fakes::StorePlaces {
 protected:
  void SetUp() override {
    StorePlaces::SetUp();
    if (IsSkipped()) return;
    place_ = place();
    sql_ = hands(place_);
    ASSERT_TRUE(
        sql_->script(fmt::format("CREATE TABLE one (name TEXT PRIMARY KEY, size {} CHECK (size < 10));"
                                 "CREATE TABLE two (number INTEGER)",
                                 sql_->names().real)));
  }
  std::int64_t count() {
    const auto rows = *sql_->ask("SELECT count(*) FROM one");
    EXPECT_TRUE(*rows->next());
    return rows->integer(0);
  }

  std::string place_;
  std::unique_ptr<Sql> sql_;
};

INSTANTIATE_TEST_SUITE_P(In, LoopSqlTest, testing::Values("Sqlite", "Postgres"), fakes::nameOf);

TEST_P(LoopSqlTest, WhatIsWrittenIsRead) {
  const std::string odd = "'; DROP TABLE one; -- \\ \"$1\" \xc3\xa9\n";
  ASSERT_TRUE(sql_->run("INSERT INTO one VALUES ($1, $2)", {odd, 0.1}));
  ASSERT_TRUE(sql_->run("INSERT INTO one VALUES ($1, $2)", {"none", std::optional<double>()}));
  ASSERT_TRUE(sql_->run("INSERT INTO two VALUES ($1)", {std::int64_t{-7}}));
  const auto rows = *sql_->ask(
      "SELECT name, size, number FROM one, two WHERE name = $1 OR size IS NULL"
      " ORDER BY CASE WHEN size IS NULL THEN 1 ELSE 0 END",
      {odd});
  ASSERT_TRUE(*rows->next());
  EXPECT_EQ(rows->text(0), odd);
  EXPECT_EQ(rows->number(1), 0.1);
  EXPECT_EQ(rows->integer(2), -7);
  ASSERT_TRUE(*rows->next());
  EXPECT_EQ(rows->text(1), "");
  EXPECT_FALSE(*rows->next());
  EXPECT_EQ(*sql_->tables(), (std::set<std::string>{"one", "two"})) << sql_->where();
}

TEST_P(LoopSqlTest, NumbersComeBackBitForBit) {
  for (const double value : {1.0 / 3, -5e-324, 1764244000.1234567, -1.7976931348623157e308}) {
    ASSERT_TRUE(sql_->run("DELETE FROM one"));
    ASSERT_TRUE(sql_->run("INSERT INTO one VALUES ('x', $1)", {-std::abs(value)}));
    const auto rows = *sql_->ask("SELECT size FROM one");
    ASSERT_TRUE(*rows->next());
    EXPECT_EQ(rows->number(0), -std::abs(value));
  }
}

TEST_P(LoopSqlTest, AChangeIsThereWholeOrNotAtAll) {
  EXPECT_FALSE(sql_->transact([&]() -> Status {
    ORDO_TRY(sql_->run("INSERT INTO one VALUES ('a', 1)"));
    return sql_->run("INSERT INTO one VALUES ('b', 11)");
  }));
  EXPECT_EQ(count(), 0);
  EXPECT_FALSE(sql_->transact([&]() -> Status {
    ORDO_TRY(sql_->run("INSERT INTO one VALUES ('a', 1)"));
    return fail(ErrorCode::kInternal, "of another mind");
  }));
  EXPECT_EQ(count(), 0);
  EXPECT_TRUE(sql_->transact([&] { return sql_->run("INSERT INTO one VALUES ('a', 1)"); }));
  EXPECT_EQ(count(), 1);
}

TEST_P(LoopSqlTest, AMistakeIsAnErrorAndNoMore) {
  EXPECT_FALSE(sql_->run("INSERT INTO nothing VALUES (1)"));
  EXPECT_FALSE(sql_->ask("SELECT FROM WHERE"));
  EXPECT_FALSE(sql_->script("CREATE TABLE one (x INTEGER)"));
  EXPECT_TRUE(sql_->run("INSERT INTO one VALUES ('a', 1)"));
}

// Each adds one to what it has read: none is lost, because nobody is in between.
TEST_P(LoopSqlTest, NobodyElseIsWithinATransaction) {
  ASSERT_TRUE(sql_->run("INSERT INTO two VALUES (0)"));
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      const auto mine = hands(place_);
      for (int again = 0; again < 25; ++again) {
        const Status done = mine->transact([&]() -> Status {
          std::int64_t seen = 0;
          {
            ORDO_TRY_ASSIGN(const auto rows, mine->ask("SELECT number FROM two"));
            ORDO_TRY(rows->next());
            seen = rows->integer(0);
          }
          return mine->run("UPDATE two SET number = $1", {seen + 1});
        });
        EXPECT_TRUE(done) << done.error().message;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  const auto rows = *sql_->ask("SELECT number FROM two");
  ASSERT_TRUE(*rows->next());
  EXPECT_EQ(rows->integer(0), 100);
}

}  // namespace
}  // namespace ordo::loop
