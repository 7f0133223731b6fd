// One trial is one action on one program, in all its states. Trials are numbered program by program,
// so that a thread opens a program once and keeps it for many trials:
//
//   start sessions: raw ───────────── fork, apply action, look; fork, apply, compare; ...
//                   raw + clean-up ── fork, apply action, look; fork, apply, compare; ...
//
// When an action kills the worker, the start session is rebuilt by its next fork.
#include "spaces/probe.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

namespace ordo::spaces {
namespace {

using env::ActionIndex;
using env::Measurement;
using env::StepStatus;

ProbeStatus toProbeStatus(StepStatus status) {
  switch (status) {
    case StepStatus::kOk: return ProbeStatus::kOk;
    case StepStatus::kVerifierFailed: return ProbeStatus::kVerifier;
    case StepStatus::kExportsChanged: return ProbeStatus::kExports;
    case StepStatus::kRejected: return ProbeStatus::kRejected;
    case StepStatus::kCrashed: return ProbeStatus::kCrash;
    case StepStatus::kTimedOut: return ProbeStatus::kHang;
    case StepStatus::kOutOfMemory: return ProbeStatus::kMemory;
  }
  return ProbeStatus::kCrash;
}

// Adds what happened elsewhere; the first of the worst failures tells its story.
void merge(ProbeResult& total, const ProbeResult& other) {
  if (other.status > total.status) {
    total.status = other.status;
    total.detail = other.detail;
  }
  total.changed += other.changed;
  total.of += other.of;
  total.deterministic = total.deterministic && other.deterministic;
}

// A program in one of the states that actions are tried in.
struct Start {
  std::string name;  // "suite/wc, raw"
  std::unique_ptr<env::Session> session;
  Hash128 hash;
};

struct Run {
  StepStatus status = StepStatus::kOk;
  std::string detail;
  Hash128 hash;  // of the result, if ok
};

// Applies `action` in a fork of `start`. With `metric`, checks the result as well.
Result<Run> runOnce(const Start& start, ActionIndex action, const std::string* metric) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, start.session->fork());
  ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply({&action, 1}));
  if (!outcome.ok()) return Run{outcome.status, outcome.detail, {}};
  if (metric != nullptr) {
    ORDO_TRY_ASSIGN(const Measurement verdict, session->verify());
    if (!verdict.ok()) return Run{verdict.status, verdict.detail, {}};
  }
  // The program is written out for its hash, and what the verifier overlooked may kill that.
  const Result<Hash128> hash = session->stateHash();
  if (!hash) return Run{StepStatus::kCrashed, hash.error().message, {}};
  if (metric != nullptr && !metric->empty() && *hash != start.hash) {
    ORDO_TRY_ASSIGN(const Measurement measured, session->measure(*metric));
    if (!measured.ok()) return Run{measured.status, fmt::format("measuring {}: {}", *metric, measured.detail), {}};
  }
  return Run{StepStatus::kOk, {}, *hash};
}

Result<ProbeResult> tryFrom(const Start& start, ActionIndex action, const ProbeOptions& options) {
  ORDO_TRY_ASSIGN(const Run first, runOnce(start, action, &options.metric));
  ProbeResult result{toProbeStatus(first.status), 0, 1, true, {}};
  if (result.status != ProbeStatus::kOk) {
    result.detail = fmt::format("{}: {}", start.name, first.detail);
    return result;
  }
  result.changed = first.hash != start.hash;
  for (int run = 1; run < options.runs; ++run) {
    ORDO_TRY_ASSIGN(const Run again, runOnce(start, action, nullptr));
    if (again.status == StepStatus::kOk && again.hash == first.hash) continue;
    result.deterministic = false;
    result.status = toProbeStatus(again.status);
    result.detail = fmt::format("{}, run {}: {}", start.name, run + 1,
                                again.detail.empty() ? "another result than the first" : again.detail);
    break;
  }
  return result;
}

class Prober {
 public:
  Prober(env::Backend& backend, const std::vector<env::SessionSpec>& corpus, std::vector<env::Action> actions,
         const ProbeOptions& options)
      : backend_(backend), corpus_(corpus), options_(options), tried_(actions.size()), actions_(std::move(actions)) {
    if (!options.clean_up.empty()) {
      actions_.push_back({"clean-up", env::ActionKind::kPipeline, options.clean_up});
    }
    results_.resize(corpus.size() * tried_);
  }

