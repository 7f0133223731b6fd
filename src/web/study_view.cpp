// What is picked is analysed as if the study had those programs only; the last few are kept, because a page
// asks several things of each.
#include "web/study_view.h"

#include <algorithm>
#include <list>
#include <mutex>
#include <set>

#include "report/analysis.h"
#include "report/tables.h"
#include "study/study_file.h"

namespace ordo::web {
namespace {

constexpr std::size_t kKept = 4;

struct Pick {
  std::vector<std::string> suites, sizes;  // empty: all

  bool operator==(const Pick&) const = default;
  bool takes(const study::Program& program) const {
    const auto among = [](const std::vector<std::string>& list, const std::string& name) {
      return list.empty() || std::ranges::find(list, name) != list.end();
    };
    return among(suites, program.suite) && among(sizes, report::sizeBucket(program));
  }
};

struct Picked {
  Pick pick;
  report::Analysis analysis;
};

Json estimateJson(const report::Estimate& estimate) {
  Json json{{"mean", estimate.mean}};
  if (estimate.interval) json["interval"] = {estimate.interval->low, estimate.interval->high};
  return json;
}

Json estimatesJson(const std::vector<report::Estimate>& estimates) {
  Json json = Json::array();
  for (const report::Estimate& estimate : estimates) json.push_back(estimateJson(estimate));
  return json;
}

Json curvesJson(const std::vector<report::Curve>& curves) {
  Json json = Json::array();
  for (const report::Curve& curve : curves)
    json.push_back({{"method", curve.method}, {"x", curve.x}, {"y", curve.y}});
  return json;
}

class StudyView final : public View {
 public:
  StudyView(std::string title, study::Study study) : title_(std::move(title)), study_(std::move(study)) {}

  std::string_view kind() const override { return "study"; }
  std::string title() const override { return title_; }

  std::vector<Endpoint> endpoints() override {
    return {{.name = "about", .answer = [this](const Json&) { return about(); }, .get = true},
            {.name = "ranking", .answer = onPick(&StudyView::ranking)},
            {.name = "pairs", .answer = onPick(&StudyView::pairs)}};
  }

 private:
  using OnPick = Result<Json> (StudyView::*)(const report::Analysis&, const std::string& objective,
                                             const std::string& baseline, const JsonObject&);

  std::function<Result<Json>(const Json&)> onPick(OnPick work) {
    return [this, work](const Json& body) -> Result<Json> {
      ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(body, "the body"));
      ORDO_TRY_ASSIGN(const std::string objective, object.get<std::string>("objective"));
      ORDO_TRY_ASSIGN(const std::string baseline, object.get<std::string>("baseline"));
      Pick pick;
      ORDO_TRY_ASSIGN(pick.suites, object.get<std::vector<std::string>>("suites"));
      ORDO_TRY_ASSIGN(pick.sizes, object.get<std::vector<std::string>>("sizes"));
      if (std::ranges::find(report::Analysis::baselines(), baseline) == report::Analysis::baselines().end())
        return fail(ErrorCode::kInvalidArgument, "the study has no baseline '{}'", baseline.substr(0, 60));
      const std::lock_guard lock(mutex_);
      const report::Analysis& analysis = picked(pick).analysis;
      if (std::ranges::find(analysis.objectives(), objective) == analysis.objectives().end())
        return fail(ErrorCode::kNotFound, "no run of these programs has the objective '{}'",
                    objective.substr(0, 60));
      return (this->*work)(analysis, objective, baseline, object);
    };
  }

  const Picked& picked(const Pick& pick) {
    const auto known = std::ranges::find(kept_, pick, &Picked::pick);
    if (known != kept_.end()) {
      kept_.splice(kept_.begin(), kept_, known);
      return kept_.front();
    }
    const auto takes = [&](const study::Program& program) { return pick.takes(program); };
    kept_.push_front({pick, report::Analysis(study_, report::Panel::kMost, takes)});
    if (kept_.size() > kKept) kept_.pop_back();
    return kept_.front();
  }

