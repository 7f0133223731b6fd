// One trial is one action on one program, in all its states. Trials are numbered program by program,
// so that a thread opens a program once and keeps it for many trials:
//
//   start sessions: raw ───────── fork, apply action, look; fork, apply, compare; ...
//                   cleaned up ── fork, apply action, look; fork, apply, compare; ...
//
// When an action kills the worker, the start session is rebuilt by its next fork.
#include "spaces/probe.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <thread>

#include "notation/action.h"
#include "support/team.h"

namespace ordo::spaces {
namespace {

using env::ActionIndex;
using env::Measurement;
using env::StepStatus;

ProbeStatus toProbeStatus(StepStatus status) {
  switch (status) {
    case StepStatus::kOk:
      return ProbeStatus::kOk;
    case StepStatus::kVerifierFailed:
      return ProbeStatus::kVerifier;
    case StepStatus::kExportsChanged:
      return ProbeStatus::kExports;
    case StepStatus::kRejected:
      return ProbeStatus::kRejected;
    case StepStatus::kCrashed:
      return ProbeStatus::kCrash;
    case StepStatus::kTimedOut:
      return ProbeStatus::kHang;
    case StepStatus::kOutOfMemory:
      return ProbeStatus::kMemory;
  }
  return ProbeStatus::kCrash;
}

// Adds what happened elsewhere; the first of the worst tells its story.
void merge(ProbeResult& total, const ProbeResult& other) {
  const bool worse = other.status > total.status;
  if (worse || (other.status == total.status && total.detail.empty())) total.detail = other.detail;
  if (worse) total.status = other.status;
  total.changed += other.changed;
  total.of += other.of;
  total.deterministic = total.deterministic && other.deterministic;
}

// A program in one of the states that actions are tried in.
struct Start {
  std::string name;  // "suite/wc, raw"
  std::unique_ptr<env::Session> session;
  std::vector<Hash128>
      neutral;  // after doing nothing in each of the ways there are; the first is really nothing
};

using Way = std::vector<ActionIndex>;

// What is on trial: an action, and which way of doing nothing is to be told apart from it.
struct Suspect {
  ActionIndex action;
  std::size_t neutral;
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
  if (metric != nullptr && !metric->empty() && *hash != start.neutral.front()) {
    ORDO_TRY_ASSIGN(const Measurement measured, session->measure(*metric));
    if (!measured.ok())
      return Run{measured.status, fmt::format("measuring {}: {}", *metric, measured.detail), {}};
  }
  return Run{StepStatus::kOk, {}, *hash};
}

Result<ProbeResult> tryFrom(const Start& start, Suspect suspect, const ProbeOptions& options) {
  ORDO_TRY_ASSIGN(const Run first, runOnce(start, suspect.action, &options.metric));
  ProbeResult result{toProbeStatus(first.status), 0, 1, true, {}};
  if (result.status != ProbeStatus::kOk) {
    result.detail = fmt::format("{}: {}", start.name, first.detail);
    return result;
  }
  result.changed = first.hash != start.neutral.front() && first.hash != start.neutral[suspect.neutral];
  for (int run = 1; run < options.runs; ++run) {
    ORDO_TRY_ASSIGN(const Run again, runOnce(start, suspect.action, nullptr));
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
  Prober(env::Backend& backend, const std::vector<env::SessionSpec>& corpus, const Candidates& candidates,
         const ProbeOptions& options)
      : backend_(backend), corpus_(corpus), options_(options) {
    for (const Candidate& candidate : candidates.actions) addSuspects(candidate);
    for (const std::string& text : neutrals_) {
      ways_to_neutral_.push_back(text.empty() ? Way{} : Way{add({"nothing", notation::kPipeline, text})});
    }
    for (const ProbeState& state : options.states) {
      Way way;
      for (const env::Action& action : state.actions) way.push_back(add(action));
      ways_to_state_.push_back(std::move(way));
    }
    results_.resize(corpus.size() * suspects_.size());
  }

  // The results of each way to write each candidate, in order, over the whole corpus.
  Result<std::vector<ProbeResult>> run() {
    const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
    const unsigned jobs = options_.jobs == 0 ? cores : options_.jobs;
    Team(teamSize(jobs, results_.size())).run([this](unsigned) { work(); });
    if (error_) return fail(*error_);
    if (done_ < results_.size()) return fail(ErrorCode::kDeadlineExceeded, "probing was stopped");
    std::vector<ProbeResult> totals(suspects_.size());
    for (std::size_t trial = 0; trial < results_.size(); ++trial)
      merge(totals[trial % suspects_.size()], results_[trial]);
    return totals;
  }

 private:
  void work() {
    std::vector<Start> starts;
    std::optional<std::size_t> opened;
    while (!options_.stop.stop_requested()) {
      const std::size_t trial = next_++;
      if (trial >= results_.size()) return;
      if (const std::size_t program = trial / suspects_.size(); program != opened) {
        Result<std::vector<Start>> fresh = open(corpus_[program]);
        if (!fresh) return giveUp(std::move(fresh).error());
        starts = *std::move(fresh);
        opened = program;
      }
      for (const Start& start : starts) {
        const Suspect suspect = suspects_[trial % suspects_.size()];
        Result<ProbeResult> result = tryFrom(start, suspect, options_);
        if (!result) return giveUp(std::move(result).error().context(actions_[suspect.action].name));
        merge(results_[trial], *result);
      }
      const std::lock_guard lock(mutex_);
      ++done_;
      if (options_.progress) options_.progress(done_, results_.size());
    }
  }

  void addSuspects(const Candidate& candidate) {
    const char* kind = actionKind(candidate.kind);
    auto neutral = std::find(neutrals_.begin(), neutrals_.end(), candidate.neutral);
    if (neutral == neutrals_.end()) neutral = neutrals_.insert(neutral, candidate.neutral);
    const auto number = static_cast<std::size_t>(neutral - neutrals_.begin());
    for (const std::string& text : candidate.texts) {
      suspects_.push_back({add({candidate.name, kind, text}), number});
    }
  }

  ActionIndex add(env::Action action) {
    actions_.push_back(std::move(action));
    return static_cast<ActionIndex>(actions_.size() - 1);
  }

  Result<std::vector<Start>> open(const env::SessionSpec& program) {
    env::SessionSpec spec = program;
    spec.actions = actions_;
    std::vector<Start> starts;
    for (std::size_t state = 0; state < options_.states.size(); ++state) {
      Start start{fmt::format("{}, {}", spec.name, options_.states[state].name), nullptr, {}};
      ORDO_TRY_ASSIGN(start.session, backend_.open(spec));
      ORDO_TRY(lead(*start.session, ways_to_state_[state], start.name));
      for (const Way& way : ways_to_neutral_) {
        ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, start.session->fork());
        ORDO_TRY(lead(*session, way, start.name));
        ORDO_TRY_ASSIGN(const Hash128 hash, session->stateHash());
        start.neutral.push_back(hash);
      }
      starts.push_back(std::move(start));
    }
    return starts;
  }

  // Applies actions that must work: what is wrong afterwards would be blamed on every candidate.
  static Status lead(env::Session& session, const Way& way, std::string_view where) {
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session.apply(way));
    if (!outcome.ok()) return fail(ErrorCode::kInvalidArgument, "{}: {}", where, outcome.detail);
    ORDO_TRY_ASSIGN(const Measurement verdict, session.verify());
    if (!verdict.ok()) return fail(ErrorCode::kInvalidArgument, "{}: {}", where, verdict.detail);
    return {};
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
  std::vector<std::string> neutrals_{""};
  std::vector<Suspect> suspects_;
  std::vector<Way> ways_to_neutral_;
  std::vector<Way> ways_to_state_;
  std::vector<env::Action> actions_;  // of all of these
  std::vector<ProbeResult> results_;  // one per trial, written by whoever runs it
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

std::vector<ProbeState> defaultStates() {
  const env::Action mandatory{"mandatory", notation::kPipeline, "always-inline"};
  const env::Action clean_up{"clean-up", notation::kPipeline,
                             "function(sroa,early-cse<memssa>,simplifycfg,instcombine<no-verify-fixpoint>)"};
  const env::Action inlining{"inlining", notation::kPipeline, "inliner-wrapper"};
  const env::Action no_minsize{"-minsize", notation::kAttribute, "-minsize"};
  const env::Action no_optsize{"-optsize", notation::kAttribute, "-optsize"};
  return {{"raw", {mandatory}},
          {"cleaned up", {mandatory, clean_up}},
          {"for speed", {no_minsize, no_optsize, clean_up, inlining, clean_up}},
          {"optimised", {{"optimised", notation::kPipeline, "default<O2>"}}}};
}

Result<Manifest> probe(env::Backend& backend, const std::vector<env::SessionSpec>& corpus,
                       const Candidates& candidates, const ProbeOptions& options) {
  ORDO_TRY_ASSIGN(env::BackendInfo info, backend.describe());
  ORDO_TRY_ASSIGN(const std::vector<ProbeResult> results, Prober(backend, corpus, candidates, options).run());

  Manifest manifest{info.name,
                    info.version,
                    info.build,
                    info.target,
                    {},
                    corpusHash(corpus).hex(),
                    options.generated_by,
                    {},
                    candidates.skipped};
  for (const env::SessionSpec& program : corpus) manifest.programs.push_back(program.name);
  std::size_t first = 0;
  for (const Candidate& candidate : candidates.actions) {
    std::size_t best = 0;
    for (std::size_t way = 1; way < candidate.texts.size(); ++way) {
      if (results[first + way].status < results[first + best].status) best = way;
    }
    manifest.rows.push_back({candidate.name, candidate.kind, candidate.level, candidate.texts[best],
                             candidate.params, results[first + best], std::nullopt});
    first += candidate.texts.size();
  }
  return manifest;
}

}  // namespace ordo::spaces
