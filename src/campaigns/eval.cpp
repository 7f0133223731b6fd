// EvalHost::prepare() is most of it: compile the program, check what it may be used for, measure it under
// each baseline, and then add actions and knowledge. Each is measured in a session whose actions are that
// baseline and no others (addReferences()). Each site and each preparation starts an engine of its own, so
// that no run depends on those before it. spread() shuffles each suite with a random stream of its own and
// then takes one program of each suite in turn.
#include "campaigns/eval.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "datasets/dataset.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "engine/worker_only.h"
#include "env/metric.h"
#include "support/rng.h"

namespace ordo::campaigns {
namespace {

class EngineSite final : public study::Site {
 public:
  explicit EngineSite(std::unique_ptr<engine::Engine> engine) : engine_(std::move(engine)) {}
  env::Backend& backend() override { return engine_->backend(); }
  FamilyUsage usage() const override { return engine_->usage(); }
  std::int64_t workersDied() const override { return engine_->backend().stats().workers_died; }

 private:
  std::unique_ptr<engine::Engine> engine_;
};

constexpr const char* kAsItIs = "initial";

// An engine that remembers nothing of other runs.
// Every processor has a run of its own, so that nobody waits busily: that would be another run's time.
Result<std::unique_ptr<engine::Engine>> freshEngine(const std::filesystem::path& worker) {
  return engine::Engine::start({.limits = {.spin = false}, .remember_crashes = false, .worker = worker});
}

// Adds the value of every metric after `actions`. kUnsupported, with the first reason, if one cannot be
// measured; the others are there then.
Status addReferences(engine::Engine& engine, const engine::Input& input, std::string_view baseline,
                     std::vector<env::Action> actions, study::Program& program) {
  env::SessionSpec spec{input.program.uri, input.compiled.bytes, std::move(actions), input.settings()};
  std::vector<env::ActionIndex> all(spec.actions.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<env::ActionIndex>(i);
  const std::vector<std::string> metrics = evalMetrics(engine.info());
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(spec)));
  ORDO_TRY_ASSIGN(const env::StepReport report, session->step({.actions = all, .metrics = metrics}));
  Status status;
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    if (report.outcome.ok() && report.measurements[i].ok()) {
      program.references.push_back({std::string(baseline), metrics[i], report.measurements[i].value});
    } else if (status) {
      status = fail(ErrorCode::kUnsupported, "{} under {} cannot be measured: {}", metrics[i], baseline,
                    report.outcome.ok() ? report.measurements[i].detail : report.outcome.detail);
    }
  }
  return status;
}

}  // namespace

std::vector<std::string> evalMetrics() { return {env::kIrInstructions, env::kTextBytes}; }

std::vector<std::string> evalMetrics(const env::BackendInfo& info) {
  std::vector<std::string> metrics = evalMetrics();
  std::erase_if(metrics, [&](const std::string& metric) { return !engine::measures(info, metric); });
  for (const env::MetricInfo& metric : info.metrics) {
    if (metrics.empty() && metric.deterministic) metrics.push_back(metric.name);
  }
  return metrics;
}

std::string suiteOf(std::string_view uri) {
  const Result<datasets::Uri> parsed = datasets::parseUri(uri);
  if (!parsed || parsed->dataset == nullptr) return "files";
  const datasets::DatasetInfo& dataset = *parsed->dataset;
  const std::size_t slash = parsed->rest.find('/');
  if (dataset.separator() == '/' && slash != std::string_view::npos)
    return fmt::format("{}/{}", dataset.name, parsed->rest.substr(0, slash));
  return std::string(dataset.name);
}

Result<std::vector<study::Plan::Entry>> folderEntries(const std::string& folder) {
  namespace fs = std::filesystem;
  const fs::path root = datasets::tidy(folder);
  ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms("dir:" + root.string(), {}));
  std::vector<study::Plan::Entry> entries;
  const std::string name = fs::absolute(root).lexically_normal().filename().string();
  for (const std::string& uri : uris) {
    const fs::path inside = fs::path(uri.substr(4)).lexically_relative(root);
    const bool nested = std::distance(inside.begin(), inside.end()) > 1;
    entries.push_back({uri, nested ? fmt::format("{}/{}", name, inside.begin()->string()) : name});
  }
  return entries;
}

