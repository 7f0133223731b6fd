// A Session is one program being optimised: it applies actions to a private copy of the program,
// observes the state and measures the result. Everything above this header (searchers, policies,
// trainers, the command line) is written against it and never sees a compiler. Implementations:
// llvm/session/llvm_session.h (in process), env/isolated_session.h (any session, in a worker process
// that may crash) and tests/fakes/toy_session.h (a counter "compiler" for fast tests).
//
// The state of a session is its program and the actions applied since reset: replaying them on
// another machine gives the same state. stateHash() names it.
//
// Ownership: a session owns its program. Views it returns die at its next non-const call.
// Threads:   one session, one thread at a time; different sessions share nothing mutable.
// Failure:   an action that crashes, hangs or breaks the program is an outcome (StepStatus), data
//            for the learner. A Result error is our own failure: no worker could be started, the
//            program is not valid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "support/dtype.h"
#include "support/error.h"
#include "support/hash.h"

namespace ordo::env {

// An index into SessionSpec::actions.
using ActionIndex = std::uint32_t;

// Not an action of anybody's: the program is written out and read again, so that whatever the backend had
// worked out about it is forgotten; the `|` in `opt … | opt …`. Passes of LLVM follow what analyses are
// cached, so a fork, which starts without any, has one of these in its history where it began.
inline constexpr ActionIndex kPipe = 0xffffffff;

// What can be done to a program. What `kind` and `text` mean is the backend's own business (LLVM's:
// notation/action.h); everybody else keeps and compares them, and knows an action by its name.
struct Action {
  std::string name;  // unique in its space; persistent API
  std::string kind = {};
  std::string text = {};
};

// An action may be a type with parameters that are chosen after it: its name is `type<parameters>` then, for
// whatever backend. "gvn<no-pre>" and "gvn" are of one type, so are "tile<32,8>" and "tile<8,8>". What is put
// on or taken away, "+minsize" and "-minsize", are of one type as well, its signs their parameters.
struct ActionParts {
  std::string_view type;        // "gvn"; the whole name of an action without parameters
  std::string_view parameters;  // "no-pre", or ""
  bool sign = false;            // whether the parameters are a sign
};
ActionParts partsOf(std::string_view name);

// The type of actions that leave the program as it is and settle how code is made of it from then on: of
// those that settle the same the last counts, wherever it stands. They are part of the state.
inline constexpr std::string_view kSettingType = "codegen";

// What the action of that name settles: "misched" of "codegen<misched=ilpmax>". "" if it is no setting.
std::string_view settingOf(std::string_view name);

struct SessionSpec {
  std::string name;             // for messages
  std::string program;          // in the backend's own form; LLVM: bitcode
  std::vector<Action> actions;  // what ActionIndex counts through
  // How machine code is made from the program when a metric needs it: an object of JSON of the backend's own
  // (LLVM's: notation/codegen.h); "" is its default. The same for every candidate and for the baseline, so
  // that only the program and what actions choose differ.
  std::string settings = {};
};

enum class StepStatus : std::uint8_t {
  kOk,
  kVerifierFailed,  // the result is not a valid program
  kExportsChanged,  // what others may link against, or what must be linked in, changed
  kRejected,        // the backend cannot apply or measure this here (unknown pass text, masked by the ledger)
  kCrashed,         // the worker died
  kTimedOut,        // the watchdog ended it (wall clock or CPU)
  kOutOfMemory,     // the memory limit ended it
};

// "ok", "verifier failed", ...
std::string_view name(StepStatus status);

struct StepOutcome {
  StepStatus status = StepStatus::kOk;
  // How many of the actions were applied before the outcome; all of them if ok. After kCrashed,
  // kTimedOut, kOutOfMemory and kRejected the session stands where `applied` actions left it, as
  // if the culprit had not been asked for.
  std::uint32_t applied = 0;
  // False if every pass reported that it preserved everything. Compare stateHash() to be sure.
  bool changed = false;
  std::string detail;  // what the backend said about a failure

  bool ok() const { return status == StepStatus::kOk; }
};

struct Measurement {
  StepStatus status = StepStatus::kOk;
  double value = 0;  // in the metric's unit; only meaningful if ok()
  std::string detail;

  bool ok() const { return status == StepStatus::kOk; }
};

// A borrowed view of an observation: `bytes` holds product(shape) elements of `dtype`.
struct Observation {
  DType dtype = DType::kBytes;
  std::vector<std::uint32_t> shape;
  std::span<const std::byte> bytes;

  std::span<const std::int64_t> int64s() const {
    return {reinterpret_cast<const std::int64_t*>(bytes.data()), bytes.size() / sizeof(std::int64_t)};
  }
  std::span<const float> float32s() const {
    return {reinterpret_cast<const float*>(bytes.data()), bytes.size() / sizeof(float)};
  }
  std::string_view text() const { return {reinterpret_cast<const char*>(bytes.data()), bytes.size()}; }
};

// One step of an environment: everything it does and wants to know, in one exchange with the backend.
struct StepRequest {
  bool reset = false;  // start from the program as given
  std::vector<ActionIndex> actions = {};
  bool hash = false;                           // report stateHash()
  bool legal = false;                          // report legalActions()
  std::vector<std::string> metrics = {};       // report measure() of each, or estimate()
  bool verify = true;                          // measure(); else estimate()
  std::vector<std::string> observations = {};  // report observe() of each
  // Keep a processor waiting for the next request. Right for one session at a time, wrong for more
  // sessions than processors.
  bool spin = true;
};

// All but the outcome is about the state in which the actions left the session, also after a failure.
// A state that was reached but cannot be observed (what a pass left cannot be read, or kills who looks at it)
// is a failure, too: the outcome says so with all actions applied, and there are no observations.
struct StepReport {
  StepOutcome outcome;
  Hash128 hash;                           // if asked for
  std::vector<std::uint8_t> legal;        // if asked for, and not all are: as of legalActions()
  std::vector<Measurement> measurements;  // one for each metric, in that order
  std::vector<Observation> observations;  // one for each observation, or none; views as of observe()

