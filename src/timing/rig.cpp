// create() joins inputs of several parts into one file each, copies the programs, and has learnExpected() run
// the baseline once to know what is right; the twin, which is the baseline again, and the candidate then go
// through run(), which compares. A reading is the sum over all inputs and ends at the first that goes wrong.
// othersShare() is what the processor was busy with since the last time it was asked, less what our own
// programs had of it (own_s_).
#include "timing/rig.h"

#include <algorithm>
#include <system_error>

namespace ordo::timing {
namespace fs = std::filesystem;

struct Rig::Done {
  Expected did;
  Reading reading;
  std::string ending;
  bool ended = true;  // by itself
};

namespace {

// Under another name first: what is still being run, as by a process that a run has left and that is on its
// way out, cannot be written to ("Text file busy").
Status copyProgram(const fs::path& from, const fs::path& to) {
  const fs::path copy = to.string() + ".new";
  std::error_code error;
  fs::copy_file(from, copy, fs::copy_options::overwrite_existing, error);
  if (!error) fs::permissions(copy, fs::perms::owner_all, error);
  if (!error) fs::rename(copy, to, error);
  if (!error) return {};
  return fail(error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
              "cannot copy {}: {}", from.string(), error.message());
}

// Makes what is to be read one file, `to`, so that no run spends time on it.
Result<fs::path> joinedInput(const Input& input, const fs::path& to) {
  std::string all;
  const auto append = [&all](const fs::path& part, std::size_t times) -> Status {
    if (part.empty()) return {};
    ORDO_TRY_ASSIGN(const std::string bytes, readFile(part));
    for (; times > 0; --times) all += bytes;
    return {};
  };
  ORDO_TRY(append(input.before, 1));
  ORDO_TRY(append(input.input, input.repeat));
  ORDO_TRY(append(input.after, 1));
  ORDO_TRY(writeFile(to, all));
  return to;
}

std::string firstDifference(std::string_view expected, std::string_view got) {
  const auto differ = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  return fmt::format("other output from byte {} on ({} bytes, not {})", differ.first - expected.begin(),
                     got.size(), expected.size());
}

}  // namespace

Result<std::unique_ptr<Rig>> Rig::create(const fs::path& baseline, const fs::path& candidate,
                                         std::vector<Input> inputs, const RigOptions& options) {
  ORDO_CHECK(!inputs.empty(), "no inputs");
  ORDO_TRY_ASSIGN(TempDir dir, TempDir::create());
  std::unique_ptr<Rig> rig(new Rig(std::move(dir), std::move(inputs), options));
  if (!rig->options_.dir.empty()) rig->options_.dir = fs::absolute(rig->options_.dir);
  for (std::size_t i = 0; i < rig->inputs_.size(); ++i) {
    Input& input = rig->inputs_[i];
    if (input.repeat != 1 || !input.before.empty() || !input.after.empty()) {
      ORDO_TRY_ASSIGN(input.input, joinedInput(input, rig->dir_.path() / fmt::format("input{}", i)));
    } else if (!input.input.empty()) {
      input.input = fs::absolute(input.input);
    }
  }
  ORDO_TRY(copyProgram(baseline, rig->executable(Arm::kBaseline)));
  ORDO_TRY(rig->enter(candidate));
  ORDO_TRY(copyProgram(baseline, rig->executable(Arm::kTwin)));
  if (!options.processor) {
    ORDO_TRY_ASSIGN(rig->options_.processor, quietestProcessor(0.2));
  }
  rig->counters_problem_ = sandbox::countersProblem();
  ORDO_TRY(rig->learnExpected());
  rig->othersShare();
  return rig;
}

Status Rig::enter(const fs::path& program) { return copyProgram(program, executable(Arm::kCandidate)); }

Result<bool> Rig::copyWritten(const fs::path& program, const std::string& name, const fs::path& copy) {
  ORDO_TRY(enter(program));
  ORDO_TRY_ASSIGN(const Done done, runInput(Arm::kCandidate, inputs_.front(), inputs_.front().timeout_s,
                                            sandbox::Wanted{name, copy}));
  const Expected& expected = expected_.front();
  return done.ended && done.did.exit_code == expected.exit_code && done.did.signal == expected.signal &&
         fs::exists(copy);
}

fs::path Rig::executable(Arm arm) const {
  return dir_.path() / fmt::format("program{}", static_cast<int>(arm));
}

Result<Rig::Done> Rig::runInput(Arm arm, const Input& input, double limit_s,
                                const std::optional<sandbox::Wanted>& wanted) {
  sandbox::ConfinedProgram program{.executable = executable(arm),
                                   .argv = {"program"},
                                   .input = input.input,
                                   .processor = options_.processor,
                                   .memory_bytes = options_.memory_bytes,
                                   .wall_s = limit_s,
                                   .stop = options_.stop};
  program.argv.insert(program.argv.end(), input.args.begin(), input.args.end());
  ORDO_TRY_ASSIGN(sandbox::ConfinedRun run, sandbox::runInOwnFolder(program, options_.dir, wanted));
  Done done;
  done.ending = run.ending();
  done.ended = !run.timed_out;
  done.reading.cpu_s = run.cpu_s();
  done.reading.user_s = run.user_s;
  done.reading.wall_s = run.wall_s;
  done.reading.switches = static_cast<double>(run.involuntary_switches);
  if (run.cycles) done.reading.cycles = static_cast<double>(*run.cycles);
  if (run.instructions) done.reading.instructions = static_cast<double>(*run.instructions);
  done.did = {run.exit_code, run.signal, std::move(run.out), run.wall_s};
  own_s_ += done.reading.cpu_s;
  return done;
}

Status Rig::learnExpected() {
  for (const Input& input : inputs_) {
    ORDO_TRY_ASSIGN(Done done, runInput(Arm::kBaseline, input, input.timeout_s));
    if (options_.stop != nullptr && *options_.stop)
      return fail(ErrorCode::kDeadlineExceeded, "interrupted before anything was known");
    const bool unexpected = input.exit && (done.did.signal != 0 || done.did.exit_code != *input.exit);
    if (!done.ended || unexpected)
      return fail(ErrorCode::kInvalidArgument, "{}: the baseline {}", input.name, done.ending);
    if (options_.compare_output && input.output && hashBytes(done.did.out) != *input.output)
      return fail(ErrorCode::kInvalidArgument, "{}: the baseline prints something else than is expected",
                  input.name);
    expected_.push_back(std::move(done.did));
  }
  for (const Arm arm : {Arm::kTwin, Arm::kCandidate}) {
    ORDO_TRY_ASSIGN(const Reading reading, run(arm));
    if (reading.failure.empty()) continue;
    if (options_.stop != nullptr && *options_.stop)
      return fail(ErrorCode::kDeadlineExceeded, "interrupted before anything was known");
    return fail(
        ErrorCode::kInvalidArgument, "{}{}", reading.failure,
        arm == Arm::kTwin ? ": it does not do the same twice, so nothing can be compared with it" : "");
  }
  return {};
}

Result<Reading> Rig::run(Arm arm) {
  Reading sum;
  sum.cycles = sum.instructions = 0;
  const auto add = [](std::optional<double>& to, const std::optional<double>& value) {
    to = to && value ? std::optional(*to + *value) : std::nullopt;
  };
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const Expected& expected = expected_[i];
    double limit_s = inputs_[i].timeout_s;
    if (arm == Arm::kCandidate)
      limit_s = std::min(limit_s, std::max(1.0, options_.most_times_baseline * expected.wall_s));
    ORDO_TRY_ASSIGN(const Done done, runInput(arm, inputs_[i], limit_s));
    sum.cpu_s += done.reading.cpu_s;
    sum.user_s += done.reading.user_s;
    sum.wall_s += done.reading.wall_s;
    sum.switches += done.reading.switches;
    add(sum.cycles, done.reading.cycles);
    add(sum.instructions, done.reading.instructions);
    const char* who = arm == Arm::kCandidate ? "the candidate" : "the baseline";
    if (!done.ended || done.did.exit_code != expected.exit_code || done.did.signal != expected.signal) {
      sum.failure = fmt::format("on input '{}' {} {}", inputs_[i].name, who, done.ending);
    } else if (options_.compare_output && done.did.out != expected.out) {
      sum.failure = fmt::format("on input '{}' {} has {}", inputs_[i].name, who,
                                firstDifference(expected.out, done.did.out));
    }
    if (!sum.failure.empty()) break;
  }
  return sum;
}

double Rig::othersShare() {
  const Result<ProcessorTimes> now = processorTimes(processor());
  if (!now) return 0;
  const double total_s = now->total_s() - since_.total_s();
  const double others_s = now->total_s() - now->idle_s - (since_.total_s() - since_.idle_s) - own_s_;
  since_ = *now;
  own_s_ = 0;
  return total_s > 0 ? std::clamp(others_s / total_s, 0.0, 1.0) : 0;
}

}  // namespace ordo::timing
