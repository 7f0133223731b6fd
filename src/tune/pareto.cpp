// Finder::run() is the order. In the search for one metric the others are limits that allow everything: so
// each answer has all of them (values()), and every answer of every search goes into one front. Some points
// far apart are taken from it. confirm() replays a point with its own values as limits, so that making it
// shorter can lose nothing, and puts it into a second front; conclude() makes a result of each through Job,
// which has the last word.
#include "tune/pareto.h"

#include <algorithm>
#include <limits>
#include <sstream>

#include "engine/limits.h"
#include "env/metric.h"
#include "search/driver/minimize.h"
#include "search/evaluation/front.h"
#include "support/text.h"
#include "tune/job.h"

namespace ordo::tune {
namespace {

constexpr double kUnlimited = std::numeric_limits<double>::infinity();
constexpr double kSearchShare = 0.8;  // of the budget; the rest is for making the points short

// From a job to its front.
class Finder {
 public:
  Finder(engine::Engine& engine, Job& job, std::vector<std::string> metrics, const TuneOptions& options)
      : engine_(engine), job_(job), options_(options), budget_(options.budget) {
    budget_.seconds = std::max(job.secondsToSearch(), 0.0);
    result_.metrics = std::move(metrics);
  }

  Result<Pareto> run() {
    for (const std::string& metric : result_.metrics) {
      ORDO_TRY_ASSIGN(const double value, engine::measured(job_.atBaseline(), metric));
      result_.baseline.push_back(value);
    }
    for (std::size_t metric = 0; metric < result_.metrics.size(); ++metric) ORDO_TRY(searchFor(metric));
    result_.found = front_.points().size();
    const std::vector<search::FrontPoint> chosen = front_.spread(mostPoints(result_.metrics.size()));
    for (const search::FrontPoint& point : chosen) ORDO_TRY(confirm(point, chosen.size()));
    for (const search::FrontPoint& point : confirmed_.points()) ORDO_TRY(conclude(point));
    // Whatever the others were refused for, the baseline is a result.
    if (result_.points.empty()) ORDO_TRY(conclude({{job_.baseline()}, result_.baseline}));
    return std::move(result_);
  }

 private:
  void say(std::string_view phase) const {
    if (options_.on_phase) options_.on_phase(phase);
  }

  // For `metric`, while the others are measured too, `most` of each being allowed. Nothing is screened by
  // another metric: what is bad in that may be on the front.
  search::Objective objective(std::size_t metric, const std::vector<double>& most) const {
    search::Objective objective{
        .metric = result_.metrics[metric], .screen = env::kIrInstructions, .screen_margin = kUnlimited};
    for (std::size_t other = 0; other < result_.metrics.size(); ++other) {
      if (other != metric) objective.limits.push_back({result_.metrics[other], most[other]});
    }
    objective.limits.insert(objective.limits.end(), job_.limits().begin(), job_.limits().end());
    return objective;
  }

  // All metrics of what was measured with objective(metric).
  std::vector<double> values(const search::Evaluation& answer, std::size_t metric) const {
    const auto others = answer.amounts.begin();
    std::vector<double> values(others, others + static_cast<std::ptrdiff_t>(result_.metrics.size()) - 1);
    values.insert(values.begin() + static_cast<std::ptrdiff_t>(metric), answer.value);
    return values;
  }

  Status searchFor(std::size_t metric) {
    say(fmt::format("searching for {}", result_.metrics[metric]));
    search::SearchOptions search_options;
    search_options.budget = budget_.share(kSearchShare / static_cast<double>(result_.metrics.size()));
    search_options.seed = options_.seed;
    search_options.minimize = search_options.explain = false;
    const std::vector<double> unlimited(result_.metrics.size(), kUnlimited);
    ORDO_TRY_ASSIGN(const search::SearchResult searched,
                    job_.search(objective(metric, unlimited), std::move(search_options),
                                [&](const search::Evaluation& answer) {
                                  if (!answer.measured()) return;
                                  std::vector<double> all = values(answer, metric);
                                  result_.seen.insert(all);
                                  front_.insert({answer.actions, std::move(all)});
                                }));
    result_.statistics += searched.statistics;
    return {};
  }

