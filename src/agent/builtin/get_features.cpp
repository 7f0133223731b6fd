// get_features: what the program consists of after a sequence, and what it was made of before.
#include "agent/answers.h"
#include "agent/tool.h"
#include "engine/knowledge.h"
#include "policy/attribution.h"

namespace ordo::agent {
namespace {

constexpr std::string_view kCounts = "autophase";

Result<std::vector<double>> countsOf(OpenedProgram& program, std::span<const env::ActionIndex> sequence) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, program.walk(sequence));
  return engine::observeNumbers(*session, kCounts);
}

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  ORDO_TRY_ASSIGN(const std::vector<double> now, countsOf(*call.program, sequence));
  ORDO_TRY_ASSIGN(const std::vector<double> start, countsOf(*call.program, {}));
  Json features = Json::object(), before = Json::object();
  for (std::size_t i = 0; i < now.size() && i < policy::kCounts.size(); ++i) {
    const std::string name(policy::kCounts[i].name);
    features[name] = number(now[i]);
    if (now[i] != start[i]) before[name] = number(start[i]);
  }
  return Json{{"features", std::move(features)}, {"start", std::move(before)}};
}

}  // namespace

extern const Tool get_features{
    .name = "get_features",
    .title = "Features of a program",
    .summary =
        "Counts of what the program consists of after a sequence (Autophase's 56: instructions of each "
        "kind, blocks, branches, phis, calls, …), and of the unoptimised program where they differ. Use "
        "it to see what a sequence has left to do.",
    .price = "no compile; the passes of the sequence are run",
    .example = R"({"sequence": ["sroa", "simplifycfg"]})",
    .on_sequence = true,
    .run = run};

}  // namespace ordo::agent
