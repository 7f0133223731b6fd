#include "env/isolated_session.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>

#include "support/rng.h"
#include "tests/unit/env/toy_worker.h"

namespace ordo::env {
namespace {

using Actions = std::vector<ActionIndex>;

// Indices into the actions of spec().
enum : ActionIndex {
  kNoop,
  kDec,
  kInc,
  kDecIfEven,
  kHalve,
  kEnable,
  kBreak,
  kExport,
  kReject,
  kCrash,
  kHang,
  kLeak,
  kPoison
};

SessionSpec spec(std::int64_t count = 100) {
  std::vector<std::string> actions = fakes::kToyActions;
  actions.insert(actions.end(), fakes::kToyFailures.begin(), fakes::kToyFailures.end());
  return fakes::toySpec(count, actions);
}

class IsolatedSessionTest : public testing::Test {
 protected:
  std::unique_ptr<IsolatedBackend> makeBackend(std::shared_ptr<CrashLedger> ledger = nullptr,
                                               const sandbox::Limits& limits = toyLimits()) {
    return std::make_unique<IsolatedBackend>(zygote_, limits, std::move(ledger));
  }

  // What a session that never crashed has after `actions`.
  static Hash128 hashAfter(const Actions& actions) {
    fakes::ToyBackend backend;
    const auto session = value(backend.open(spec()));
    EXPECT_EQ(value(session->apply(actions)).applied, actions.size());
    return value(session->stateHash());
  }

  void expectIn(Session& session, const Actions& actions) {
    EXPECT_EQ(Actions(session.history().begin(), session.history().end()), actions);
    EXPECT_EQ(value(session.stateHash()), hashAfter(actions));
  }

  // As `kill -9` from a shell would.
  void killWorkers() {
    for (const int pid : childrenOf(zygote_->pid())) {
      ::kill(pid, SIGKILL);
      EXPECT_TRUE(ends(pid));
    }
  }