  // Whether the observations that `request` asked for are there.
  bool observed(const StepRequest& request) const {
    return observations.size() == request.observations.size();
  }
  // Makes this, which is about the state that some actions led to, a report of these actions, too.
  void comeAfter(StepOutcome actions);
};

class Session {
 public:
  virtual ~Session() = default;

  virtual const SessionSpec& spec() const = 0;

  // The actions applied since reset, in order; applying them to the program again leads to this state.
  virtual std::span<const ActionIndex> history() const = 0;

  // Back to the program as given.
  virtual Status reset() = 0;

  // Applies `actions` in order. REQUIRES: every index < spec().actions.size(), or kPipe.
  virtual Result<StepOutcome> apply(std::span<const ActionIndex> actions) = 0;

  // One byte per action of the spec: 1 if it may be applied now, 0 if it is known to kill a worker
  // in this very state (see crash_ledger.h) or is not supported by the backend.
  virtual Result<std::vector<std::uint8_t>> legalActions() = 0;

  // Equal hashes mean equal programs, hence equal metrics and equal behaviour of every action.
  virtual Result<Hash128> stateHash() = 0;

  // Checks the program and its set of exported definitions. measure() does this once per state.
  virtual Result<Measurement> verify() = 0;

  // kNotFound if the backend has no such observation or metric (see Backend::describe()); observe() kCorrupt
  // if the state cannot be observed. What measures such a state reports that it is not valid.
  virtual Result<Observation> observe(std::string_view observation) = 0;
  virtual Result<Measurement> measure(std::string_view metric) = 0;

  // What measure() would say, sooner: without looking whether the state is valid, and from parts that
  // are known from other states. The value of a state that measure() would refuse means nothing, so
  // measure() before relying on it.
  virtual Result<Measurement> estimate(std::string_view metric) { return measure(metric); }

  // reset(), apply(), stateHash(), legalActions(), measure() and observe() at once, in that order. An error
  // leaves the session in some state: reset it.
  Result<StepReport> step(const StepRequest& request);

  // The same in parts, so that one thread can keep many sessions busy: beginStep() sends the request,
  // stepReady() says without waiting whether finishStep() would return at once. In between nothing else
  // may be asked of this session or of one that was forked from it. Threads may differ. By default the
  // whole step happens in beginStep(). See Backend::awaitActivity().
  virtual Status beginStep(const StepRequest& request);
  virtual bool stepReady() { return true; }
  virtual Result<StepReport> finishStep();

  // An independent session in the same state. Cheap: search branches through this.
  virtual Result<std::unique_ptr<Session>> fork() = 0;

 protected:
  // A step as the calls it consists of.
  Result<StepReport> stepByParts(const StepRequest& request);

 private:
  std::optional<Result<StepReport>> finished_;  // of beginStep(), by default
  std::vector<std::string> copies_;             // what the observations of the latest step() look at
};

// What a backend offers, for `ordo list`, `--help`, bindings and conformance tests.
struct ObservationInfo {
  std::string name;
  int version = 1;
  DType dtype = DType::kInt64;
  std::uint32_t width = 0;  // elements; 0 if it depends on the program
  std::string summary;
  std::uint32_t columns = 0;       // not 0: a matrix with rows of this length; the program decides how many
  bool machine_dependent = false;  // says something of the host, not of the program
  std::vector<std::string> element_names = {};  // of the `width` elements or the `columns`; or empty
};

struct MetricInfo {
  std::string name;
  std::string unit;
  bool deterministic = true;
  std::string summary;
};

// Something the backend could do to a program, before anybody made actions of it.
struct TransformInfo {
  std::string name;
  std::string level;   // LLVM: module, cgscc, function, loopnest, loop, machine-function
  std::string params;  // the backend's own summary of its parameters, or ""
};

struct BackendInfo {
  std::string name;     // "llvm"
  std::string version;  // "22.1.8"
  std::string build;    // what tells two builds of one version apart
  std::string target;   // default triple
  std::vector<ObservationInfo> observations;
  std::vector<MetricInfo> metrics;
  std::vector<TransformInfo> transforms;
  // The observation that is the program itself, in the form that open() takes: "bitcode".
  std::string program = {};
  // For a backend that is a worker and nothing else (engine/worker_only.h): what can be done, and what
  // results are compared with, the usual one first. LLVM's actions are those of a manifest, its baselines
  // clang's.
  std::vector<Action> actions = {};
  std::vector<Action> baselines = {};
};

// Makes sessions. Thread-safe.
class Backend {
 public:
  virtual ~Backend() = default;

  virtual Result<BackendInfo> describe() = 0;

  // A session on `spec`, reset. kCorrupt or kUnsupported if the program, an action or the settings
  // are none of this backend.
  virtual Result<std::unique_ptr<Session>> open(SessionSpec spec) = 0;

  // A number that changes whenever a step begun in one of this backend's sessions may have become ready,
  // and a wait for that: returns once activity() differs from `seen`, or after `seconds`.
  // With `spin` a processor may be kept busy while that is likely to be soon.
  virtual std::uint32_t activity() const { return 0; }
  virtual void awaitActivity(std::uint32_t seen, double seconds, bool spin);
};

}  // namespace ordo::env