  Result<Json> about() {
    const std::lock_guard lock(mutex_);
    const report::Analysis& analysis = picked({}).analysis;
    Json programs = Json::array(), provenance = Json::array();
    std::set<std::string> suites;
    for (const study::Program& program : study_.programs) {
      suites.insert(program.suite);
      const auto initial = study::valueOf(program, "initial", "ir_instructions");
      programs.push_back({{"uri", program.uri},
                          {"suite", program.suite},
                          {"size", report::sizeBucket(program)},
                          {"instructions", initial ? Json(*initial) : Json(nullptr)},
                          {"failure", program.failure}});
    }
    for (const std::vector<std::string>& row : report::provenanceTable(study_).rows)
      provenance.push_back(row);
    return Json{{"methods", analysis.methods()},       {"outside", analysis.outside()},
                {"objectives", analysis.objectives()}, {"baselines", report::Analysis::baselines()},
                {"budgets", analysis.budgets()},       {"suites", suites},
                {"sizes", report::sizeBuckets()},      {"programs", std::move(programs)},
                {"runs", study_.runs.size()},          {"failed_runs", analysis.failures().size()},
                {"in_progress", study_.in_progress},   {"provenance", std::move(provenance)}};
  }

  Result<Json> ranking(const report::Analysis& analysis, const std::string& objective,
                       const std::string& baseline, const JsonObject& body) {
    ORDO_TRY(body.onlyHas({"objective", "baseline", "suites", "sizes"}));
    Json rows = Json::array();
    const std::vector<report::Cost> costs = analysis.costs(objective);
    for (const report::Row& row : analysis.ranking(objective, baseline).rows) {
      Json one{{"method", row.method},
               {"clamped", estimatesJson(row.clamped)},
               {"own", estimatesJson(row.own)},
               {"wins", row.wins},
               {"ties", row.ties},
               {"losses", row.losses}};
      const auto cost = std::ranges::find(costs, row.method, &report::Cost::method);
      if (cost != costs.end()) one["cost"] = {{"cpu_s", cost->cpu_s}, {"evaluations", cost->evaluations}};
      rows.push_back(std::move(one));
    }
    return Json{{"rows", std::move(rows)},
                {"programs", analysis.programs(objective).size()},
                {"seeds", analysis.seeds(objective)},
                {"left_out", analysis.leftOut(objective)},
                {"budgets", analysis.budgets()},
                {"over_compiles", curvesJson(analysis.overCompiles(objective))},
                {"over_seconds", curvesJson(analysis.overSeconds(objective))}};
  }

  // What two methods make of each program at the largest budget, clamped, means over seeds.
  Result<Json> pairs(const report::Analysis& analysis, const std::string& objective,
                     const std::string& baseline, const JsonObject& body) {
    ORDO_TRY(body.onlyHas({"objective", "baseline", "suites", "sizes", "a", "b"}));
    ORDO_TRY_ASSIGN(const std::string a, body.get<std::string>("a"));
    ORDO_TRY_ASSIGN(const std::string b, body.get<std::string>("b"));
    for (const std::string& method : {a, b}) {
      if (std::ranges::find(analysis.methods(), method) == analysis.methods().end())
        return fail(ErrorCode::kNotFound, "the study has no method '{}'", method.substr(0, 60));
    }
    const std::vector<const study::Program*> programs = analysis.programs(objective);
    const std::vector<double> of_a = analysis.means(a, objective, baseline);
    const std::vector<double> of_b = analysis.means(b, objective, baseline);
    Json rows = Json::array();
    // A method may have no run of the objective.
    for (std::size_t i = 0; i < std::min(of_a.size(), of_b.size()); ++i)
      rows.push_back({{"program", programs[i]->uri}, {"a", of_a[i]}, {"b", of_b[i]}});
    return Json{{"pairs", std::move(rows)}};
  }

  const std::string title_;
  const study::Study study_;
  std::mutex mutex_;
  std::list<Picked> kept_;  // the one used last in front
};

}  // namespace

Result<std::unique_ptr<View>> openStudy(const std::filesystem::path& file) {
  ORDO_TRY_ASSIGN(study::Study study, study::readStudy(file, study::Reading::kWithoutActions));
  return std::make_unique<StudyView>(file.filename().string(), std::move(study));
}

}  // namespace ordo::web
