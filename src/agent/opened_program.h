// A program as the tools see it: opened once, measured and searched as often as its budget lets, and
// submitted in the end. What is counted stands here and nowhere else: a compile is a sequence that was
// answered, as in `ordo eval`, also inside of a search; what is asked again is known and free.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/engine.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "search/driver/driver.h"
#include "search/evaluation/evaluator.h"
#include "spaces/space.h"
#include "support/error.h"
#include "support/files.h"
#include "tune/critic.h"
#include "tune/job.h"
#include "tune/tune.h"

namespace ordo::agent {

// Set by whoever wants no more; shared with what may outlive them.
using StopFlag = std::shared_ptr<const std::atomic<bool>>;

struct Costs {
  double compiles = 0;
  double seconds = 0;  // inside of tools
};

// Whoever counts what is measured, where that is not the program itself: in a study all methods are counted
// by one evaluator.
struct Judge {
  search::Evaluator* evaluator = nullptr;  // of the same program, actions and objective; outlives the program
  std::vector<search::Evaluation> seeds;   // of the baseline and of the program as it is, in this order
};

struct OpenOptions {
  std::string objective = env::kTextBytes;
  Costs budget{200, 60};
  std::uint64_t seed = 1;
  engine::Learned learned = {};
  std::vector<std::string> limits = {};  // as of tune::TuneOptions
  StopFlag stop = {};                    // ends what is under way soon after it becomes true
  // Of a recipe, which may have some that no space has, as what a run said of the program.
  std::vector<env::Action> more = {};
  // With one, what is submitted is measured and not proved: its owner replays what he reports.
  Judge judge = {};
};

// One thread at a time. What it is made of must outlive it.
class OpenedProgram {
 public:
  // Longer sequences are refused.
  static constexpr std::size_t kMaxLength = 60;

  // Measures the program as it is and after the baseline, which is not of the budget. Errors as of
  // tune::Job::start().
  static Result<std::unique_ptr<OpenedProgram>> open(engine::Engine& engine, engine::Input input,
                                                     spaces::Space space, OpenOptions options);

  engine::Engine& engine() const { return engine_; }
  const engine::Input& input() const { return input_; }
  const spaces::Space& space() const { return space_; }
  const std::string& objective() const { return options_.objective; }
  std::uint64_t seed() const { return options_.seed; }
  const engine::Learned& learned() const { return options_.learned; }
  const std::vector<env::Action>& more() const { return options_.more; }
  const std::atomic<bool>* stop() const { return options_.stop.get(); }
  std::string baselineName() const { return input_.toolchain->baselineName(input_); }
  // Of the objective, after the baseline and of the program as it is.
  double baselineValue() const { return baseline_value_; }
  double startValue() const { return start_value_; }
  // How much less than the baseline a value is, as a fraction of it.
  double gain(double value) const;

  // What sequences are applied to, in the backend's form.
  const std::string& program() const { return job_->spec().program; }
  const env::SessionSpec& spec() const { return job_->spec(); }
  std::vector<env::Action> actionsOf(const search::Sequence& sequence) const;
  std::span<const env::Action> actions() const { return job_->spec().actions; }
  env::ActionIndex baseline() const { return job_->baseline(); }
  // kInvalidArgument that suggests the nearest name, or for too many.
  Result<search::Sequence> read(const std::vector<std::string>& names) const;
  std::vector<std::string> names(const search::Sequence& sequence) const;

  // The best that was measured; the baseline's at first.
  const search::Evaluation& best() const { return best_; }

  // The value of a sequence. kDeadlineExceeded if the budget is used up or it was stopped; kUnsupported, with
  // its reason, if the sequence fails.
  Result<search::Evaluation> measure(const search::Sequence& sequence);

  // What leaving out each of its actions costs: as many compiles as there are, fewer if the budget ends.
  Result<std::vector<search::Contribution>> explain(const search::Evaluation& evaluation);

  // The best that a search finds which begins with the baseline, the program as it is and `from`, in at most
  // so many compiles.
  struct Searched {
    search::Evaluation best;
    std::vector<search::Evaluation> others;
  };
  // `on_answer` hears each, and the how-many-th it is; it may be empty.
  using OnAnswer = std::function<void(double answers, const search::Evaluation& answer)>;
  Result<Searched> search(const search::SearcherInfo& searcher, const search::Sequence& from, double compiles,
                          std::uint64_t seed, const OnAnswer& on_answer = {});

  // A fresh session with all actions, at the program as it is.
  Result<std::unique_ptr<env::Session>> session() { return engine_.backend().open(job_->spec()); }

  // A fresh session in which the sequence was applied, or its beginning. kUnsupported if that fails.
  Result<std::unique_ptr<env::Session>> walk(std::span<const env::ActionIndex> sequence);
  Result<engine::State> reach(const search::Sequence& sequence);

  // Null, with the reason, where there is no policy for this objective and space.
  Result<tune::Critic*> critic();

  // What `sequence` comes to, through the gate of `ordo tune`; the baseline where it is no better or the gate
  // refuses it. Nothing can be measured afterwards.
  Result<tune::Tuned> submit(const search::Sequence& sequence);
  bool submitted() const { return submitted_.has_value(); }
  // What was submitted, as it was measured. REQUIRES: submitted().
  const search::Evaluation& answer() const { return *submitted_; }

  // The host says when a tool begins and how long it took.
  void spend(double seconds) { spent_.seconds += seconds; }
  // Compiles so far, and seconds of tools that have ended.
  Costs spent() const;
  Costs left() const;

 private:
  OpenedProgram(engine::Engine& engine, engine::Input input, spaces::Space space, OpenOptions options)
      : engine_(engine), input_(std::move(input)), space_(std::move(space)), options_(std::move(options)) {}

  Status start();
  // The baseline and the program as it is, measured.
  Result<std::vector<search::Evaluation>> openEvaluator();
  // Lets the evaluator answer so many more sequences, as far as the budget has them; an error if it has none.
  Status allow(double compiles);
  void remember(const search::Evaluation& evaluation);
  Result<tune::Tuned> prove(const search::Evaluation& evaluation);

  engine::Engine& engine_;
  const engine::Input input_;
  const spaces::Space space_;
  const OpenOptions options_;
  tune::TuneOptions tune_options_;
  std::optional<tune::Job> job_;  // of those above
  std::unique_ptr<search::Evaluator> own_;
  search::Evaluator* evaluator_ = nullptr;  // own_, or the judge's
  std::optional<search::Knowledge> knowledge_;
  std::optional<tune::Critic> critic_;
  double baseline_value_ = 0, start_value_ = 0;
  double opened_ = 0;  // answers that were there when it was opened
  std::map<search::Sequence, search::Evaluation> known_;
  search::Evaluation best_;
  Costs spent_;
  std::optional<search::Evaluation> submitted_;
};

// What is said of a sequence that failed.
std::string failureOf(const search::Evaluation& evaluation);

}  // namespace ordo::agent
