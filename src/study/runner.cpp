// The threads of a Team take the next missing run until there are no more (work(), make()). A program is
// prepared by whoever needs it first, under the lock of its own Shelf, so that only those wait who need the
// same one; one that cannot be used stays there with its failure, which becomes that of each of its runs. The
// writer and the progress have one mutex, taken after a shelf's, never before. Runs are written as they end,
// in no fixed order.
#include "study/runner.h"

#include <algorithm>
#include <map>
#include <mutex>

#include "support/team.h"

namespace ordo::study {
namespace {

// A program of the plan, made ready by whoever needs it first.
struct Shelf {
  std::mutex mutex;
  std::shared_ptr<const Subject> subject;  // with program.failure if it cannot be used
};

class Runner {
 public:
  Runner(Host& host, StudyWriter& writer, const Plan& plan, const RunnerOptions& options)
      : host_(host), writer_(writer), plan_(plan), options_(options), runs_(plan.runs()) {
    for (const Plan::Entry& entry : plan.programs) shelves_.try_emplace(entry.uri);
    for (const Method& method : plan.methods) methods_.emplace(method.name, method);
    for (const search::Objective& objective : plan.objectives)
      objectives_.emplace(objective.metric, objective);
    for (const Plan::Entry& entry : plan.programs) suites_.emplace(entry.uri, entry.suite);
    const std::size_t total = runs_.size();
    std::erase_if(runs_, [&](const RunKey& key) { return writer.finished().contains(key); });
    progression_ = {total, total - runs_.size()};
  }

  Result<Outcome> run() {
    Team(teamSize(plan_.jobs, runs_.size())).run([this](unsigned) { work(); });
    if (error_) return fail(*std::move(error_));
    return Outcome{progression_.now(), stopped()};
  }

 private:
  bool stopped() const { return options_.stop != nullptr && options_.stop->load(); }

  void work() {
    for (std::size_t i = next_++; i < runs_.size() && !stopped() && !broken_; i = next_++) {
      if (Status made = make(runs_[i]); !made && made.error().code != ErrorCode::kDeadlineExceeded) {
        const std::lock_guard lock(mutex_);
        if (!error_) error_ = std::move(made).error();
        broken_ = true;
      }
    }
  }

  // One run, from its program to its record. Each has a site of its own: nothing that another run did to
  // a process, and nothing it learned of crashes, is there.
  Status make(const RunKey& key) {
    ORDO_TRY_ASSIGN(const std::shared_ptr<const Subject> subject, subjectOf(key.program));
    Run run;
    if (subject->program.failure.empty()) {
      ORDO_TRY_ASSIGN(const std::unique_ptr<Site> site, host_.openSite());
      RunOptions options;
      options.method = methods_.at(key.method);
      options.objective = objectives_.at(key.objective);
      options.seed = key.seed;
      options.compiles = plan_.compiles;
      options.max_length = plan_.max_length;
      options.metrics = plan_.metrics;
      options.stop = options_.stop;
      Result<Run> made = runMethod(*site, *subject, options);
      if (made) {
        run = *std::move(made);
      } else {
        const ErrorCode code = made.error().code;
        if (code == ErrorCode::kDeadlineExceeded || code == ErrorCode::kUnavailable)
          return fail(std::move(made).error());
        run.failure = made.error().message;
      }
    } else {
      run.failure = subject->program.failure;
    }
    run.key = key;
    const std::lock_guard lock(mutex_);
    ORDO_TRY(writer_.add(run));
    const Progress& now = progression_.add(run);
    if (options_.on_run) options_.on_run(now, run);
    return {};
  }

  Result<std::shared_ptr<const Subject>> subjectOf(const std::string& uri) {
    Shelf& shelf = shelves_.at(uri);
    const std::lock_guard lock(shelf.mutex);
    if (shelf.subject != nullptr) return shelf.subject;
    Result<Subject> prepared = host_.prepare(uri);
    auto subject = std::make_shared<Subject>();
    if (prepared)
      *subject = *std::move(prepared);
    else if (prepared.error().code == ErrorCode::kUnavailable)
      return fail(std::move(prepared).error());
    else
      subject->program.failure = prepared.error().message;
    subject->program.uri = uri;
    subject->program.suite = suites_.at(uri);
    {
      const std::lock_guard writing(mutex_);
      ORDO_TRY(writer_.add(subject->program));
    }
    return shelf.subject = std::move(subject);
  }

  Host& host_;
  StudyWriter& writer_;
  const Plan& plan_;
  const RunnerOptions& options_;
  std::vector<RunKey> runs_;              // that are missing
  std::map<std::string, Shelf> shelves_;  // by uri
  std::map<std::string, std::string> suites_;
  std::map<std::string, Method> methods_;
  std::map<std::string, search::Objective> objectives_;
  std::atomic<std::size_t> next_ = 0;
  std::atomic<bool> broken_ = false;

  std::mutex mutex_;  // guards what follows and the writer
  Progression progression_{0, 0};
  std::optional<Error> error_;
};

}  // namespace

const Progress& Progression::add(const Run& run) {
  ++progress_.done;
  ++progress_.made;
  progress_.cpu_s += run.cpuSeconds();
  progress_.failed += !run.failure.empty();
  progress_.seconds = SteadyClock().seconds() - start_s_;
  progress_.left_s = progress_.seconds / static_cast<double>(progress_.made) *
                     static_cast<double>(progress_.total - progress_.done);
  return progress_;
}

std::vector<RunKey> Plan::runs() const {
  std::vector<RunKey> keys;
  for (std::uint64_t seed = first_seed; seed < first_seed + seeds; ++seed) {
    for (const Entry& program : programs) {
      for (const search::Objective& objective : objectives) {
        for (const Method& method : methods)
          keys.push_back({method.name, program.uri, objective.metric, seed});
      }
    }
  }
  return keys;
}

Result<Outcome> runPlan(Host& host, StudyWriter& writer, const Plan& plan, const RunnerOptions& options) {
  return Runner(host, writer, plan, options).run();
}

}  // namespace ordo::study
