#include "web/bench.h"

#include <limits>

namespace ordo::web {
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
  if (spec.recipe) request.more = spec.recipe->actions;
  request.budget = {kNoLimit, kNoLimit};
  ORDO_TRY(host->open(request));
  ORDO_TRY(host->find("")->read(spec.actions));
  auto bench = std::make_shared<Bench>(std::move(host));
  bench->reference =
      tune::referenceOf(bench->host->engine(), bench->program.input(), bench->program.objective());
  return bench;
}

}  // namespace ordo::web
