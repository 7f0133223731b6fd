// What killed a worker, so that it is not tried again: pairs of (IR hash, action).
//
// The ledger is kept in memory and, if it was opened on a file, what is lasting of it in SQLite, shared by
// all processes of a user. A pair belongs to one backend build: another LLVM may have fixed the bug.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "env/session.h"
#include "support/sqlite.h"

namespace ordo::env {

struct CrashRecord {
  Hash128 state;  // the state in which the action was applied
  std::string
      action;  // its text (Action::text), or what else was asked: "measure:text_bytes", "session:fork"
  StepStatus status = StepStatus::kCrashed;
  std::string detail;
  std::string program;  // SessionSpec::name of the first victim
  std::int64_t count = 1;
  // Whether other processes are to know. Not of what ended because it got no processor: nobody would try
  // again when the machine is quiet.
  bool lasting = true;
};

// Thread-safe.
class CrashLedger {
 public:
  // A ledger that forgets when the process ends.
  CrashLedger() = default;
  // Opens or creates the file; only pairs of `backend` (name, version and build) are seen.
  // kUnavailable or kCorrupt with the remedy if it cannot be used.
  static Result<std::unique_ptr<CrashLedger>> open(const std::filesystem::path& file,
                                                   std::string_view backend);
  CrashLedger(const CrashLedger&) = delete;
  CrashLedger& operator=(const CrashLedger&) = delete;

  // Adds the pair or counts it again. That it cannot be written to the file (a full disk) is not an error of
  // the run, but a problem().
  void record(const CrashRecord& record);

  // "", or why what was recorded here is not all in the file: for the user to read.
  std::string problem() const;

  // Whether any state is known in which `action` kills: a cheap first question.
  bool mentions(std::string_view action) const;
  bool contains(Hash128 state, std::string_view action) const;
  bool empty() const;
  // How many actions it mentions. Never fewer than before.
  std::size_t actions() const;

  // Everything known, most frequent first.
  std::vector<CrashRecord> records() const;
  // Deaths recorded through this object, not those read from the file.
  std::int64_t recordedHere() const;

 private:
  mutable std::mutex mutex_;
  std::unordered_map<std::string, std::unordered_map<Hash128, CrashRecord>> by_action_;
  std::int64_t recorded_here_ = 0;
  std::string backend_;
  std::optional<Database> database_;
  std::string problem_;
};

}  // namespace ordo::env
