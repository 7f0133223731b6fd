#include "running/counts.h"

#include <algorithm>
#include <optional>

#include "datasets/tests.h"
#include "running/cachegrind.h"
#include "sandbox/own_folder.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::running {
namespace {

constexpr std::size_t kFirst = 2;  // of the counts, behind source and status
constexpr std::size_t kCounts = kCountNames.size() - kFirst;
// How much longer a run may take under cachegrind, and at most.
constexpr double kSlowdown = 50, kMostSeconds = 60;

using Counts = std::array<std::int64_t, kCounts>;

struct Counted {
  sandbox::ConfinedRun run;
  std::optional<Counts> counts;  // nothing if it was ended from outside
};

constexpr std::string_view kValgrind = "valgrind";

Result<Counted> countWithHardware(const datasets::Program& program, sandbox::ConfinedProgram confined) {
  using sandbox::Event;
  constexpr std::array<Event, kCounts> kOrder{
      Event::kInstructions,  Event::kBranches,  Event::kBranchMisses,  Event::kL1iMisses,
      Event::kL1dReads,      Event::kL1dWrites, Event::kL1dReadMisses, Event::kL1dWriteMisses,
      Event::kLlcReferences, Event::kLlcMisses,
  };
  confined.count_all = true;
  Counted counted;
  ORDO_TRY_ASSIGN(counted.run, sandbox::runInOwnFolder(confined, program.dir));
  Counts& counts = counted.counts.emplace();
  for (std::size_t i = 0; i < kCounts; ++i) {
    const std::optional<std::uint64_t> count = sandbox::countOf(counted.run.events, kOrder[i]);
    counts[i] = count ? static_cast<std::int64_t>(*count) : kNotCounted;
  }
  return counted;
}

Result<Counted> countWithCachegrind(const datasets::Program& program, sandbox::ConfinedProgram confined) {
  const std::optional<std::string> valgrind = findProgram({std::string(kValgrind)});
  if (!valgrind) return fail(ErrorCode::kUnavailable, "valgrind is gone");
  confined.wall_s = std::min(confined.wall_s * kSlowdown, kMostSeconds);
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path copy = dir.path() / kCachegrindFile;
  Counted counted;
  ORDO_TRY_ASSIGN(counted.run, sandbox::runInOwnFolder(underCachegrind(std::move(confined), *valgrind),
                                                       program.dir, {{std::string(kCachegrindFile), copy}}));
  std::error_code error;
  if (!std::filesystem::exists(copy, error)) {
    if (counted.run.timed_out || counted.run.signal != 0) return counted;
    return fail(ErrorCode::kUnavailable, "valgrind counts nothing of {}: it {}: {}", program.name,
                counted.run.ending(), counted.run.err.substr(0, 300));
  }
  ORDO_TRY_ASSIGN(const std::string text, readFile(copy));
  ORDO_TRY_ASSIGN(const Cachegrind all, parseCachegrind(text));
  counted.counts = Counts{all.ir,
                          all.bc + all.bi,
                          all.bcm + all.bim,
                          all.i1mr,
                          all.dr,
                          all.dw,
                          all.d1mr,
                          all.d1mw,
                          all.i1mr + all.d1mr + all.d1mw,
                          all.ilmr + all.dlmr + all.dlmw};
  return counted;
}

Result<CountStatus> statusOf(const datasets::Program& program, const datasets::ProgramTest& test,
                             const sandbox::ConfinedRun& run) {
  if (run.timed_out) return CountStatus::kTimedOut;
  if (run.signal != 0) return CountStatus::kKilled;
  if (run.exit_code != test.exit) return CountStatus::kOtherwise;
  if (test.expected.empty()) return CountStatus::kAsTested;
  ORDO_TRY_ASSIGN(const std::string expected, readFile(program.dir / test.expected));
  return run.out == expected ? CountStatus::kAsTested : CountStatus::kOtherwise;
}

}  // namespace

Result<CountSource> countSource() {
  const std::string problem = sandbox::countersProblem();
  if (problem.empty()) return CountSource::kHardware;
  if (findProgram({std::string(kValgrind)})) return CountSource::kCachegrind;
  return fail(ErrorCode::kUnavailable,
              "the observation counters needs hardware counters, which this machine does not offer ({}), or "
              "valgrind, which is not installed; install it (Debian: apt-get install valgrind)",
              problem);
}

Result<std::vector<std::int64_t>> countEvents(CountSource source, const datasets::Program& program,
                                              const std::filesystem::path& executable) {
  std::vector<std::int64_t> values(kCountNames.size(), kNotCounted);
  values[0] = static_cast<std::int64_t>(source);
  CountStatus status = executable.empty() ? CountStatus::kNotBuilt : CountStatus::kAsTested;
  std::optional<Counts> sums;
  for (const datasets::ProgramTest& test : datasets::runsOf(program)) {
    if (status == CountStatus::kNotBuilt || status == CountStatus::kTimedOut) break;
    const sandbox::ConfinedProgram confined = datasets::confinedRun(program, test, executable);
    ORDO_TRY_ASSIGN(const Counted counted, source == CountSource::kHardware
                                               ? countWithHardware(program, confined)
                                               : countWithCachegrind(program, confined));
    ORDO_TRY_ASSIGN(const CountStatus ended, statusOf(program, test, counted.run));
    if (status == CountStatus::kAsTested || ended == CountStatus::kTimedOut) status = ended;
    if (!counted.counts || ended == CountStatus::kTimedOut) {
      sums.reset();
      break;
    }
    if (!sums) {
      sums = counted.counts;
      continue;
    }
    for (std::size_t i = 0; i < kCounts; ++i) {
      const bool both = (*sums)[i] != kNotCounted && (*counted.counts)[i] != kNotCounted;
      (*sums)[i] = both ? (*sums)[i] + (*counted.counts)[i] : kNotCounted;
    }
  }
  values[1] = static_cast<std::int64_t>(status);
  if (sums) std::copy(sums->begin(), sums->end(), values.begin() + kFirst);
  return values;
}

}  // namespace ordo::running