std::vector<study::Plan::Entry> spread(std::vector<study::Plan::Entry> entries, std::size_t limit,
                                       std::uint64_t seed) {
  if (entries.size() <= limit) return entries;
  std::map<std::string, std::vector<std::size_t>> suites;
  for (std::size_t i = 0; i < entries.size(); ++i) suites[entries[i].suite].push_back(i);
  std::uint64_t number = 0;
  for (auto& [name, members] : suites) Rng(seed).stream(number++).shuffle(std::span(members));
  std::vector<std::size_t> chosen;
  for (std::size_t turn = 0; chosen.size() < limit; ++turn) {
    for (const auto& [name, members] : suites) {
      if (turn < members.size() && chosen.size() < limit) chosen.push_back(members[turn]);
    }
  }
  std::ranges::sort(chosen);
  std::vector<study::Plan::Entry> result;
  for (const std::size_t i : chosen) result.push_back(std::move(entries[i]));
  return result;
}

study::Settings evalSettings(const env::BackendInfo& info, const spaces::Space& space,
                             std::string fingerprint, const study::Plan& plan,
                             std::string_view ordo_version) {
  return {.ordo_version = std::string(ordo_version),
          .backend = fmt::format("{} {} {}", info.name, info.version, info.build),
          .target = info.target,
          .space = space.name,
          .space_hash = space.hash.hex(),
          .baseline = info.baselines.empty() ? engine::Baseline{kEvalLevel, false}.name()
                                             : info.baselines.front().name,
          .knowledge = std::move(fingerprint),
          .compiles = plan.compiles,
          .max_length = plan.max_length};
}

Result<std::unique_ptr<study::Site>> EvalHost::openSite() {
  ORDO_TRY_ASSIGN(std::unique_ptr<engine::Engine> engine, freshEngine(worker_));
  return std::make_unique<EngineSite>(std::move(engine));
}

Status checkPurpose(const datasets::Program& program, RunPurpose purpose) {
  switch (purpose) {
    case RunPurpose::kStudy:
      return datasets::checkMayLearnFrom(program, "a study");
    case RunPurpose::kFinalEvaluation:
      return {};
    case RunPurpose::kTraining:
      return datasets::checkMayTrainOn(program, "experience");
  }
  return {};
}

Result<study::Subject> EvalHost::prepare(const std::string& uri) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, freshEngine(worker_));
  ORDO_TRY_ASSIGN(const engine::Input input, worker_.empty()
                                                 ? engine::prepareInput(uri, {kEvalLevel, false}, {})
                                                 : engine::readProgram(engine->info(), uri, ""));
  ORDO_TRY(checkPurpose(input.program, purpose_));
  study::Subject subject;
  subject.program.hash = hashBytes(input.compiled.bytes).hex();
  std::vector<engine::Toolchain::Reference> references{
      {kAsItIs, {}}, {input.toolchain->baselineName(input), {input.toolchain->baseline(input)}}};
  if (auto bare = input.toolchain->reference(input)) references.push_back(*std::move(bare));
  for (const auto& [baseline, actions] : references) {
    Status added = addReferences(*engine, input, baseline, actions, subject.program);
    // Nothing is compared with the program as it is, and code that only an optimised program can be made into
    // (an operand of inline assembly that has to be a constant) is no failure of it.
    const bool may_lack = purpose_ == RunPurpose::kTraining || baseline == kAsItIs;
    if (!added && !(may_lack && added.error().code == ErrorCode::kUnsupported))
      return fail(std::move(added).error());
  }
  subject.spec = {uri, input.compiled.bytes, {}, input.settings()};
  subject.spec.actions = engine::candidateActions(input, space_, false, subject.baseline);
  ORDO_TRY_ASSIGN(subject.knowledge, engine::loadKnowledge(learned_, engine->backend(), subject.spec));
  return subject;
}

}  // namespace ordo::campaigns
