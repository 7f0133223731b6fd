// The evaluator answers "what is this sequence worth?" as often and as cheaply as it can. Searchers
// hand it batches; it spreads them over lanes (one root session and one thread each) and avoids
// work in this order: a sequence it has seen, a sequence whose beginning is known to be fatal, the
// part of a sequence that leads to a snapshot (prefix_cache.h), measuring a program it has measured
// (by state hash), and measuring one that the cheaper screening metric rules out.
//
// Threads: evaluate() and limit() belong to one thread; the const functions are safe from any.
// With one lane nothing runs on another thread, and equal calls give equal answers.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "env/preference.h"
#include "search/evaluation/budget.h"
#include "search/evaluation/evaluation.h"
#include "search/evaluation/lane.h"
#include "search/evaluation/memory.h"
#include "search/evaluation/objective.h"
#include "search/evaluation/rollout.h"
#include "support/clock.h"
#include "support/team.h"

namespace ordo::search {

struct EvaluatorOptions {
  unsigned jobs = 1;                                  // lanes
  std::size_t snapshots = 256;                        // per lane, at most
  std::size_t snapshot_bytes = std::size_t{1} << 30;  // of all lanes together, roughly
  std::size_t large_program = std::size_t{1} << 17;   // bytes from which a pass may take a tenth of a second
  const std::atomic<bool>* stop = nullptr;            // Ctrl-C: once true, done(); may be null
  std::shared_ptr<const Clock> clock = std::make_shared<SteadyClock>();
};

struct Statistics {
  static constexpr std::size_t kStatuses = static_cast<std::size_t>(env::StepStatus::kOutOfMemory) + 1;

  double seconds = 0;                // since the evaluator was opened
  std::uint64_t evaluations = 0;     // sequences answered, in whatever way
  std::uint64_t passes = 0;          // actions applied
  std::uint64_t measurements = 0;    // of the objective's metric
  std::uint64_t screened = 0;        // ruled out by the screening metric
  std::uint64_t beyond = 0;          // ruled out by a limit
  std::uint64_t sequence_hits = 0;   // answered because the sequence, or a fatal start of it, was known
  std::uint64_t duplicate_hits = 0;  // answered because the resulting program was known
  std::uint64_t prefix_hits = 0;     // started from a snapshot
  std::uint64_t snapshots = 0;       // taken
  std::uint64_t divergences = 0;     // fresh answers that contradict what the caches had said
  std::array<std::uint64_t, kStatuses> failures{};  // by env::StepStatus; those recalled count as hits
  std::optional<double> best;                       // the lowest value measured

  // What another evaluator did, after this one or for it: sums, and the lower best.
  Statistics& operator+=(const Statistics& other);
};

class Evaluator {
 public:
  // Opens one session per lane on `spec`. Fails as the backend does, and as parsePreference() where the
  // objective is none. `backend` must outlive it.
  static Result<std::unique_ptr<Evaluator>> open(env::Backend& backend, const env::SessionSpec& spec,
                                                 Objective objective, EvaluatorOptions options = {});

  // One answer per sequence, in order. Once done(), the rest of the batch is kSkipped.
  // REQUIRES: every action is one of spec().actions.
  std::vector<Evaluation> evaluate(std::vector<Sequence> batch, Effort effort = Effort::kScreened);
  Evaluation evaluateOne(Sequence sequence, Effort effort = Effort::kScreened);

  // From now on `on_answer` is told every answer, whoever asks (a searcher, the confirmation, the minimiser),
  // one at a time; not what is skipped. With one job in order and on the thread that asks, else as they come
  // and on any. Returns who was told until now.
  using OnAnswer = std::function<void(const Evaluation&)>;
  OnAnswer listen(OnAnswer on_answer);

  // The same for rollouts, each of which is one evaluation of the sequence that it ends with, after
  // `max_length` actions at the latest. What has been seen of states stays known as long as the observations
  // are the same. When time is up or the stop flag is, rollouts under way end where they are.
  // REQUIRES: no start is longer than that.
  std::vector<Evaluation> evaluate(std::vector<Rollout> batch, const std::vector<std::string>& observations,
                                   std::size_t max_length);