  // The result of each action over the whole corpus.
  Result<std::vector<ProbeResult>> run() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned jobs = options_.jobs == 0 ? cores : options_.jobs;
    {
      std::vector<std::jthread> threads;
      for (unsigned job = 0; job < jobs; ++job) threads.emplace_back([this] { work(); });
    }
    if (error_) return fail(*error_);
    if (done_ < results_.size()) return fail(ErrorCode::kDeadlineExceeded, "probing was stopped");
    std::vector<ProbeResult> totals(tried_);
    for (std::size_t trial = 0; trial < results_.size(); ++trial) merge(totals[trial % tried_], results_[trial]);
    return totals;
  }

 private:
  void work() {
    std::vector<Start> starts;
    std::optional<std::size_t> opened;
    while (!options_.stop.stop_requested()) {
      const std::size_t trial = next_++;
      if (trial >= results_.size()) return;
      if (const std::size_t program = trial / tried_; program != opened) {
        Result<std::vector<Start>> fresh = open(corpus_[program]);
        if (!fresh) return giveUp(std::move(fresh).error());
        starts = *std::move(fresh);
        opened = program;
      }
      for (const Start& start : starts) {
        Result<ProbeResult> result = tryFrom(start, static_cast<ActionIndex>(trial % tried_), options_);
        if (!result) return giveUp(std::move(result).error().context(actions_[trial % tried_].name));
        merge(results_[trial], *result);
      }
      const std::lock_guard lock(mutex_);
      ++done_;
      if (options_.progress) options_.progress(done_, results_.size());
    }
  }

  Result<std::vector<Start>> open(const env::SessionSpec& program) {
    env::SessionSpec spec = program;
    spec.actions = actions_;
    std::vector<Start> starts(options_.clean_up.empty() ? 1 : 2);
    for (Start& start : starts) {
      ORDO_TRY_ASSIGN(start.session, backend_.open(spec));
      start.name = fmt::format("{}, {}", spec.name, &start == &starts.front() ? "raw" : "cleaned up");
      if (&start != &starts.front()) {
        const auto clean_up = static_cast<ActionIndex>(tried_);
        ORDO_TRY_ASSIGN(const env::StepOutcome outcome, start.session->apply({&clean_up, 1}));
        if (!outcome.ok()) return fail(ErrorCode::kInvalidArgument, "the clean-up fails on {}: {}", spec.name, outcome.detail);
      }
      ORDO_TRY_ASSIGN(start.hash, start.session->stateHash());
    }
    return starts;
  }

  // Ends all threads at their next trial.
  void giveUp(Error error) {
    const std::lock_guard lock(mutex_);
    if (!error_) error_ = std::move(error);
    next_ = results_.size();
  }

  env::Backend& backend_;
  const std::vector<env::SessionSpec>& corpus_;
  const ProbeOptions& options_;
  const std::size_t tried_;            // how many of actions_ are on trial
  std::vector<env::Action> actions_;   // those, then the clean-up
  std::vector<ProbeResult> results_;   // one per trial, written by whoever runs it
  std::atomic<std::size_t> next_ = 0;
  std::mutex mutex_;  // guards what follows
  std::size_t done_ = 0;
  std::optional<Error> error_;
};

Hash128 corpusHash(const std::vector<env::SessionSpec>& corpus) {
  std::string hashes;
  for (const env::SessionSpec& program : corpus) hashes += hashBytes(program.program).hex() + '\n';
  return hashBytes(hashes);
}

}  // namespace

Result<Manifest> probe(env::Backend& backend, const std::vector<env::SessionSpec>& corpus,
                       const Candidates& candidates, const ProbeOptions& options) {
  ORDO_TRY_ASSIGN(env::BackendInfo info, backend.describe());
  // Every way to write every candidate.
  std::vector<env::Action> actions;
  for (const Candidate& candidate : candidates.actions) {
    const env::ActionKind kind =
        candidate.kind == RowKind::kAttribute ? env::ActionKind::kAttribute : env::ActionKind::kPipeline;
    for (const std::string& text : candidate.texts) actions.push_back({candidate.name, kind, text});
  }
  ORDO_TRY_ASSIGN(const std::vector<ProbeResult> results, Prober(backend, corpus, actions, options).run());

  Manifest manifest{info.name, info.version, info.build, info.target, {}, corpusHash(corpus).hex(),
                    options.generated_by, {}, candidates.skipped};
  for (const env::SessionSpec& program : corpus) manifest.programs.push_back(program.name);
  std::size_t first = 0;
  for (const Candidate& candidate : candidates.actions) {
    std::size_t best = first;
    for (std::size_t way = first; way < first + candidate.texts.size(); ++way) {
      if (results[way].status < results[best].status) best = way;
    }
    manifest.rows.push_back({candidate.name, candidate.kind, candidate.level, actions[best].text,
                             candidate.params, results[best], std::nullopt});
    first += candidate.texts.size();
  }
  return manifest;
}

}  // namespace ordo::spaces