  std::shared_ptr<sandbox::Zygote> zygote_ = startToyZygote();
  std::unique_ptr<IsolatedBackend> backend_ = makeBackend();
};

TEST_F(IsolatedSessionTest, DescribesTheBackendInTheWorker) {
  const BackendInfo info = value(backend_->describe());
  EXPECT_EQ(info.name, "toy");
  EXPECT_EQ(info.metrics.size(), 2u);
}

// The same random walk with forks, in this process and in workers.
TEST_F(IsolatedSessionTest, DoesWhatTheSameSessionInProcessDoes) {
  fakes::ToyBackend toy;
  Rng rng(1);
  for (int walk = 0; walk < 20; ++walk) {
    const SessionSpec start = spec(static_cast<std::int64_t>(rng.between(1, 500)));
    std::vector<std::pair<std::unique_ptr<Session>, std::unique_ptr<Session>>> pairs;
    pairs.emplace_back(value(toy.open(start)), value(backend_->open(start)));
    for (int step = 0; step < 60; ++step) {
      const std::size_t which = rng.below(pairs.size());
      auto& [here, there] = pairs[which];
      switch (rng.below(8)) {
        case 0:
          if (pairs.size() < 6) pairs.emplace_back(value(here->fork()), value(there->fork()));
          break;
        case 1:
          if (pairs.size() > 1) pairs.erase(pairs.begin() + static_cast<std::ptrdiff_t>(which));
          break;
        case 2:
          check(here->reset());
          check(there->reset());
          break;
        default: {
          Actions actions(rng.below(6));
          for (ActionIndex& action : actions) action = static_cast<ActionIndex>(rng.below(kReject + 1));
          const StepOutcome expected = value(here->apply(actions));
          const StepOutcome outcome = value(there->apply(actions));
          EXPECT_EQ(outcome.status, expected.status);
          EXPECT_EQ(outcome.applied, expected.applied);
          EXPECT_EQ(outcome.detail, expected.detail);
        }
      }
      for (const auto& [ours, theirs] : pairs) {
        ASSERT_TRUE(std::ranges::equal(ours->history(), theirs->history()));
        ASSERT_EQ(value(ours->stateHash()), value(theirs->stateHash()));
      }
      const auto& [ours, theirs] = pairs.front();
      for (const char* metric : {"count", "cost"}) {
        const Measurement expected = value(ours->measure(metric));
        const Measurement measured = value(theirs->measure(metric));
        EXPECT_EQ(measured.status, expected.status);
        EXPECT_EQ(measured.value, expected.value);
        EXPECT_EQ(measured.detail, expected.detail);
      }
      EXPECT_EQ(value(theirs->verify()).status, value(ours->verify()).status);
      EXPECT_EQ(value(theirs->legalActions()), value(ours->legalActions()));
      EXPECT_EQ(value(theirs->observe("text")).text(), value(ours->observe("text")).text());
      EXPECT_TRUE(std::ranges::equal(value(theirs->observe("counters")).int64s(),
                                     value(ours->observe("counters")).int64s()));
    }
  }
  EXPECT_EQ(backend_->stats().workers_died, 0);
  EXPECT_EQ(backend_->stats().workers_started, 1) << "an idle worker is used again";
}

TEST_F(IsolatedSessionTest, ErrorsOfTheBackendArriveAsTheyAre) {
  SessionSpec bad = spec();
  bad.program = "not a toy";
  const auto refused = backend_->open(bad);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::kCorrupt);
  const auto session = value(backend_->open(spec()));
  EXPECT_EQ(session->observe("nothing").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(session->measure("nothing").error().code, ErrorCode::kNotFound);
}

TEST_F(IsolatedSessionTest, AProgramTooLargeForSharedMemoryIsAnErrorAndNotADeath) {
  SessionSpec large = spec();
  large.program.assign(sandbox::Channel::kCapacity, ' ');
  const auto refused = backend_->open(std::move(large));
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "a request is larger than the shared memory of a worker (255 MiB)");
  EXPECT_EQ(backend_->stats().workers_died, 0);
}

struct Death {
  const char* name;
  ActionIndex action;
  StepStatus status;
};

class DeadlyActionTest : public IsolatedSessionTest, public testing::WithParamInterface<Death> {
 protected:
  void SetUp() override {
    if (GetParam().action == kLeak && kSanitized) {
      GTEST_SKIP() << "sanitizers reserve terabytes of address space, so it is not limited";
    }
  }
};

TEST_P(DeadlyActionTest, IsAnOutcomeAndTheSessionGoesOnAsIfItHadNotBeenAsked) {
  const auto [name, action, status] = GetParam();
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kInc})).ok());
  const StepOutcome outcome = value(session->apply(Actions{kDec, kEnable, action, kInc}));
  EXPECT_EQ(outcome.status, status);
  EXPECT_EQ(outcome.applied, 2u);
  EXPECT_TRUE(outcome.detail.starts_with(fmt::format("{}: ", name))) << outcome.detail;
  expectIn(*session, {kInc, kDec, kEnable});
  EXPECT_TRUE(value(session->apply(Actions{kDec})).ok());
  expectIn(*session, {kInc, kDec, kEnable, kDec});
  EXPECT_EQ(backend_->stats().workers_died, 1);
  EXPECT_EQ(backend_->stats().sessions_rebuilt, 1);
}

TEST_P(DeadlyActionTest, IsMaskedInThatStateAndOnlyThere) {
  const auto [name, action, status] = GetParam();
  const auto session = value(backend_->open(spec()));
  EXPECT_EQ(value(session->legalActions())[action], 1);
  EXPECT_EQ(value(session->apply(Actions{kDec, action})).status, status);
  EXPECT_EQ(value(session->legalActions())[action], 0);
  const auto other = value(backend_->open(spec()));
  EXPECT_EQ(value(other->legalActions())[action], 1);
  const StepOutcome again = value(other->apply(Actions{kDec, action, kInc}));
  EXPECT_EQ(again.status, StepStatus::kRejected);
  EXPECT_EQ(again.applied, 1u);
  expectIn(*other, {kDec});
  EXPECT_EQ(backend_->stats().workers_died, 1);
  EXPECT_EQ(backend_->stats().actions_masked, 1);
  const std::vector<CrashRecord> records = backend_->ledger().records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].state, hashAfter({kDec}));
  EXPECT_EQ(records[0].action, name);
  EXPECT_EQ(records[0].status, status);
  EXPECT_EQ(records[0].program, "toy");
}

