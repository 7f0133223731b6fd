#include "env/crash_ledger.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>

#include "support/files.h"
#include "tests/unit/support/ordinary_user.h"

namespace ordo::env {
namespace {

const Hash128 kState{1, 2};
const Hash128 kOther{3, 4};

CrashRecord record(const Hash128& state, std::string action) {
  return {state, std::move(action), StepStatus::kTimedOut, "ran past 1 s", "sha256", 1};
}

class CrashLedgerTest : public testing::Test {
 protected:
  std::unique_ptr<CrashLedger> open(std::string_view backend = "llvm 22") {
    auto ledger = CrashLedger::open(file_, backend);
    EXPECT_TRUE(ledger) << ledger.error().message;
    return ledger ? *std::move(ledger) : nullptr;
  }

  Error refusal() {
    const auto ledger = CrashLedger::open(file_, "llvm 22");
    EXPECT_FALSE(ledger);
    return ledger ? Error{} : ledger.error();
  }

  TempDir folder_ = *TempDir::create();
  std::filesystem::path file_ = folder_.path() / "crashes.sqlite";
};

TEST_F(CrashLedgerTest, WithoutAFileItKnowsWhatItWasToldAndNoMore) {
  CrashLedger ledger;
  EXPECT_TRUE(ledger.empty());
  ledger.record(record(kState, "gvn"));
  EXPECT_FALSE(ledger.empty());
  EXPECT_TRUE(ledger.contains(kState, "gvn"));
  EXPECT_FALSE(ledger.contains(kOther, "gvn"));
  EXPECT_FALSE(ledger.contains(kState, "licm"));
  EXPECT_TRUE(ledger.mentions("gvn"));
  EXPECT_FALSE(ledger.mentions("licm"));
}

TEST_F(CrashLedgerTest, WhatIsNotLastingIsForThisProcessOnly) {
  CrashRecord starved = record(kState, "gvn");
  starved.lasting = false;
  {
    const auto ledger = open();
    ledger->record(starved);
    ledger->record(record(kState, "licm"));
    EXPECT_TRUE(ledger->contains(kState, "gvn"));
  }
  const auto later = open();
  EXPECT_FALSE(later->contains(kState, "gvn"));
  EXPECT_TRUE(later->contains(kState, "licm"));
}

TEST_F(CrashLedgerTest, TheSamePairIsCountedAndTheMostFrequentComesFirst) {
  CrashLedger ledger;
  ledger.record(record(kState, "gvn"));
  ledger.record(record(kState, "licm"));
  ledger.record(record(kState, "licm"));
  const std::vector<CrashRecord> records = ledger.records();
  ASSERT_EQ(records.size(), 2u);
  EXPECT_EQ(records[0].action, "licm");
  EXPECT_EQ(records[0].count, 2);
  EXPECT_EQ(records[1].count, 1);
  EXPECT_EQ(ledger.recordedHere(), 3);
}

TEST_F(CrashLedgerTest, TheFileBringsBackEveryField) {
  open()->record(record(kState, "gvn"));
  const auto ledger = open();
  const std::vector<CrashRecord> records = ledger->records();
  ASSERT_EQ(records.size(), 1u);
  EXPECT_EQ(records[0].state, kState);
  EXPECT_EQ(records[0].action, "gvn");
  EXPECT_EQ(records[0].status, StepStatus::kTimedOut);
  EXPECT_EQ(records[0].detail, "ran past 1 s");
  EXPECT_EQ(records[0].program, "sha256");
  EXPECT_EQ(records[0].count, 1);
  EXPECT_TRUE(ledger->contains(kState, "gvn"));
  EXPECT_EQ(ledger->recordedHere(), 0);
}

TEST_F(CrashLedgerTest, WhatCannotBeWrittenIsAProblemThatIsSaid) {
  const auto ledger = open();
  ledger->record(record(kState, "gvn"));
  EXPECT_EQ(ledger->problem(), "");
  sqlite3* other = nullptr;
  ASSERT_EQ(sqlite3_open(file_.c_str(), &other), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(other, "DROP TABLE crash_v1", nullptr, nullptr, nullptr), SQLITE_OK);
  sqlite3_close(other);
  ledger->record(record(kState, "licm"));
  EXPECT_NE(ledger->problem().find(file_.string()), std::string::npos) << ledger->problem();
  EXPECT_TRUE(ledger->contains(kState, "licm")) << "this run goes on";
}

TEST_F(CrashLedgerTest, CountsGoOnAcrossRuns) {
  for (int run = 0; run < 3; ++run) open()->record(record(kState, "gvn"));
  EXPECT_EQ(open()->records().at(0).count, 3);
}

TEST_F(CrashLedgerTest, FoldersOnTheWayAreCreated) {
  file_ = folder_.path() / "a" / "b" / "crashes.sqlite";
  open()->record(record(kState, "gvn"));
  EXPECT_TRUE(std::filesystem::exists(file_));
}

TEST_F(CrashLedgerTest, WhatAnotherBackendDiedOfIsNotSeen) {
  open("llvm 22")->record(record(kState, "gvn"));
  EXPECT_TRUE(open("llvm 23")->empty());
  EXPECT_FALSE(open("llvm 22")->empty());
}

TEST_F(CrashLedgerTest, ProcessesThatOpenAndWriteAtOnceLoseNothing) {
  constexpr int kProcesses = 4;
  constexpr int kRecords = 25;
  std::vector<pid_t> children;
  for (int p = 0; p < kProcesses; ++p) {
    children.push_back(::fork());
    if (children.back() != 0) continue;
    auto ledger = CrashLedger::open(file_, "llvm 22");
    if (!ledger) ::_exit(1);
    for (int i = 0; i < kRecords; ++i) {
      (*ledger)->record(record(kState, "shared"));
      (*ledger)->record(record({static_cast<std::uint64_t>(p), static_cast<std::uint64_t>(i)}, "own"));
    }
    ::_exit(0);
  }
  for (const pid_t child : children) {
    int status = 1;
    ::waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  const std::vector<CrashRecord> records = open()->records();
  ASSERT_EQ(records.size(), 1u + kProcesses * kRecords);
  EXPECT_EQ(records[0].action, "shared");
  EXPECT_EQ(records[0].count, kProcesses * kRecords);
}

TEST_F(CrashLedgerTest, AFileOfAnotherKindIsNamedWithARemedy) {
  ASSERT_TRUE(writeFile(file_, std::string(5000, 'x')));
  const Error error = refusal();
  EXPECT_EQ(error.code, ErrorCode::kCorrupt);
  EXPECT_NE(error.message.find(file_.string()), std::string::npos) << error.message;
  EXPECT_NE(error.message.find("delete it or set ORDO_CACHE to another folder"), std::string::npos)
      << error.message;
  EXPECT_EQ(readFile(file_)->size(), 5000u) << "it was changed";
}

TEST_F(CrashLedgerTest, DamageBehindAGoodHeaderIsCorruptAndNotSilence) {
  std::unique_ptr<CrashLedger> ledger = open();
  for (std::uint64_t i = 0; i < 500; ++i) ledger->record(record({i, i}, "gvn"));
  ledger = nullptr;  // writes the log back into the file
  std::string bytes = *readFile(file_);
  ASSERT_GT(bytes.size(), 3 * 4096u);
  std::fill(bytes.begin() + 2 * 4096, bytes.end(), '\x5a');  // the header and the schema remain
  ASSERT_TRUE(writeFile(file_, bytes));
  EXPECT_EQ(refusal().code, ErrorCode::kCorrupt);
}

TEST_F(CrashLedgerTest, ATableOfThatNameButNotOursIsRefused) {
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(file_.c_str(), &database), SQLITE_OK);
  ASSERT_EQ(sqlite3_exec(database, "CREATE TABLE crash_v1 (something TEXT)", nullptr, nullptr, nullptr),
            SQLITE_OK);
  sqlite3_close(database);
  EXPECT_NE(refusal().message.find("delete it or set ORDO_CACHE"), std::string::npos);
}

TEST_F(CrashLedgerTest, AFolderThatCannotBeWrittenIsUnavailable) {
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0555), 0);
  EXPECT_TRUE(holdsForAnOrdinaryUser([&] {
    const auto ledger = CrashLedger::open(file_, "llvm 22");
    return !ledger && ledger.error().code == ErrorCode::kUnavailable &&
           ledger.error().message.find(file_.string()) != std::string::npos;
  }));
  ::chmod(folder_.path().c_str(), 0755);
}

TEST_F(CrashLedgerTest, AFolderInPlaceOfTheFileIsUnavailable) {
  std::filesystem::create_directory(file_);
  EXPECT_EQ(refusal().code, ErrorCode::kUnavailable);
}

// Losing the file is not an error of the run: masking goes on from memory.
TEST_F(CrashLedgerTest, AFileThatVanishesMeanwhileDoesNotHurt) {
  const auto ledger = open();
  std::filesystem::remove_all(folder_.path());
  ledger->record(record(kState, "gvn"));
  EXPECT_TRUE(ledger->contains(kState, "gvn"));
}

}  // namespace
}  // namespace ordo::env
