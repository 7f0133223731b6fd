#include "loop/store/postgres.h"

#include <gtest/gtest.h>

#include "loop/store/store.h"
#include "tests/fakes/postgres_server.h"

namespace ordo::loop {
namespace {

TEST(LoopPostgresAddressTest, IsToldFromAFile) {
  EXPECT_TRUE(isPostgres("postgresql://shop@db1/loops"));
  EXPECT_TRUE(isPostgres("postgres:///loops"));
  for (const char* const file : {"loop.sqlite", "/a/postgresql", "postgresql", "host=db1", ":memory:", ""})
    EXPECT_FALSE(isPostgres(file)) << file;
}

// Nothing of an address is said, lest a password that somebody put there is.
TEST(LoopPostgresAddressTest, APasswordIsRefusedAndNeverSaid) {
  for (const char* const address :
       {"postgresql://shop:hunter2@127.0.0.1:1/loops", "postgresql://shop@127.0.0.1:1/loops?password=hunter2",
        "postgresql://shop@127.0.0.1:1/loops?sslpassword=hunter2", "postgresql://shop:hunter2@[::1/loops",
        "postgresql://127.0.0.1:hunter2/loops", "postgresql://shop:1/hunter2@127.0.0.1/loops",
        "postgresql://shop@127.0.0.1:1/loops?hunter2=1"}) {
    const auto sql = openPostgres(address);
    ASSERT_FALSE(sql) << address;
    EXPECT_EQ(sql.error().message.find("hunter2"), std::string::npos) << sql.error().message;
    if (sql.error().code == ErrorCode::kUnsupported) GTEST_SKIP() << sql.error().message;
    EXPECT_EQ(sql.error().code, ErrorCode::kInvalidArgument) << address;
  }
}

TEST(LoopPostgresAddressTest, NobodyThereIsSaid) {
  const auto sql = openPostgres("postgresql:///loops?host=/proc/nonexistent");
  ASSERT_FALSE(sql);
  if (sql.error().code == ErrorCode::kUnsupported) GTEST_SKIP() << sql.error().message;
  EXPECT_EQ(sql.error().code, ErrorCode::kUnavailable);
  EXPECT_NE(sql.error().message.find("/proc/nonexistent"), std::string::npos) << sql.error().message;
}

class LoopPostgresTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!server_.missing().empty()) GTEST_SKIP() << server_.missing();
    address_ = server_.fresh();
    store_.emplace(*Store::open(address_, true));
    ASSERT_TRUE(store_->lease("me", 0, 1000));
  }
  // Ends all connections but the one that says it.
  void cut() {
    ASSERT_TRUE(
        server_.run("SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"));
  }

  fakes::PostgresServer& server_ = fakes::PostgresServer::get();
  std::string address_;
  std::optional<Store> store_;
};

TEST_F(LoopPostgresTest, AConnectionThatWasLostIsMadeAnew) {
  cut();
  EXPECT_FALSE(store_->setMode("me", Mode::kExploit)) << "nobody knows what came of it";
  ASSERT_TRUE(store_->setMode("me", Mode::kExploit));
  EXPECT_EQ(*store_->mode(), Mode::kExploit);
}

TEST_F(LoopPostgresTest, WithoutAServerItIsAnErrorUntilThereIsOne) {
  server_.stop();
  EXPECT_EQ(store_->mode().error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(store_->setWish(Wish::kPause).error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(Store::open(address_).error().code, ErrorCode::kUnavailable);
  server_.start();
  ASSERT_EQ(server_.missing(), "");
  EXPECT_EQ(*store_->wish(), Wish::kRun);
  EXPECT_TRUE(store_->add("me", {.id = "abc", .candidate = "fast"}));
}

TEST_F(LoopPostgresTest, AChangeThatIsCutOffIsNotThere) {
  const auto sql = *openPostgres(address_);
  EXPECT_FALSE(sql->transact([&]() -> Status {
    ORDO_TRY(sql->run("INSERT INTO meta VALUES ('a', 'b')"));
    cut();
    static_cast<void>(sql->run("SELECT 1"));  // finds out
    return sql->run("INSERT INTO meta VALUES ('c', 'd')");
  }));
  const auto rows = *sql->ask("SELECT count(*) FROM meta WHERE key IN ('a', 'c')");
  ASSERT_TRUE(*rows->next());
  EXPECT_EQ(rows->integer(0), 0);
}

// Messages of compilers may have any bytes.
TEST_F(LoopPostgresTest, BytesThatAreNoTextAreReplaced) {
  Experiment experiment{.id = "abc", .candidate = "fast"};
  experiment.cause = std::string("a\0b\xff", 4);
  ASSERT_TRUE(store_->add("me", experiment));
  EXPECT_EQ((**store_->current()).cause, "ab\xef\xbf\xbd");
}

TEST_F(LoopPostgresTest, SchemasAreStoresOfTheirOwn) {
  Store other = *Store::open(server_.fresh(), true);
  EXPECT_TRUE(other.lease("other", 0, 10));
  EXPECT_TRUE(other.add("other", {.id = "abc", .candidate = "fast"}));
  EXPECT_FALSE(*store_->current());
}

}  // namespace
}  // namespace ordo::loop