  // Where sequences lead as rollouts, without what does nothing on the way: what `observations` say of each
  // end. Nothing where one fails or time is up. Nothing is measured, so none is an evaluation; passes and
  // time count.
  struct Place {
    Sequence actions;
    std::shared_ptr<const SeenState> state;  // null: nothing
  };
  std::vector<Place> look(const std::vector<Sequence>& sequences,
                          const std::vector<std::string>& observations);

  // What the observation `name` says where `answer` led, from the nearest snapshot; nothing if that is
  // another state now. Neither an evaluation nor counted.
  Result<std::optional<std::string>> observe(const Evaluation& answer, std::string_view name);

  // From now on done() when these totals, counted since open(), are reached. No answer is begun that would
  // not be there in time if it takes as long as those before it, and of large programs none is gone on with.
  void limit(const Budget& budget);

  // From now on these are the objective's limits, of the same metrics in the same order. What is known
  // already is not judged anew. REQUIRES: nothing is known that is beyond one of them.
  void within(std::vector<Limit> limits) { objective_.limits = std::move(limits); }

  // How long an answer takes that is worked out, on average, in seconds; 0 before the first.
  double answerSeconds() const;

  // The limit is reached, or would be by the next answer, the stop flag is up, a session failed (see
  // status()), or so many answers in a row came from memory that the searcher must have exhausted its space.
  bool done() const;

  // The share of the limit that is used, in [0, 1], by whatever is used most; 0 without a limit.
  double progress() const;

  // Evaluations until the limit; infinite without one, and 0 at least.
  double evaluationsLeft() const;

  // Whether the stop flag is up.
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed); }

  // The first error of a session: one of ours, which no candidate is to blame for.
  Status status() const;

  Statistics statistics() const;
  const env::SessionSpec& spec() const { return lanes_.front().spec(); }
  const Objective& objective() const { return objective_; }
  unsigned jobs() const { return team_.size(); }

 private:
  Evaluator(std::vector<Lane> lanes, Objective objective, env::Preference preference,
            EvaluatorOptions options, double start_s);

  StateGraph& graphOf(const std::vector<std::string>& observations);
  bool claim(Effort effort, Evaluation& result);
  using Answer = std::function<Status(Lane& lane, std::size_t index)>;
  void answerAll(std::span<Evaluation> results, Effort effort, const Answer& answer);
  Status answer(Lane& lane, Effort effort, Evaluation& result);
  bool recall(std::span<const Hash128> prefixes, std::size_t passes, Effort effort, Evaluation& result);
  Status conclude(Replay& replay, std::span<const Hash128> prefixes, Effort effort, Evaluation& result);
  Status measure(env::Session& session, Effort effort, Evaluation& result);
  Status measureLimits(env::Session& session, bool estimate, Evaluation& result);
  bool screenedOut(double screen) const;
  bool outOfTime(double needed_s = 0) const;
  bool doneLocked() const;
  double elapsed() const { return options_.clock->seconds() - start_s_; }

  Objective objective_;
  const env::Preference preference_;  // that objective_.metric says
  const EvaluatorOptions options_;
  const double start_s_;
  std::vector<Lane> lanes_;  // by member of the team
  Team team_;
  std::unique_ptr<StateGraph> graph_ = std::make_unique<StateGraph>();
  std::vector<std::string> graph_observations_;

  mutable std::mutex mutex_;  // guards what follows
  Budget budget_;
  Statistics statistics_;
  std::optional<Error> error_;
  Memory memory_;
  std::uint64_t hits_in_a_row_ = 0;
  double best_screen_ = 0;  // the screening metric of the best so far
  // How long answers that were worked out have taken, and the measuring at the end of them.
  struct Pace {
    double seconds = 0;
    std::uint64_t count = 0;
    void add(double of_one) { seconds += of_one, ++count; }
    double mean() const { return count == 0 ? 0 : seconds / static_cast<double>(count); }
  };
  Pace answering_, measuring_;

  std::mutex answer_mutex_;
  OnAnswer on_answer_;  // may be empty
};

}  // namespace ordo::search
