// One run of somebody's program, confined and counted: it may write in its folder only, has no network,
// limits of memory, time and file size, and a processor of its own if it is told one. Whatever it starts ends
// with it, and with us (keeper.h).
//
// This is for programs that may be wrong, not for programs that are hostile: it sees all files that we may
// read. What makes it: Landlock for files, a seccomp filter for sockets, rlimits, and a process group that it
// cannot leave.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sandbox/events.h"
#include "support/error.h"

namespace ordo::sandbox {

inline constexpr std::size_t kUnlimited = ~std::size_t{0};

struct ConfinedProgram {
  std::filesystem::path executable = {};
  std::vector<std::string> argv = {};  // its name as it sees it, and arguments
  // "NAME=value" each; nothing of ours. The same for every program, whoever runs it.
  std::vector<std::string> environment = {"PATH=/usr/bin:/bin", "LC_ALL=C", "HOME=/nonexistent"};
  std::filesystem::path dir = {};          // where it works and may write
  std::filesystem::path input = {};        // of its standard input; "" is none
  std::optional<unsigned> processor = {};  // the only one it may use
  // Limits, or the hard ones that we run under (`ulimit`) where those are lower.
  std::size_t memory_bytes = std::size_t{4} << 30;  // address space of each process
  std::size_t file_bytes = std::size_t{256} << 20;  // of each file it writes, standard output too
  double wall_s = 10;                               // and as much processor time
  bool keep_errors = false;                         // standard error, which is dropped otherwise
  bool count_all = false;                           // all hardware events, not cycles and instructions only
  const std::atomic<bool>* stop = nullptr;          // it is ended soon after this becomes true
};

struct ConfinedRun {
  int exit_code = -1;  // -1 if a signal ended it
  int signal = 0;
  bool timed_out = false;           // or stopped
  bool users_limit = false;         // it timed out by a hard limit that we were started with (`ulimit -t`)
  std::string out, err;             // standard output, and standard error if it is kept
  double wall_s = 0;                // from just before exec to its end
  double user_s = 0, system_s = 0;  // of it and of what it waited for; from fork on, some 0.2 ms before exec
  std::int64_t involuntary_switches = 0;
  std::optional<std::uint64_t> cycles, instructions;  // in user mode, from exec on; see countersProblem()
  EventCounts events;                                 // the same, and others if they were asked for

  // Whether somebody else may have ended it, or stopped it for good, as against itself or us.
  bool disturbed() const;
  double cpu_s() const { return user_s + system_s; }
  // "exited with status 1", "was killed by signal 11 (Segmentation fault)", "ran past 10 s".
  std::string ending() const;
};

// Runs it to its end. kNotFound or kUnavailable if it cannot be started; a program that fails is a result. It
// dies with the calling thread. Thread-safe.
Result<ConfinedRun> runConfined(const ConfinedProgram& program);

// Why this machine counts no cycles and instructions ("perf_event_open: No such file or directory"), or "".
std::string countersProblem();

// What of the confinement this system does not do: "files outside its folder are not protected: ...".
std::vector<std::string> confinementGaps();

}  // namespace ordo::sandbox
