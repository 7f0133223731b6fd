// The constructor of Collector lists the runs that are missing, all of one seed before those of the next; the
// members of a team then take the next from a counter, and make() is one run. A program is made ready under
// its Shelf's mutex, so that whoever else needs it waits for that instead of doing it again. Each run has a
// site of its own. blame() tells errors of ours from those of the program; the latter become omissions, which
// the program's other runs then find in the writer. No search holds mutex_.
#include "campaigns/collect.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <optional>
#include <set>

#include "campaigns/collect_run.h"
#include "datasets/dataset.h"
#include "engine/input.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "search/catalog/catalog.h"
#include "support/clock.h"
#include "support/team.h"
#include "support/text.h"

namespace ordo::campaigns {
namespace {

using experience::RunKey;

// A program, made ready by whoever needs it first and forgotten after its last run.
struct Shelf {
  std::mutex mutex;
  std::shared_ptr<const study::Subject> subject;
  std::atomic<std::size_t> runs_left = 0;
};

class Collector {
 public:
  Collector(study::Host& host, const experience::Header& header, experience::Writer& writer,
            const CollectOptions& options)
      : host_(host), header_(header), writer_(writer), options_(options) {
    for (std::uint64_t seed = options.first_seed; seed < options.first_seed + options.seeds; ++seed) {
      for (const std::string& uri : options.programs) {
        for (const search::Objective& objective : options.objectives) {
          for (const search::SearcherInfo* const searcher : options.searchers)
            plan({uri, objective.metric, std::string(searcher->name), seed});
        }
      }
    }
  }

