#include "web/bench.h"

#include <limits>

#include "engine/reach.h"

namespace ordo::web {
namespace {

std::optional<Reference> referenceOf(engine::Engine& engine, const agent::OpenedProgram& program) {
  const engine::Input& input = program.input();
  const std::optional<engine::Toolchain::Reference> bare = input.toolchain->reference(input);
  if (!bare) return std::nullopt;
  const Result<engine::State> state = engine::reach(engine, input, input.compiled.bytes, bare->actions);
  if (!state) return std::nullopt;
  const Result<double> value = engine::measured(*state, program.objective());
  if (!value) return std::nullopt;
  return Reference{bare->name, *value};
}

}  // namespace

Result<std::shared_ptr<Bench>> Bench::open(const ProgramSpec& spec) {
  constexpr double kNoLimit = std::numeric_limits<double>::max();
  agent::HostOptions options;
  options.policy = spec.policy;
  options.most = {kNoLimit, kNoLimit};
  ORDO_TRY_ASSIGN(std::unique_ptr<agent::Host> host, agent::Host::start(std::move(options)));
  agent::OpenRequest request;
  request.file = spec.file;
  request.flags = spec.flags;
  request.objective = spec.objective;
  request.baseline = spec.baseline;
  request.space = spec.space;
  request.budget = {kNoLimit, kNoLimit};
  ORDO_TRY(host->open(request));
  ORDO_TRY(host->find("")->read(spec.actions));
  auto bench = std::make_shared<Bench>(std::move(host));
  bench->reference = referenceOf(bench->host->engine(), bench->program);
  return bench;
}

}  // namespace ordo::web