INSTANTIATE_TEST_SUITE_P(, DeadlyActionTest,
                         testing::Values(Death{"crash", kCrash, StepStatus::kCrashed},
                                         Death{"hang", kHang, StepStatus::kTimedOut},
                                         Death{"leak", kLeak, StepStatus::kOutOfMemory}),
                         [](const auto& death) { return std::string(death.param.name); });

TEST_F(IsolatedSessionTest, TheMaskIsRememberedInTheFileOfTheLedger) {
  const TempDir folder = value(TempDir::create());
  const std::filesystem::path file = folder.path() / "crashes.sqlite";
  {
    const auto backend = makeBackend(value(CrashLedger::open(file, "toy 1")));
    EXPECT_EQ(value(value(backend->open(spec()))->apply(Actions{kCrash})).status, StepStatus::kCrashed);
  }
  const auto backend = makeBackend(value(CrashLedger::open(file, "toy 1")));
  const auto session = value(backend->open(spec()));
  EXPECT_EQ(value(session->legalActions())[kCrash], 0);
  EXPECT_EQ(value(session->apply(Actions{kCrash})).status, StepStatus::kRejected);
  EXPECT_EQ(backend->stats().workers_died, 0);
}

TEST_F(IsolatedSessionTest, ForksOfTheSameWorkerSurviveItAndShareItsSuccessor) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
  std::vector<std::unique_ptr<Session>> forks;
  for (ActionIndex action : {kInc, kHalve, kEnable}) {
    forks.push_back(value(session->fork()));
    ASSERT_TRUE(value(forks.back()->apply(Actions{action})).ok());
  }
  EXPECT_EQ(value(session->apply(Actions{kCrash})).status, StepStatus::kCrashed);
  expectIn(*session, {kDec});
  expectIn(*forks[0], {kDec, kInc});
  expectIn(*forks[1], {kDec, kHalve});
  expectIn(*forks[2], {kDec, kEnable});
  EXPECT_EQ(backend_->stats().sessions_rebuilt, 4);
  EXPECT_EQ(backend_->stats().workers_started, 2);
}

TEST_F(IsolatedSessionTest, AnObservationOfASessionWithForksIsNotOverwrittenByThem) {
  const auto session = value(backend_->open(spec()));
  const auto fork = value(session->fork());
  ASSERT_TRUE(value(fork->apply(Actions{kInc})).ok());
  const Observation ours = value(session->observe("text"));
  const Observation theirs = value(fork->observe("text"));
  EXPECT_EQ(ours.text(), "toy 100 seed 7");
  EXPECT_EQ(theirs.text(), "toy 101 seed 7");
}

TEST_F(IsolatedSessionTest, AMeasurementThatKillsIsDataAndNotTriedAgain) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kPoison})).ok());
  EXPECT_EQ(value(session->measure("count")).status, StepStatus::kCrashed);
  EXPECT_EQ(value(session->measure("count")).status, StepStatus::kRejected);
  EXPECT_EQ(backend_->stats().workers_died, 1);
  EXPECT_EQ(session->history().size(), 1u);
  check(session->reset());
  EXPECT_EQ(value(session->measure("count")).value, 100);
}

TEST_F(IsolatedSessionTest, ResettingAfterADeathIsTheProgramAsGiven) {
  const auto session = value(backend_->open(spec()));
  EXPECT_EQ(value(session->apply(Actions{kDec, kCrash})).status, StepStatus::kCrashed);
  check(session->reset());
  expectIn(*session, {});
}

TEST_F(IsolatedSessionTest, ResettingASessionWhoseWorkerWasKilledIsTheProgramAsGiven) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
  killWorkers();
  check(session->reset());
  expectIn(*session, {});
}

TEST_F(IsolatedSessionTest, AWorkerKilledFromOutsideIsReplacedAndNobodyBlamed) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec, kInc, kDec})).ok());
  const auto fork = value(session->fork());
  killWorkers();
  EXPECT_TRUE(value(session->apply(Actions{kEnable})).ok());
  expectIn(*session, {kDec, kInc, kDec, kEnable});
  killWorkers();
  EXPECT_EQ(value(fork->measure("count")).value, 99);
  killWorkers();
  const auto grandchild = value(fork->fork());
  expectIn(*grandchild, {kDec, kInc, kDec});
  EXPECT_TRUE(backend_->ledger().empty());
}

