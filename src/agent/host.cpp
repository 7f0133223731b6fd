#include "agent/host.h"

#include <algorithm>
#include <cmath>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "engine/baseline.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "frontend/clang.h"
#include "spaces/space.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/stop_scope.h"
#include "support/text.h"

namespace ordo::agent {
namespace {

constexpr std::size_t kMessage = 2000;  // bytes of an error's; clang's may be long

double rounded(double seconds) { return std::round(seconds * 1e4) / 1e4; }

std::vector<std::string> toolNames() {
  std::vector<std::string> names;
  for (const Tool* tool : catalog()) names.emplace_back(tool->name);
  return names;
}

}  // namespace

std::string_view codeOf(ErrorCode code) {
  switch (code) {
    case ErrorCode::kDeadlineExceeded:
      return "budget used up";
    case ErrorCode::kUnsupported:
      return "failed";
    default:
      return name(code);
  }
}

Result<std::unique_ptr<Host>> Host::start(HostOptions options) {
  ORDO_TRY_ASSIGN(std::unique_ptr<engine::Engine> engine, engine::Engine::start(options.engine));
  ORDO_TRY_ASSIGN(spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(spaces::Notes notes, spaces::Notes::load(dataDir(), engine->info()));
  return std::unique_ptr<Host>(
      new Host(std::move(options), std::move(engine), std::move(manifest), std::move(notes)));
}

Result<std::string> Host::open(const OpenRequest& request) {
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(request.baseline));
  ORDO_TRY(engine::checkObjective(engine_->info(), request.objective));
  const std::string name = request.space.empty() ? engine::usualSpace(request.objective) : request.space;
  ORDO_TRY_ASSIGN(spaces::Space space, spaces::loadSpace(dataDir(), name, manifest_));
  const Permissions allowed = permissions();
  ORDO_TRY_ASSIGN(datasets::Program program, allowed.program(request.file, request.flags));
  if (allowed.restricted() && program.language != "ir") {
    std::vector<std::string> flags = program.cflags;
    flags.insert(flags.end(), request.flags.begin(), request.flags.end());
    const frontend::Source source{program.source, program.language, std::move(flags), program.dir,
                                  program.more_sources};
    ORDO_TRY_ASSIGN(const std::string text, frontend::compileToText(source, baseline.level));
    ORDO_TRY(allowed.checkAssembly(text));
  }
  ORDO_TRY_ASSIGN(engine::Input input, engine::prepareInput(std::move(program), baseline, request.flags));
  if (allowed.restricted()) {
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session,
                    engine::walk(*engine_, input, input.compiled.bytes, {}));
    ORDO_TRY_ASSIGN(const env::Observation text, session->observe("ir"));
    ORDO_TRY(allowed.checkAssembly(text.text()));
  }
  OpenOptions options;
  options.objective = request.objective;
  options.budget = {std::min(request.budget.compiles, options_.most.compiles),
                    std::min(request.budget.seconds, options_.most.seconds)};
  options.seed = request.seed;
  options.limits = request.limits;
  options.judge = request.judge;
  options.more = request.more;
  options.learned = {engine::knowledgePath(options_.knowledge),
                     engine::policyPath(options_.policy, request.objective)};
  options.stop = request.stop ? request.stop : StopFlag(StopFlag(), options_.stop);  // which is not ours
  ORDO_TRY_ASSIGN(std::unique_ptr<OpenedProgram> opened,
                  OpenedProgram::open(*engine_, std::move(input), std::move(space), std::move(options)));
  const std::lock_guard lock(mutex_);
  makeRoom();
  last_ = fmt::format("p{}", ++opened_);
  programs_.emplace(last_, std::move(opened));
  used_.push_back(last_);
  return last_;
}