  Result<CollectProgress> run() {
    Team(teamSize(options_.jobs, runs_.size())).run([this](unsigned) { work(); });
    if (error_) return fail(*std::move(error_));
    progress_.seconds = SteadyClock().seconds() - start_s_;
    progress_.stopped = progress_.done + progress_.left_out < progress_.total;
    return progress_;
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void plan(RunKey key) {
    ++progress_.total;
    if (writer_.runs().contains(key)) {
      ++progress_.done;
    } else if (writer_.leavesOut(key.uri, key.objective)) {
      ++progress_.left_out;
    } else {
      ++shelves_[key.uri].runs_left;
      runs_.push_back(std::move(key));
    }
  }

  void work() {
    for (std::size_t i = next_++; i < runs_.size() && !stopped() && !broken_; i = next_++) {
      Shelf& shelf = shelves_.at(runs_[i].uri);
      Status made = make(runs_[i], shelf);
      if (--shelf.runs_left == 0) shelf.subject.reset();
      if (made || made.error().code == ErrorCode::kDeadlineExceeded) continue;
      const std::lock_guard lock(mutex_);
      if (!error_) error_ = std::move(made).error();
      broken_ = true;
    }
  }

  // One run, or a reason why there is none. An error is not the program's.
  Status make(const RunKey& key, Shelf& shelf) {
    if (leftOutMeanwhile(key)) return {};
    Result<std::shared_ptr<const study::Subject>> subject = subjectOf(key.uri, shelf);
    if (!subject) return blame(key, "", std::move(subject).error());
    Result<experience::Run> run = runOn(**subject, key);
    if (!run) return blame(key, key.objective, std::move(run).error());
    const std::lock_guard lock(mutex_);
    ORDO_TRY(writer_.add(*std::move(run)));
    ++progress_.done;
    report(key);
    return {};
  }

  Result<experience::Run> runOn(const study::Subject& subject, const RunKey& key) {
    if (!study::valueOf(subject.program, header_.baseline, key.objective)) {
      return fail(ErrorCode::kUnsupported, "{} of it under {} cannot be measured", key.objective,
                  header_.baseline);
    }
    ORDO_TRY_ASSIGN(const std::unique_ptr<study::Site> site, host_.openSite());
    CollectRunOptions options;
    options.objective = *std::ranges::find(options_.objectives, key.objective, &search::Objective::metric);
    options.searcher = search::find(key.searcher);
    options.seed = key.seed;
    options.budget = options_.budget;
    options.max_length = header_.max_length;
    options.best = header_.best;
    options.metrics = options_.metrics;
    options.observations = header_.observations;
    options.stop = options_.stop;
    return collectRun(*site, subject, options);
  }

  Result<std::shared_ptr<const study::Subject>> subjectOf(const std::string& uri, Shelf& shelf) {
    const std::lock_guard lock(shelf.mutex);
    if (shelf.subject != nullptr) return shelf.subject;
    ORDO_TRY_ASSIGN(study::Subject subject, host_.prepare(uri));
    subject.program.uri = uri;
    const std::optional<double> size = study::valueOf(subject.program, "initial", env::kIrInstructions);
    if (size && *size > static_cast<double>(header_.max_instructions)) {
      return fail(ErrorCode::kUnsupported, "it has {:.0f} instructions, more than {}", *size,
                  header_.max_instructions);
    }
    if (!std::ranges::equal(subject.spec.actions, header_.actions, {}, &env::Action::name))
      return fail(ErrorCode::kInternal, "{} has other actions than the file of experience", uri);
    return shelf.subject = std::make_shared<const study::Subject>(std::move(subject));
  }

  // Leaves the program out, for this objective or for all (""), unless the error is ours.
  Status blame(const RunKey& key, const std::string& objective, Error error) {
    if (error.code == ErrorCode::kDeadlineExceeded || error.code == ErrorCode::kUnavailable ||
        error.code == ErrorCode::kInternal)
      return fail(std::move(error));
    const std::lock_guard lock(mutex_);
    ++progress_.left_out;
    if (writer_.leavesOut(key.uri, key.objective)) return {};
    ORDO_TRY(writer_.add(experience::Omission{key.uri, objective, error.message}));
    if (options_.note) {
      options_.note(fmt::format("{} is left out{}: {}", key.uri, objective.empty() ? "" : " for " + objective,
                                error.message));
    }
    return {};
  }

  bool leftOutMeanwhile(const RunKey& key) {
    const std::lock_guard lock(mutex_);
    if (!writer_.leavesOut(key.uri, key.objective)) return false;
    ++progress_.left_out;
    return true;
  }

  // REQUIRES: mutex_ is held.
  void report(const RunKey& key) {
    progress_.countMade(SteadyClock().seconds() - start_s_);
    if (options_.on_run) options_.on_run(progress_, key);
  }

  study::Host& host_;
  const experience::Header& header_;
  experience::Writer& writer_;
  const CollectOptions& options_;
  std::vector<RunKey> runs_;  // that are missing
  std::map<std::string, Shelf> shelves_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> broken_ = false;
  const double start_s_ = SteadyClock().seconds();

  std::mutex mutex_;  // guards what follows and the writer
  CollectProgress progress_;
  std::optional<Error> error_;
};

Result<experience::ObservationInfo> observationOf(const env::BackendInfo& info, const std::string& name) {
  std::vector<std::string> names;
  for (const env::ObservationInfo& observation : info.observations) {
    names.push_back(observation.name);
    if (observation.name != name) continue;
    const bool numbers = observation.dtype == DType::kInt64 || observation.dtype == DType::kFloat32;
    if (!numbers || observation.width == 0) {
      return fail(ErrorCode::kInvalidArgument,
                  "states are rows of int64 or float32, and {} is none; take autophase or ir2vec", name);
    }
    return experience::ObservationInfo{name, observation.version, observation.dtype, observation.width};
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("observation", name, names));
}

// The same text for the same budget, however it was written.
Result<std::string> budgetText(const search::Budget& budget) {
  std::vector<std::string> limits;
  if (budget.evaluations < search::Budget::kUnlimited)
    limits.push_back(fmt::format("{}evals", budget.evaluations));
  if (budget.passes < search::Budget::kUnlimited) limits.push_back(fmt::format("{}passes", budget.passes));
  if (budget.seconds < search::Budget::kUnlimited || limits.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "a budget in seconds finds something else each time; write for example --budget 1000evals");
  }
  return fmt::format("{}", fmt::join(limits, ","));
}

}  // namespace

Result<experience::Header> collectHeader(const env::BackendInfo& info, const spaces::Space& space,
                                         const CollectSettings& settings) {
  experience::Header header;
  header.backend = info.name;
  header.version = info.version;
  header.space = space.name;
  header.space_hash = space.hash;
  header.baseline = engine::Baseline{kEvalLevel, false}.name();
  ORDO_TRY_ASSIGN(header.budget, budgetText(settings.budget));
  header.knowledge = settings.knowledge;
  header.max_length = settings.max_length;
  header.max_instructions = settings.max_instructions;
  header.best = settings.best;
  // What the baseline does depends on the program; that it is there, and where, does not.
  engine::Input any;
  any.baseline = {kEvalLevel, false};
  env::ActionIndex baseline = 0;
  for (env::Action& action : engine::candidateActions(any, space, false, baseline))
    header.actions.push_back(std::move(action.name));
  for (const std::string& name : settings.observations) {
    ORDO_TRY_ASSIGN(experience::ObservationInfo observation, observationOf(info, name));
    header.observations.push_back(std::move(observation));
  }
  return header;
}

Result<std::vector<std::string>> trainingPrograms(const std::vector<std::string>& uris) {
  std::vector<std::string> programs;
  std::set<std::string> known;
  for (const std::string& uri : uris) {
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
    ORDO_TRY(checkPurpose(program, RunPurpose::kTraining));
    if (known.insert(program.uri).second) programs.push_back(program.uri);
  }
  return programs;
}

Result<CollectProgress> collect(study::Host& host, const experience::Header& header,
                                experience::Writer& writer, const CollectOptions& options) {
  return Collector(host, header, writer, options).run();
}

}  // namespace ordo::campaigns
