#include "loop/store/store.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <optional>
#include <thread>

#include "support/files.h"
#include "tests/fakes/store_places.h"

namespace ordo::loop {
namespace {

Experiment some(const std::string& id = "abc") {
  return {.id = id, .candidate = "fast", .probability = 0.25, .policy = "p1", .created_s = 5, .changed_s = 5};
}

class LoopStoreTest : public fakes::StorePlaces {
 protected:
  void SetUp() override {
    StorePlaces::SetUp();
    if (IsSkipped()) return;
    place_ = place();
    Result<Store> store = Store::open(place_, true);
    ASSERT_TRUE(store) << store.error().message;
    store_.emplace(std::move(*store));
    ASSERT_TRUE(store_->lease("me", 0, 1000));
  }

  std::string place_;
  std::optional<Store> store_;
};

INSTANTIATE_TEST_SUITE_P(In, LoopStoreTest, testing::Values("Sqlite", "Postgres"), fakes::nameOf);

TEST_P(LoopStoreTest, KeepsAnExperimentAndItsSteps) {
  Experiment experiment = some();
  ASSERT_TRUE(store_->add("me", experiment));
  experiment.state = State::kBuilt;
  experiment.artifact = "/a";
  experiment.staged = 0.1;
  experiment.staged_error = 0.01;
  experiment.cause = "because";
  ASSERT_TRUE(store_->advance("me", State::kProposed, experiment, 7));
  const Experiment read = **store_->current();
  EXPECT_EQ(read.state, State::kBuilt);
  EXPECT_EQ(read.artifact, "/a");
  EXPECT_EQ(read.staged, 0.1);
  EXPECT_EQ(read.changed_s, 7);
  EXPECT_FALSE(read.outcome);
  const std::vector<Transition> steps = *store_->transitions("abc");
  ASSERT_EQ(steps.size(), 1u);
  EXPECT_EQ(steps[0].cause, "because");
}

TEST_P(LoopStoreTest, ASecondControllerIsRefusedUntilTheLeaseHasRunOut) {
  Store other = *Store::open(place_);
  EXPECT_EQ(other.lease("other", 500, 10).error().code, ErrorCode::kUnavailable);
  EXPECT_FALSE(other.add("other", some()));
  ASSERT_TRUE(other.lease("other", 1001, 10));
  EXPECT_FALSE(store_->add("me", some())) << "who has lost the lease writes nothing";
  EXPECT_FALSE(store_->lease("me", 1002, 10));
  ASSERT_TRUE(other.release("other"));
  EXPECT_TRUE(store_->lease("me", 1002, 10));
}

TEST_P(LoopStoreTest, ATransitionFromAnotherStateIsRefused) {
  Experiment experiment = some();
  ASSERT_TRUE(store_->add("me", experiment));
  experiment.state = State::kRamp;
  EXPECT_FALSE(store_->advance("me", State::kWarmup, experiment, 7));
  EXPECT_TRUE(store_->transitions("abc")->empty());
  EXPECT_EQ((**store_->current()).state, State::kProposed);
}

TEST_P(LoopStoreTest, OnlyOneIsOpen) {
  ASSERT_TRUE(store_->add("me", some("one")));
  EXPECT_FALSE(store_->add("me", some("two")));
}

TEST_P(LoopStoreTest, AWindowIsThereOnce) {
  ASSERT_TRUE(store_->add("me", some()));
  Window window{.begin_s = 1, .end_s = 2, .gap = "none"};
  ASSERT_TRUE(store_->addWindow("me", "abc", window));
  window.gap = "other";
  ASSERT_TRUE(store_->addWindow("me", "abc", window));
  ASSERT_EQ(store_->windows("abc")->size(), 1u);
  EXPECT_EQ(store_->windows("abc")->front().gap, "none");
}

TEST_P(LoopStoreTest, ARewardIsThereOnceWhoeverComputesIt) {
  Experiment experiment = some();
  ASSERT_TRUE(store_->add("me", experiment));
  experiment.outcome = Outcome::kRejected;
  experiment.state = State::kEnded;
  ASSERT_TRUE(store_->advance("me", State::kProposed, experiment, 7));
  Reward reward;
  reward.verdict = Verdict::kReject;
  reward.value = -0.1;
  reward.error = 0.01;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&, i] {
      Result<Store> other = Store::open(place_);
      Reward mine = reward;
      mine.value = -0.1 - 0.01 * i;
      for (int again = 0; again < 5; ++again)
        EXPECT_TRUE(other && other->addReward("me", "abc", mine, false, 8));
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(store_->rewards()->size(), 1u);
}

TEST_P(LoopStoreTest, ARewardThatIsNoneIsRefused) {
  ASSERT_TRUE(store_->add("me", some()));
  for (const double value : {std::nan(""), std::numeric_limits<double>::infinity(), 1e9, -2.0}) {
    Reward reward;
    reward.value = value;
    reward.error = 0.1;
    EXPECT_FALSE(store_->addReward("me", "abc", reward, false, 8)) << value;
    reward.value = 0;
    reward.error = std::abs(value) > 1e8 || std::isnan(value) ? value : -1;
    EXPECT_FALSE(store_->addReward("me", "abc", reward, false, 8)) << value;
  }
  // By other hands, too.
  const auto other = hands(place_);
  EXPECT_FALSE(other->run("INSERT INTO reward VALUES ('abc', 1e9, 0.1, 0, 'promote', '', '', '', 0)"));
  EXPECT_FALSE(other->run("INSERT INTO reward VALUES ('abc', 0.1, NULL, 0, 'promote', '', '', '', 0)"));
  EXPECT_FALSE(other->run("INSERT INTO spending VALUES (1, 10, 11)"));
  EXPECT_TRUE(store_->rewards()->empty());
}

TEST_P(LoopStoreTest, WhatOthersWroteIsNotBelieved) {
  ASSERT_TRUE(store_->add("me", some()));
  const auto other = hands(place_);
  ASSERT_TRUE(other->run("INSERT INTO \"window\" VALUES ('abc', 1, '{\"begin\": 1}')"));
  EXPECT_EQ(store_->windows("abc").error().code, ErrorCode::kCorrupt);
  ASSERT_TRUE(other->run("UPDATE experiment SET state = 'flying'"));
  EXPECT_EQ(store_->current().error().code, ErrorCode::kCorrupt);
}

TEST_P(LoopStoreTest, RemembersWhatPeopleWish) {
  EXPECT_EQ(*store_->wish(), Wish::kRun);
  ASSERT_TRUE(store_->setWish(Wish::kPause));
  EXPECT_EQ(*Store::open(place_)->wish(), Wish::kPause);
  ASSERT_TRUE(store_->setMode("me", Mode::kExploit));
  EXPECT_EQ(*store_->mode(), Mode::kExploit);
  ASSERT_TRUE(store_->spend("me", {10, 100, 1}));
  EXPECT_EQ(store_->spending(9)->size(), 1u);
  EXPECT_EQ(store_->spending(10)->size(), 0u);
}

// People wish while a controller does what they wished before.
TEST_P(LoopStoreTest, AWishThatWasGrantedDoesNotTakeALaterOneWithIt) {
  ASSERT_TRUE(store_->setWish(Wish::kAbort));
  ASSERT_TRUE(Store::open(place_)->setWish(Wish::kPause));
  ASSERT_TRUE(store_->grant(Wish::kAbort));
  EXPECT_EQ(*store_->wish(), Wish::kPause);
  ASSERT_TRUE(store_->setWish(Wish::kAbort));
  EXPECT_EQ(*store_->wish(), Wish::kPause) << "who aborts does not resume";
  ASSERT_TRUE(store_->setWish(Wish::kRun));
  ASSERT_TRUE(store_->setWish(Wish::kAbort));
  ASSERT_TRUE(store_->grant(Wish::kAbort));
  EXPECT_EQ(*store_->wish(), Wish::kRun);
}

TEST_P(LoopStoreTest, ForgivesWhatCameOfACandidateUntilThen) {
  Experiment experiment = some();
  ASSERT_TRUE(store_->add("me", experiment));
  experiment.outcome = Outcome::kRolledBack;
  experiment.state = State::kEnded;
  ASSERT_TRUE(store_->advance("me", State::kProposed, experiment, 7));
  Reward reward;
  reward.verdict = Verdict::kReject;
  reward.value = -0.69;
  reward.error = 0.1;
  ASSERT_TRUE(store_->addReward("me", "abc", reward, true, 8));
  EXPECT_FALSE(store_->rewards()->front().forgiven);
  ASSERT_TRUE(store_->forgive("slow", 9));
  ASSERT_TRUE(store_->forgive("fast", 7));
  EXPECT_FALSE(store_->rewards()->front().forgiven);
  ASSERT_TRUE(store_->forgive("fast", 9));
  EXPECT_TRUE(store_->rewards()->front().forgiven);
  EXPECT_TRUE(store_->rewards()->front().censored) << "what happened stays";
}

TEST_P(LoopStoreTest, SaysWhetherAnotherHasTheLease) {
  EXPECT_FALSE(*store_->leasedToAnother("me", 500));
  EXPECT_TRUE(*store_->leasedToAnother("other", 500));
  EXPECT_FALSE(*store_->leasedToAnother("other", 1500)) << "it has run out";
  ASSERT_TRUE(store_->release("me"));
  EXPECT_FALSE(*store_->leasedToAnother("other", 500));
}

// `ordo loop status` while a controller is in the middle of a step.
TEST_P(LoopStoreTest, WhoLooksDoesNotWaitForWhoWrites) {
  ASSERT_TRUE(store_->add("me", some()));
  const auto writes = hands(place_);
  ASSERT_TRUE(writes->transact([&]() -> Status {
    const Result<Store> other = Store::open(place_);
    EXPECT_TRUE(other) << other.error().message;
    EXPECT_EQ((**other->current()).id, "abc");
    return {};
  }));
}

TEST_P(LoopStoreTest, OfManyControllersOneGetsTheLease) {
  ASSERT_TRUE(store_->release("me"));
  std::atomic<int> got = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      Result<Store> other = Store::open(place_);
      if (other && other->lease(fmt::format("controller {}", i), 5, 10)) ++got;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(got, 1);
}

TEST_P(LoopStoreTest, OfManyWhoMakeItNoneFails) {
  const std::string where = place("other.sqlite");
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&] {
      const Result<Store> store = Store::open(where, true);
      EXPECT_TRUE(store) << store.error().message;
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(*Store::open(where)->production(), "");
}

TEST_P(LoopStoreTest, OtherTablesAreNamed) {
  const std::string where = place("other.sqlite");
  EXPECT_EQ(Store::open(where).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(hands(where)->run("CREATE TABLE run (x INTEGER)"));
  EXPECT_EQ(Store::open(where, true).error().code, ErrorCode::kCorrupt);
  ASSERT_TRUE(hands(place_)->run("UPDATE meta SET value = '2' WHERE key = 'format'"));
  EXPECT_EQ(Store::open(place_).error().code, ErrorCode::kUnsupported);
}

class LoopStoreFileTest : public testing::Test {
 protected:
  void SetUp() override { ASSERT_TRUE(store_.lease("me", 0, 1000)); }

  TempDir dir_ = *TempDir::create();
  std::filesystem::path file_ = dir_.path() / "loop.sqlite";
  Store store_ = *Store::open(file_, true);
};

// A limit of file size is a full disk.
TEST_F(LoopStoreFileTest, AFullDiskIsAnErrorAndNothingIsHalfThere) {
  ASSERT_TRUE(store_.add("me", some()));
  ::signal(SIGXFSZ, SIG_IGN);
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const rlimit full{.rlim_cur = 512, .rlim_max = before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &full), 0);
  Experiment next = some();
  next.state = State::kBuilt;
  const Status written = store_.advance("me", State::kProposed, next, 7);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_FALSE(written);
  EXPECT_EQ((**store_.current()).state, State::kProposed);
  EXPECT_TRUE(store_.transitions("abc")->empty());
  EXPECT_TRUE(store_.advance("me", State::kProposed, next, 8)) << "there is room again";
}

// What a power cut leaves of the last write.
TEST_F(LoopStoreFileTest, ATornWriteIsAStepThatWasNotMade) {
  ASSERT_TRUE(store_.add("me", some()));
  Experiment next = some();
  next.state = State::kBuilt;
  ASSERT_TRUE(store_.advance("me", State::kProposed, next, 7));
  const std::filesystem::path copy = dir_.path() / "copy.sqlite", log = dir_.path() / "copy.sqlite-wal";
  std::filesystem::copy_file(file_, copy);
  std::filesystem::copy_file(file_.string() + "-wal", log);
  std::filesystem::resize_file(log, std::filesystem::file_size(log) - 100);
  const Store torn = *Store::open(copy);
  EXPECT_EQ((**torn.current()).state, State::kProposed);
  EXPECT_TRUE(torn.transitions("abc")->empty());
}

// What it was is gone: to begin anew without a word would forget who is barred.
TEST_F(LoopStoreFileTest, OneThatWasEmptiedIsRefused) {
  ASSERT_TRUE(writeFile(dir_.path() / "emptied", ""));
  for (const bool create : {false, true}) {
    const Result<Store> store = Store::open(dir_.path() / "emptied", create);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, ErrorCode::kCorrupt);
    EXPECT_NE(store.error().message.find("it is empty"), std::string::npos);
  }
}

TEST_F(LoopStoreFileTest, OtherFilesAreNamed) {
  EXPECT_EQ(Store::open(dir_.path() / "absent").error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(writeFile(dir_.path() / "text", std::string(5000, 'x')));
  EXPECT_EQ(Store::open(dir_.path() / "text").error().code, ErrorCode::kCorrupt);
}

}  // namespace
}  // namespace ordo::loop