// Closes the one that was not used for longest, if there are too many: not one that somebody is at work on.
// REQUIRES: mutex_.
void Host::makeRoom() {
  if (programs_.size() < options_.programs) return;
  const auto oldest = std::ranges::find_if(
      used_, [&](const std::string& handle) { return programs_.find(handle)->second.use_count() == 1; });
  if (oldest == used_.end()) return;
  submitted_.erase(*oldest);
  programs_.erase(*oldest);
  used_.erase(oldest);
}

std::shared_ptr<OpenedProgram> Host::find(std::string_view handle) {
  const std::lock_guard lock(mutex_);
  const auto found = programs_.find(handle.empty() ? std::string_view(last_) : handle);
  if (found == programs_.end()) return nullptr;
  std::erase(used_, found->first);
  used_.push_back(found->first);
  return found->second;
}

std::string Host::last() const {
  const std::lock_guard lock(mutex_);
  return last_;
}

bool Host::isOpen(std::string_view handle) const {
  const std::lock_guard lock(mutex_);
  return programs_.contains(handle);
}

std::map<std::string, std::shared_ptr<const tune::Tuned>> Host::submitted() const {
  const std::lock_guard lock(mutex_);
  return submitted_;
}

void Host::keep(const std::string& handle, tune::Tuned tuned) {
  const std::lock_guard lock(mutex_);
  if (programs_.contains(handle))
    submitted_.insert_or_assign(handle, std::make_shared<const tune::Tuned>(std::move(tuned)));
}

Permissions Host::permissions() const {
  const std::lock_guard lock(mutex_);
  return permissions_;
}

void Host::permit(Permissions permissions) {
  const std::lock_guard lock(mutex_);
  permissions_ = std::move(permissions);
}

Result<Json> Host::answer(const Tool& tool, const Json& given, const Progress& progress, const StopFlag& stop,
                          std::shared_ptr<OpenedProgram>& program, Costs& before) {
  const std::vector<Parameter> parameters = parametersOf(tool);
  ORDO_TRY_ASSIGN(const Arguments arguments, Arguments::check(parameters, given));
  std::string handle;
  if (!tool.opens) {
    handle = arguments.text("program");
    if (handle.empty()) handle = last();
    program = find(handle);
    if (handle.empty()) return fail(ErrorCode::kNotFound, "no program is open: call open_program first");
    if (program == nullptr)
      return fail(ErrorCode::kNotFound, "no program is open under '{}'; the last is '{}'", handle, last());
    before = program->spent();
  }
  static const Progress kNone = [](double, double, std::string_view) {};
  Call call{*this, handle, program.get(), arguments, progress ? progress : kNone, stop};
  Result<Json> found = tool.run(call);
  if (found && tool.opens) program = find(found->at("program").get_ref<const std::string&>());
  return found;
}

Json Host::call(std::string_view name, const Json& arguments, const Progress& progress,
                const StopFlag& stop) {
  const StopScope scope(stop.get());
  const SteadyClock clock;
  const double began_s = clock.seconds();
  std::shared_ptr<OpenedProgram> program;
  Costs before;
  const Tool* const tool = findTool(name);
  Result<Json> found = tool == nullptr
                           ? Result<Json>(fail(ErrorCode::kNotFound, "{}",
                                               unknownName("tool", name.substr(0, 60), toolNames())))
                           : answer(*tool, arguments, progress, stop, program, before);
  const double took_s = clock.seconds() - began_s;
  Json reply = found ? *std::move(found)
                     : Json{{"error",
                             {{"code", codeOf(found.error().code)},
                              {"message", foreignText(found.error().message, kMessage)}}}};
  Costs cost{0, took_s}, left;
  if (program != nullptr) {
    // What opening took is not of the budget.
    if (!tool->opens) program->spend(took_s);
    cost.compiles = program->spent().compiles - before.compiles;
    left = program->left();
  }
  reply["cost"] = {{"compiles", number(cost.compiles)}, {"seconds", rounded(cost.seconds)}};
  reply["left"] = {{"compiles", number(left.compiles)}, {"seconds", rounded(left.seconds)}};
  return reply;
}

}  // namespace ordo::agent