TEST_F(IsolatedSessionTest, SessionsWhoseWorkerDiedCanBeDestroyed) {
  auto session = value(backend_->open(spec()));
  auto fork = value(session->fork());
  killWorkers();
  session = nullptr;
  fork = nullptr;
  EXPECT_EQ(value(value(backend_->open(spec()))->measure("count")).value, 100);
}

TEST_F(IsolatedSessionTest, SessionsMayOutliveTheirBackend) {
  const auto session = value(backend_->open(spec()));
  backend_ = nullptr;
  EXPECT_EQ(value(session->apply(Actions{kCrash})).status, StepStatus::kCrashed);
  expectIn(*session, {});
}

TEST_F(IsolatedSessionTest, TheEndOfTheZygoteIsNotTheEndOfItsSessions) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
  const auto fork = value(session->fork());
  for (int round = 0; round < 3; ++round) {
    const std::vector<int> workers = childrenOf(zygote_->pid());
    ::kill(zygote_->pid(), SIGKILL);
    for (const int pid : workers) EXPECT_TRUE(ends(pid));
    ASSERT_TRUE(value(session->apply(Actions{kInc})).ok());
    EXPECT_EQ(value(fork->measure("count")).value, 99);
  }
  expectIn(*session, {kDec, kInc, kInc, kInc});
  EXPECT_EQ(value(value(backend_->open(spec()))->measure("count")).value, 100);
  EXPECT_TRUE(backend_->ledger().empty());
}

TEST_F(IsolatedSessionTest, AnActionDuringWhichItsWorkerIsKilledIsDoneElsewhere) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
  std::thread killer([&] {
    // While it hangs: the watchdog comes after half a second, and the second time it is not disturbed.
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    killWorkers();
  });
  EXPECT_EQ(value(session->apply(Actions{kHang})).status, StepStatus::kTimedOut);
  killer.join();
  expectIn(*session, {kDec});
}

TEST_F(IsolatedSessionTest, WhoKillsEachWorkerStopsUsAndBlamesNoProgram) {
  const auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
  std::atomic<bool> over = false;
  std::thread killer([&] {
    while (!over) {
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      killWorkers();
    }
  });
  const Result<StepOutcome> outcome = session->apply(Actions{kHang});
  over = true;
  killer.join();
  ASSERT_FALSE(outcome) << "a killed worker is no failure of the program";
  EXPECT_EQ(outcome.error().code, ErrorCode::kUnavailable);
  EXPECT_THAT(outcome.error().message, testing::HasSubstr("killed by signal 9"));
  EXPECT_TRUE(backend_->ledger().empty());
  expectIn(*session, {kDec});
}

