#include "running/run_time.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "datasets/tests.h"
#include "frontend/clang.h"
#include "runtime/timing.h"
#include "support/clock.h"
#include "timing/comparison.h"
#include "timing/image.h"
#include "timing/rig.h"

namespace ordo::running {
namespace fs = std::filesystem;
namespace {

// Who hangs is found out soon.
constexpr double kMostTimes = 4;
// Whoever takes so many times as long, each time it was looked at, needs no trial.
constexpr double kClearlySlower = 1.25;

env::Measurement failed(std::string why) { return {env::StepStatus::kRejected, 0, std::move(why)}; }

timing::RigOptions rigFor(const datasets::Program& program) {
  timing::RigOptions options;
  options.dir = program.dir;
  options.most_times_baseline = kMostTimes;
  return options;
}

// By how many times the candidate took longer in two runs of each, which drift does not tell apart.
struct Look {
  double least = 0, mean = 0;
  std::string failure;  // of the candidate, or ""
};

Result<Look> look(timing::Rig& rig) {
  using timing::Arm;
  std::array<double, 2> logs{};  // candidate to baseline
  for (std::size_t pair = 0; pair < logs.size(); ++pair) {
    const std::array<Arm, 2> turns =
        pair == 0 ? std::array{Arm::kBaseline, Arm::kCandidate} : std::array{Arm::kCandidate, Arm::kBaseline};
    for (const Arm arm : turns) {
      ORDO_TRY_ASSIGN(const timing::Reading reading, rig.run(arm));
      if (!reading.failure.empty()) return Look{0, 0, reading.failure};
      logs[pair] += (arm == Arm::kCandidate ? 1 : -1) * std::log(std::max(reading.cpu_s, 1e-9));
    }
  }
  return Look{std::exp(std::min(logs[0], logs[1])), std::exp((logs[0] + logs[1]) / 2), ""};
}

}  // namespace

Result<fs::path> RunTime::baselineOf(const datasets::Program& program) {
  if (const auto found = baselines_.find(program.uri); found != baselines_.end()) return found->second;
  if (!dir_) {
    ORDO_TRY_ASSIGN(dir_, TempDir::create());
  }
  const frontend::Source source{program.source, program.language, program.cflags, program.dir,
                                program.more_sources};
  ORDO_TRY_ASSIGN(const frontend::Compiled stock, frontend::compileStock(source, options_.baseline));
  fs::path path = dir_->path() / fmt::format("baseline{}", baselines_.size());
  ORDO_TRY(frontend::linkExecutable(stock.bytes, source, program.ldflags, path));
  // With itself, so that what is wrong later is the candidate's.
  const auto rig = timing::Rig::create(path, path, runtime::timingInputs(program), rigFor(program));
  if (!rig && rig.error().code == ErrorCode::kInvalidArgument)
    return fail(ErrorCode::kUnsupported, "{} cannot be timed: {}", program.uri, rig.error().message);
  if (!rig) return fail(rig.error());
  return baselines_.emplace(program.uri, std::move(path)).first->second;
}

Result<env::Measurement> RunTime::measure(const datasets::Program& program, const fs::path& executable) {
  ORDO_TRY(datasets::checkRuns(program, "a run time"));
  const std::lock_guard lock(mutex_);
  ORDO_TRY_ASSIGN(const fs::path baseline, baselineOf(program));
  ORDO_TRY_ASSIGN(const datasets::TestReport tests, datasets::runTests(program, executable));
  if (!tests.passed()) return failed(tests.summary());
  ORDO_TRY_ASSIGN(const std::string baseline_bytes, readFile(baseline));
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(executable));
  if (timing::loadedHash(baseline_bytes) == timing::loadedHash(bytes))
    return env::Measurement{.value = 1, .detail = "clang makes the same program"};
  const auto rig = timing::Rig::create(baseline, executable, runtime::timingInputs(program), rigFor(program));
  if (!rig && rig.error().code == ErrorCode::kInvalidArgument) return failed(rig.error().message);
  if (!rig) return fail(rig.error());
  ORDO_TRY_ASSIGN(const Look seen, look(**rig));
  if (!seen.failure.empty()) return failed(seen.failure);
  if (seen.least > kClearlySlower)
    return env::Measurement{.value = seen.mean, .detail = "a look: clearly slower"};
  timing::TrialOptions options;
  options.budget_s = options_.budget_s;
  options.seed = ++trials_;
  ORDO_TRY_ASSIGN(const timing::Comparison timed, timing::compare(**rig, SteadyClock(), options, 1));
  const timing::Trial& trial = timed.trial;
  if (trial.verdict != env::Verdict::kVoid)
    return env::Measurement{.value = std::exp(-trial.candidate.value), .detail = trial.why};
  if (trial.too_short) return env::Measurement{.value = seen.mean, .detail = "a look: " + trial.why};
  if (!trial.repeatable) return failed(trial.why);
  return env::Measurement{.value = 1, .detail = "nothing is shown: " + trial.why};
}

}  // namespace ordo::running