  // Measures `point` anew, and leaves out what it does not need. One of `points`.
  Status confirm(const search::FrontPoint& point, std::size_t points) {
    say(fmt::format("confirming {} points", points));
    search::EvaluatorOptions evaluator_options;
    evaluator_options.jobs = options_.jobs;
    evaluator_options.stop = options_.stop;
    ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                    search::Evaluator::open(engine_.backend(), job_.spec(), objective(0, point.values),
                                            evaluator_options));
    search::Evaluation fresh = evaluator->evaluateOne(point.actions, search::Effort::kFresh);
    const bool holds = fresh.measured() && fresh.value <= point.values.front();
    evaluator->limit(budget_.share((1 - kSearchShare) / static_cast<double>(points)));
    if (holds && point.actions != search::Sequence{job_.baseline()}) {
      search::Evaluation shorter = search::minimize(*evaluator, fresh);
      if (shorter.actions.size() < fresh.actions.size()) {
        shorter = evaluator->evaluateOne(std::move(shorter.actions), search::Effort::kFresh);
        if (shorter.measured() && shorter.value <= fresh.value) fresh = std::move(shorter);
      }
    }
    ORDO_TRY(evaluator->status());
    result_.statistics += evaluator->statistics();
    if (holds) {
      std::vector<double> all = values(fresh, 0);
      confirmed_.insert({std::move(fresh.actions), std::move(all)});
    } else {
      refuse(point.actions, "it did not replay as measured");
    }
    return {};
  }

  Status conclude(const search::FrontPoint& point) {
    say("proving the points");
    Found found{.candidates = {point.actions}, .contributions = {}, .statistics = result_.statistics};
    found.metrics = result_.metrics;
    found.holds = [&](const engine::State& replayed) -> Result<bool> {
      for (std::size_t i = 0; i < result_.metrics.size(); ++i) {
        ORDO_TRY_ASSIGN(const double value, engine::measured(replayed, result_.metrics[i]));
        if (value > point.values[i]) return false;
      }
      return true;
    };
    ORDO_TRY_ASSIGN(Tuned tuned, job_.conclude(std::move(found)));
    if (tuned.refused.empty())
      result_.points.push_back(std::move(tuned));
    else
      result_.refused.push_back(std::move(tuned.refused.front()));
    return {};
  }

  void refuse(const search::Sequence& actions, std::string why) {
    Refused& refused = result_.refused.emplace_back();
    for (const env::ActionIndex action : actions) refused.actions.push_back(job_.spec().actions[action].name);
    refused.why = std::move(why);
  }

  engine::Engine& engine_;
  Job& job_;
  const TuneOptions& options_;
  search::Budget budget_;  // for searching and confirming
  Pareto result_;
  search::Front front_;      // of what was seen
  search::Front confirmed_;  // of what was measured anew
};

}  // namespace

Result<std::vector<std::string>> parseFront(const env::BackendInfo& info, std::string_view text) {
  std::vector<std::string> known;
  for (const env::MetricInfo& metric : info.metrics) {
    if (metric.deterministic) known.push_back(metric.name);
  }
  std::vector<std::string> metrics;
  std::istringstream words{std::string(text)};
  for (std::string metric; std::getline(words, metric, ',');) {
    if (env::isExperiment(metric)) {
      return fail(ErrorCode::kInvalidArgument,
                  "--pareto {}: a run time is known only after many runs; for speed within a size, say "
                  "--objective {} --limit {}=+5%",
                  text, metric, env::kTextBytes);
    }
    if (std::ranges::find(known, metric) == known.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("metric of --pareto", metric, known));
    if (std::ranges::find(metrics, metric) != metrics.end())
      return fail(ErrorCode::kInvalidArgument, "--pareto {}: {} is there twice", text, metric);
    metrics.push_back(std::move(metric));
  }
  if (metrics.size() > 1) return metrics;
  return fail(ErrorCode::kInvalidArgument,
              "--pareto {}: a front is of two metrics or more, such as ir_instructions,text_bytes", text);
}

Result<Pareto> findFront(engine::Engine& engine, const engine::Input& input, const spaces::Space& space,
                         const std::vector<std::string>& metrics, TuneOptions options) {
  options.objective = metrics.front();
  for (const std::string& metric : metrics)
    ORDO_TRY(engine::checkLimits(engine.info(), metric, options.limits));
  ORDO_TRY_ASSIGN(Job job, Job::start(engine, input, space, options));
  return Finder(engine, job, metrics, options).run();
}

}  // namespace ordo::tune