// As with Python's os.fork() and multiprocessing: both go on from where the parent was.
TEST_F(IsolatedSessionTest, AForkedProcessGoesOnWithItsCopyAndLeavesItsParentsAlone) {
  auto session = value(backend_->open(spec()));
  ASSERT_TRUE(value(session->apply(Actions{kDec, kDec})).ok());
  const std::vector<int> workers = childrenOf(zygote_->pid());
  const pid_t child = ::fork();
  if (child == 0) {
    const bool stepped = value(session->apply(Actions{kDec})).ok();
    const bool right = value(session->measure("count")).value == 97;
    const auto other = value(backend_->open(spec(7)));
    const bool another = value(other->measure("count")).value == 7;
    session = nullptr;
    backend_ = nullptr;
    zygote_ = nullptr;
    ::_exit(stepped && right && another ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(childrenOf(zygote_->pid()), workers);
  EXPECT_EQ(value(session->measure("count")).value, 98);
  EXPECT_EQ(backend_->stats().workers_died, 0);
}

// A worker's limits are those of one action, so a session may be older than they allow for one.
TEST_F(IsolatedSessionTest, AHistoryLongerThanTheWatchdogAllowsForOneActionCanBeReplayed) {
  zygote_ = value(sandbox::Zygote::start({executablePath().string(), "--slow"}));
  sandbox::Limits limits = toyLimits();
  limits.wall_s = 1;
  const auto backend = makeBackend(nullptr, limits);
  const auto session = value(backend->open(spec(1000)));
  for (int i = 0; i < 6; ++i) {
    ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());  // 0.2 s each
  }
  killWorkers();
  EXPECT_EQ(value(session->measure("count")).value, 994);
}

// Every worker is past this limit from its first sample on, so sessions move all the time.
TEST_F(IsolatedSessionTest, RecyclingWorkersIsInvisibleToTheirSessions) {
  sandbox::Limits limits = toyLimits();
  limits.recycle_rss_bytes = 1;
  const auto backend = makeBackend(nullptr, limits);
  const auto session = value(backend->open(spec(100000)));
  auto fork = value(session->fork());
  Actions history;
  // Memory is looked at after every 5 ms of processor time, so it takes some calls.
  for (int i = 0; i < 100000 && backend->stats().workers_recycled < 3; ++i) {
    ASSERT_TRUE(value(session->apply(Actions{kDec})).ok());
    history.push_back(kDec);
    ASSERT_EQ(value(session->measure("count")).value, 100000.0 - static_cast<double>(history.size()));
    ASSERT_EQ(value(fork->measure("count")).value, 100000);
  }
  EXPECT_GE(backend->stats().workers_recycled, 3);
  EXPECT_EQ(backend->stats().workers_died, 0);
  EXPECT_TRUE(std::ranges::equal(session->history(), history));
}

TEST_F(IsolatedSessionTest, TwoThreadsUseTwoForksOfOneWorkerAtOnce) {
  const auto session = value(backend_->open(spec(100000)));
  const auto fork = value(session->fork());
  const auto walk = [](Session& mine, ActionIndex action, std::int64_t sign) {
    for (std::int64_t i = 1; i <= 300; ++i) {
      ASSERT_TRUE(value(mine.apply(Actions{action})).ok());
      ASSERT_EQ(value(mine.observe("counters")).int64s()[0], 100000 + sign * i);
      if (i % 50 == 0) {
        ASSERT_TRUE(value(value(mine.fork())->apply(Actions{kNoop})).ok());
      }
    }
  };
  std::thread other([&] { walk(*fork, kInc, 1); });
  walk(*session, kDec, -1);
  other.join();
}

// Whoever kills the worker, the other must neither be blamed nor lose a step.
TEST_F(IsolatedSessionTest, AForkInAnotherThreadIsNotBlamedForADeath) {
  const auto session = value(backend_->open(spec(100000)));
  const auto fork = value(session->fork());
  std::thread other([&] {
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(value(fork->apply(Actions{kInc})).ok());
    }
  });
  for (int i = 0; i < 20; ++i) {
    ASSERT_EQ(value(session->apply(Actions{kDec, kCrash})).status, StepStatus::kCrashed);
  }
  other.join();
  EXPECT_EQ(value(fork->measure("count")).value, 100300);
  EXPECT_EQ(value(session->measure("count")).value, 99980);
  for (const CrashRecord& record : backend_->ledger().records()) EXPECT_EQ(record.action, "crash");
}

TEST_F(IsolatedSessionTest, ThreadsWithSessionsOfTheirOwnDoNotMeet) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      const auto session = value(backend_->open(spec(1000 + t)));
      for (int i = 0; i < 50; ++i) ASSERT_TRUE(value(session->apply(Actions{kInc})).ok());
      ASSERT_EQ(value(session->apply(Actions{kCrash})).status, StepStatus::kCrashed);
      ASSERT_EQ(value(session->measure("count")).value, 1050 + t);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(backend_->stats().workers_died, 4);
  EXPECT_EQ(backend_->ledger().recordedHere(), 4);
}

// A toy whose states can be so broken that looking at them kills, as LLVM's writer does on bad IR:
// those with a "poison" in their history.
class FragileSession final : public Session {
 public:
  explicit FragileSession(std::unique_ptr<Session> toy) : toy_(std::move(toy)) {}
  const SessionSpec& spec() const override { return toy_->spec(); }
  std::span<const ActionIndex> history() const override { return toy_->history(); }
  Status reset() override {
    dieIfPoisoned();
    return toy_->reset();
  }
  Result<StepOutcome> apply(std::span<const ActionIndex> actions) override { return toy_->apply(actions); }
  Result<std::vector<std::uint8_t>> legalActions() override { return toy_->legalActions(); }
  Result<Hash128> stateHash() override {
    dieIfPoisoned();
    return toy_->stateHash();
  }
  Result<Measurement> verify() override { return toy_->verify(); }
  Result<Observation> observe(std::string_view observation) override {
    dieIfPoisoned();
    return toy_->observe(observation);
  }
  Result<Measurement> measure(std::string_view metric) override { return toy_->measure(metric); }
  Result<std::unique_ptr<Session>> fork() override {
    dieIfPoisoned();
    return std::make_unique<FragileSession>(value(toy_->fork()));
  }

