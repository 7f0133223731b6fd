// The constructor files runs by objective, method and pair of program and seed, takes out the methods that
// the panel does without, and keeps in common_ the pairs that all others have, with the runs of each method
// in their order. What compares methods goes through samples(), which looks at those alone; they are sorted,
// so that the seeds of a program lie together. Curves and equal times are steps: improvementsAt() takes the
// best that a run had by then. costs(), correlation() and failures() look at other runs too.
#include "report/analysis.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <set>

#include "env/metric.h"
#include "support/correlation.h"

namespace ordo::report {
namespace {

constexpr const char* kClang = "clang-Oz";
constexpr const char* kBare = "bare-Oz";

// Differences smaller than this are equal values that were divided.
constexpr double kTie = 1e-9;

constexpr std::size_t kCurvePoints = 60;

double relative(double baseline, double value) { return baseline > 0 ? (baseline - value) / baseline : 0; }

double baselineOf(const study::Study& study, const study::Run& run, std::string_view baseline) {
  const study::Program* program = study.program(run.key.program);
  if (program == nullptr) return 0;
  return study::valueOf(*program, baseline, run.key.objective).value_or(0);
}

double meanOf(const std::vector<double>& values) {
  double sum = 0;
  for (const double value : values) sum += value;
  return values.empty() ? 0 : sum / static_cast<double>(values.size());
}

std::vector<double> logGrid(double low, double high) {
  std::vector<double> grid(kCurvePoints);
  for (std::size_t i = 0; i < grid.size(); ++i)
    grid[i] = low * std::pow(high / low, static_cast<double>(i) / static_cast<double>(grid.size() - 1));
  return grid;
}

}  // namespace

const std::vector<std::string>& sizeBuckets() {
  static const std::vector<std::string> names{"under 100", "100 to 999", "1 000 to 9 999", "10 000 and more"};
  return names;
}

const std::string& sizeBucket(const study::Program& program) {
  const double instructions = study::valueOf(program, "initial", env::kIrInstructions).value_or(0);
  const std::array<double, 3> ends{100, 1000, 10000};
  const auto bucket = std::ranges::upper_bound(ends, instructions) - ends.begin();
  return sizeBuckets()[static_cast<std::size_t>(bucket)];
}

const std::vector<std::string>& Analysis::baselines() {
  static const std::vector<std::string> names{kClang, kBare};
  return names;
}

Analysis::Analysis(const study::Study& study, Panel panel, const Takes& takes)
    : study_(study), budgets_(study::budgetsOf(study.settings.compiles)) {
  std::set<std::string_view> taken;
  for (const study::Program& program : study.programs) {
    if (!takes || takes(program)) taken.insert(program.uri);
  }
  for (const study::Run& run : study.runs) {
    if (taken.contains(run.key.program))
      runs_[run.key.objective][run.key.method][{run.key.program, run.key.seed}] = &run;
  }
  std::set<std::string> methods, outside;
  for (auto& [objective, by_method] : runs_) {
    objectives_.push_back(objective);
    if (panel == Panel::kMost) {
      for (std::string& method : leaveOutFewest(by_method)) outside.insert(std::move(method));
    }
    for (const auto& [method, runs] : by_method) methods.insert(method);
    Common& common = common_[objective];
    for (const auto& [method, runs] : by_method) common.runs[method];
    for (const auto& [pair, run] : by_method.begin()->second) {
      if (!std::ranges::all_of(by_method, [&](const auto& method) { return method.second.contains(pair); }))
        continue;
      common.programs.push_back(study.program(pair.first));
      common.seeds.insert(pair.second);
      for (const auto& [method, runs] : by_method) common.runs[method].push_back(runs.at(pair));
    }
  }
  methods_.assign(methods.begin(), methods.end());
  outside_.assign(outside.begin(), outside.end());
}

const Ranking& Analysis::ranking(const std::string& objective, const std::string& baseline) const {
  const std::pair key(objective, baseline);
  const auto known = rankings_.find(key);
  return known != rankings_.end() ? known->second
                                  : rankings_.emplace(key, rank(objective, baseline)).first->second;
}

std::vector<std::string> Analysis::leaveOutFewest(std::map<std::string, Runs>& by_method) {
  const auto programs = [](const Runs& runs) {
    std::set<std::string_view> uris;
    for (const auto& [pair, run] : runs) uris.insert(pair.first);
    return uris.size();
  };
  std::size_t most = 0;
  for (const auto& [method, runs] : by_method) most = std::max(most, programs(runs));
  std::vector<std::string> outside;
  std::erase_if(by_method, [&](const auto& entry) {
    if (4 * programs(entry.second) >= 3 * most) return false;
    outside.push_back(entry.first);
    return true;
  });
  return outside;
}

std::vector<std::string> Analysis::objectivesOf(const std::vector<std::string>& methods) const {
  std::vector<std::string> result;
  for (const std::string& objective : objectives_) {
    const std::vector<Row>& rows = ranking(objective, baselines().front()).rows;
    const bool compared = std::ranges::any_of(
        rows, [&](const Row& row) { return std::ranges::find(methods, row.method) != methods.end(); });
    if (compared && !programs(objective).empty()) result.push_back(objective);
  }
  return result;
}

std::vector<const study::Program*> Analysis::programs(const std::string& objective) const {
  std::vector<const study::Program*> result = common_.at(objective).programs;
  const auto rest = std::ranges::unique(result);
  result.erase(rest.begin(), rest.end());
  return result;
}

std::size_t Analysis::seeds(const std::string& objective) const { return common_.at(objective).seeds.size(); }

std::size_t Analysis::leftOut(const std::string& objective) const {
  std::size_t all = 0;
  for (const auto& [method, runs] : runs_.at(objective)) all += runs.size();
  return all - common_.at(objective).programs.size() * runs_.at(objective).size();
}

double Analysis::improvement(const study::Run& run, const std::string& baseline, std::size_t budget,
                             Clamp clamp) const {
  if (!run.failure.empty() || budget >= run.checkpoints.size()) return 0;
  const std::optional<double> own = study::valueOf(run.checkpoints[budget].own, run.key.objective);
  const double base = baselineOf(study_, run, baseline);
  if (clamp == Clamp::kOwn) return own ? relative(base, *own) : 0;
  return relative(base, std::min(run.seed_value, own.value_or(run.seed_value)));
}

std::map<std::string, Sample> Analysis::samples(const std::string& method, const std::string& objective,
                                                const GroupOf& group, const Value& value) const {
  std::map<std::string, Sample> result;
  const Common& common = common_.at(objective);
  const std::vector<const study::Run*>& runs = common.runs.at(method);
  std::vector<double>* program_runs = nullptr;
  for (std::size_t pair = 0; pair < common.programs.size(); ++pair) {
    const study::Program* const program = common.programs[pair];
    if (pair == 0 || common.programs[pair - 1] != program) {
      Sample& sample = result[group(*program)];
      if (sample.empty()) sample.emplace_back();
      program_runs = &sample.front().emplace_back();
    }
    program_runs->push_back(value(*runs[pair], pair));
  }
  return result;
}

Sample Analysis::sample(const std::string& method, const std::string& objective, const Value& value) const {
  Sample all;
  const auto suite = [](const study::Program& program) { return program.suite; };
  for (auto& [name, sample] : samples(method, objective, suite, value))
    all.push_back(std::move(sample.front()));
  return all;
}

Ranking Analysis::rank(const std::string& objective, const std::string& baseline) const {
  Ranking ranking{objective, baseline, {}};
  for (const auto& [method, runs] : runs_.at(objective)) {
    Row row;
    row.method = method;
    for (std::size_t budget = 0; budget < budgets_.size(); ++budget) {
      for (const Clamp clamp : {Clamp::kClamped, Clamp::kOwn}) {
        const Sample values = sample(method, objective, [&](const study::Run& run, std::size_t) {
          return improvement(run, baseline, budget, clamp);
        });
        (clamp == Clamp::kClamped ? row.clamped : row.own).push_back(estimate(values));
        if (clamp == Clamp::kClamped || budget + 1 < budgets_.size()) continue;
        for (const auto& suite : values) {
          for (const auto& program : suite) {
            const double mean = meanOf(program);
            ++(mean > kTie ? row.wins : mean < -kTie ? row.losses : row.ties);
          }
        }
      }
    }
    ranking.rows.push_back(std::move(row));
  }
  std::ranges::sort(ranking.rows, {},
                    [](const Row& row) { return std::pair(-row.clamped.back().mean, row.method); });
  return ranking;
}

std::vector<Analysis::Group> Analysis::groups(const std::string& objective, const std::string& baseline,
                                              const GroupOf& group) const {
  std::map<std::string, Group> found;
  for (const auto& [method, runs] : runs_.at(objective)) {
    const auto value = [&](const study::Run& run, std::size_t) {
      return improvement(run, baseline, budgets_.size() - 1, Clamp::kClamped);
    };
    for (const auto& [name, sample] : samples(method, objective, group, value)) {
      Group& entry = found[name];
      entry.name = name;
      entry.programs = sample.front().size();
      entry.values.emplace(method, estimate(sample));
    }
  }
  std::vector<Group> result;
  for (auto& [name, entry] : found) result.push_back(std::move(entry));
  return result;
}

std::vector<Analysis::Group> Analysis::bySuite(const std::string& objective,
                                               const std::string& baseline) const {
  return groups(objective, baseline, [](const study::Program& program) { return program.suite; });
}

std::vector<Analysis::Group> Analysis::bySize(const std::string& objective,
                                              const std::string& baseline) const {
  std::vector<Group> result = groups(objective, baseline, sizeBucket);
  std::ranges::sort(result, {},
                    [](const Group& group) { return std::ranges::find(sizeBuckets(), group.name); });
  return result;
}

std::vector<Analysis::Group> Analysis::byProgram(const std::string& objective,
                                                 const std::string& baseline) const {
  return groups(objective, baseline, [](const study::Program& program) { return program.uri; });
}

std::vector<double> Analysis::means(const std::string& method, const std::string& objective,
                                    const std::string& baseline) const {
  // In one suite, so that all are in the order of pairs.
  const auto all = [](const study::Program&) { return std::string(); };
  const auto value = [&](const study::Run& run, std::size_t) {
    return improvement(run, baseline, budgets_.size() - 1, Clamp::kClamped);
  };
  std::vector<double> result;
  if (!common_.at(objective).runs.contains(method)) return result;
  for (const auto& [name, sample] : samples(method, objective, all, value)) {
    for (const std::vector<double>& runs : sample.front()) result.push_back(meanOf(runs));
  }
  return result;
}

std::vector<Duel> Analysis::against(const std::string& rival, const std::string& objective) const {
  std::vector<Duel> duels;
  if (!runs_.at(objective).contains(rival)) return duels;
  for (const auto& [method, runs] : runs_.at(objective)) {
    if (method == rival) continue;
    Duel duel;
    duel.method = method;
    for (std::size_t budget = 0; budget < budgets_.size(); ++budget) {
      const auto value = [&](const study::Run& run, std::size_t) {
        return improvement(run, kClang, budget, Clamp::kClamped);
      };
      const Sample ours = sample(method, objective, value), theirs = sample(rival, objective, value);
      duel.by_budget.push_back(compare(ours, theirs));
      if (budget + 1 < budgets_.size()) continue;
      for (std::size_t suite = 0; suite < ours.size(); ++suite) {
        for (std::size_t program = 0; program < ours[suite].size(); ++program) {
          const double difference = meanOf(ours[suite][program]) - meanOf(theirs[suite][program]);
          ++(difference > kTie ? duel.wins : difference < -kTie ? duel.losses : duel.ties);
        }
      }
    }
    duels.push_back(std::move(duel));
  }
  std::ranges::sort(duels, {}, [](const Duel& duel) {
    return std::pair(-duel.by_budget.back().difference.mean, duel.method);
  });
  return duels;
}

std::vector<double> Analysis::improvementsAt(const study::Run& run, const At& at,
                                             const std::vector<double>& grid) const {
  std::vector<double> values(grid.size(), 0);
  if (!run.failure.empty()) return values;
  const double base = baselineOf(study_, run, kClang);
  double best = run.seed_value;
  auto next = run.improvements.begin();
  for (std::size_t i = 0; i < grid.size(); ++i) {
    for (; next != run.improvements.end() && at(*next) <= grid[i]; ++next) best = std::min(best, next->value);
    values[i] = relative(base, best);
  }
  return values;
}

std::vector<Curve> Analysis::curves(const std::string& objective, const std::vector<double>& grid,
                                    const At& at) const {
  std::vector<Curve> result;
  for (const auto& [method, runs] : common_.at(objective).runs) {
    std::vector<std::vector<double>> values;  // by pair and point
    for (const study::Run* const run : runs) values.push_back(improvementsAt(*run, at, grid));
    Curve curve{method, grid, {}};
    for (std::size_t i = 0; i < grid.size(); ++i) {
      const auto value = [&](const study::Run&, std::size_t pair) { return values[pair][i]; };
      curve.y.push_back(meanOfSuites(sample(method, objective, value)));
    }
    result.push_back(std::move(curve));
  }
  return result;
}

std::vector<Curve> Analysis::overCompiles(const std::string& objective) const {
  return curves(objective, logGrid(2, std::max(3.0, static_cast<double>(budgets_.back()))),
                [](const study::Improvement& i) { return static_cast<double>(i.evaluation); });
}

double Analysis::longest(const std::string& objective) const {
  double longest_s = 0;
  for (const auto& [method, runs] : runs_.at(objective)) {
    for (const auto& [pair, run] : runs) longest_s = std::max(longest_s, run->cpuSeconds());
  }
  return longest_s;
}

std::vector<Curve> Analysis::overSeconds(const std::string& objective) const {
  return curves(objective, logGrid(0.02, std::max(0.1, longest(objective))),
                [](const study::Improvement& i) { return i.cpu_s; });
}

TimeRanking Analysis::atSeconds(const std::string& objective) const {
  TimeRanking ranking;
  const double longest_s = longest(objective);
  for (double limit = 0.1; limit <= longest_s; limit *= 10) ranking.seconds.push_back(limit);
  if (ranking.seconds.empty()) return ranking;
  for (const auto& [method, runs] : runs_.at(objective)) {
    TimeRanking::Row row{method, {}};
    for (const double limit : ranking.seconds) {
      row.clamped.push_back(estimate(sample(method, objective, [&](const study::Run& run, std::size_t) {
        return improvementsAt(run, [](const study::Improvement& i) { return i.cpu_s; }, {limit}).front();
      })));
    }
    ranking.rows.push_back(std::move(row));
  }
  std::ranges::sort(ranking.rows, {}, [](const TimeRanking::Row& row) {
    return std::pair(-row.clamped.back().mean, row.method);
  });
  return ranking;
}

std::vector<Cost> Analysis::costs(const std::string& objective) const {
  std::vector<Cost> costs;
  for (const auto& [method, runs] : runs_.at(objective)) {
    Cost cost;
    cost.method = method;
    double known = 0, failed = 0, method_s = 0, harness_s = 0;
    for (const auto& [pair, run] : runs) {
      if (!run->failure.empty()) continue;
      const search::Statistics& statistics = run->statistics;
      ++cost.runs;
      cost.evaluations += static_cast<double>(statistics.evaluations);
      cost.passes += static_cast<double>(statistics.passes);
      cost.cpu_s += run->cpuSeconds();
      cost.wall_s += run->wall_s;
      known += static_cast<double>(statistics.sequence_hits + statistics.duplicate_hits);
      for (const std::uint64_t count : statistics.failures) failed += static_cast<double>(count);
      method_s += run->method_cpu_s;
      cost.start_s += run->start_cpu_s;
      harness_s += run->harness_cpu_s;
      cost.peak_bytes = std::max(cost.peak_bytes, static_cast<double>(run->peak_bytes));
      cost.workers_died += static_cast<std::size_t>(run->workers_died);
      const std::optional<double> replayed =
          run->checkpoints.empty() ? std::nullopt
                                   : study::valueOf(run->checkpoints.back().own, run->key.objective);
      cost.divergences += !run->improvements.empty() && replayed != run->improvements.back().value;
    }
    if (cost.runs > 0) {
      const double evaluations = std::max(cost.evaluations, 1.0), cpu_s = std::max(cost.cpu_s, 1e-9);
      cost.known_share = known / evaluations;
      cost.failed_share = failed / evaluations;
      cost.method_share = method_s / cpu_s;
      cost.harness_share = harness_s / cpu_s;
      for (double* total : {&cost.evaluations, &cost.passes, &cost.cpu_s, &cost.wall_s, &cost.start_s})
        *total /= static_cast<double>(cost.runs);
    }
    costs.push_back(std::move(cost));
  }
  return costs;
}

Correlation Analysis::correlation() const {
  std::vector<double> instructions, text;
  for (const study::Run& run : study_.runs) {
    const study::Program* program = study_.program(run.key.program);
    if (program == nullptr) continue;
    const double base_instructions = study::valueOf(*program, kClang, env::kIrInstructions).value_or(0);
    const double base_text = study::valueOf(*program, kClang, env::kTextBytes).value_or(0);
    if (base_instructions <= 0 || base_text <= 0) continue;
    for (std::size_t i = 0; i < run.checkpoints.size(); ++i) {
      const auto own_instructions = study::valueOf(run.checkpoints[i].own, env::kIrInstructions);
      const auto own_text = study::valueOf(run.checkpoints[i].own, env::kTextBytes);
      if (!own_instructions || !own_text) continue;
      instructions.push_back(*own_instructions / base_instructions);
      text.push_back(*own_text / base_text);
    }
  }
  return {instructions.size(), pearson(instructions, text), spearman(instructions, text)};
}

std::vector<const study::Run*> Analysis::failures() const {
  std::vector<const study::Run*> result;
  for (const study::Run& run : study_.runs) {
    if (!run.failure.empty()) result.push_back(&run);
  }
  return result;
}

}  // namespace ordo::report