 private:
  void dieIfPoisoned() const {
    for (const ActionIndex action : history()) {
      if (action == kPoison) std::abort();
    }
  }
  std::unique_ptr<Session> toy_;
};

class FragileBackend final : public Backend {
 public:
  Result<BackendInfo> describe() override { return toy_.describe(); }
  Result<std::unique_ptr<Session>> open(SessionSpec spec) override {
    ORDO_TRY_ASSIGN(std::unique_ptr<Session> toy, toy_.open(std::move(spec)));
    return std::make_unique<FragileSession>(std::move(toy));
  }

 private:
  fakes::ToyBackend toy_;
};

class FragileSessionTest : public IsolatedSessionTest {
 protected:
  void SetUp() override {
    auto zygote = sandbox::Zygote::start({executablePath().string(), "--fragile"});
    zygote_ = value(std::move(zygote));
    backend_ = makeBackend();
    session_ = value(backend_->open(spec()));
    ASSERT_TRUE(value(session_->apply(Actions{kDec, kPoison})).ok());
  }
  std::unique_ptr<Session> session_;
};

TEST_F(FragileSessionTest, AStateThatCannotBeHashedIsNamedByItsOrigin) {
  const Hash128 name = value(session_->stateHash());
  EXPECT_EQ(value(session_->stateHash()), name);
  EXPECT_EQ(backend_->stats().workers_died, 1) << "asked once";
  const auto same = value(backend_->open(spec()));
  ASSERT_TRUE(value(same->apply(Actions{kDec, kPoison})).ok());
  EXPECT_EQ(value(same->stateHash()), name);
  ASSERT_TRUE(value(same->apply(Actions{kDec})).ok());
  EXPECT_NE(value(same->stateHash()), name);
  EXPECT_EQ(backend_->ledger().records().at(0).action, "session:hash");
}

TEST_F(FragileSessionTest, AStateThatCannotBeCopiedIsForkedByReplay) {
  const auto fork = value(session_->fork());
  EXPECT_TRUE(std::ranges::equal(fork->history(), session_->history()));
  ASSERT_TRUE(value(fork->apply(Actions{kInc})).ok());
  EXPECT_EQ(fork->history().size(), 3u);
  EXPECT_EQ(session_->history().size(), 2u);
}

TEST_F(FragileSessionTest, AStateThatCannotBeTornDownIsResetElsewhere) {
  check(session_->reset());
  expectIn(*session_, {});
}

TEST_F(FragileSessionTest, AnObservationThatKillsIsAnErrorAndInTheLedger) {
  const auto observed = session_->observe("text");
  ASSERT_FALSE(observed);
  EXPECT_EQ(observed.error().message, "a worker died while observing text: killed by signal 6 (Aborted)");
  const std::vector<CrashRecord> records = backend_->ledger().records();
  EXPECT_TRUE(std::ranges::any_of(records, [](const CrashRecord& r) { return r.action == "observe:text"; }));
}

}  // namespace
}  // namespace ordo::env

// The tests of a folder are one program; started with --control-fd it is the zygote of its own tests.
int main(int argc, char** argv) {
  using namespace ordo;
  if (argc >= 3 && std::string_view(argv[argc - 2]) == "--control-fd") {
    const std::string_view kind = argv[1];
    sandbox::zygoteMain(std::atoi(argv[argc - 1]), [kind]() -> std::unique_ptr<sandbox::Service> {
      if (kind == "--fragile") return env::makeSessionService(std::make_unique<env::FragileBackend>());
      fakes::ToyOptions options;
      options.failures = fakes::ToyFailures::kReal;
      options.pass_s = kind == "--slow" ? 0.2 : 0;
      return env::makeSessionService(std::make_unique<fakes::ToyBackend>(options));
    });
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
