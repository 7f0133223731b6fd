// What ordo-cc's answers come to, without clang in front of them: a line of JSON for each program,
// {"program", "way", "objective": [baseline, tuned], "code_bytes": …, "cpu_s": of a processor}.
//
//   quick_answers OBJECTIVE SECONDS ALONE PROGRAM…    with SECONDS 0 nothing is searched
//
// Each program is tuned in several ways, one after the other and the one that begins changes: with one
// sequence for the program ("whole"), with one for each function behind it ("mined"), and the same without
// what was mined of functions ("chance": ALONE is knowledge that has no such file beside it), and where what
// a function came to says most of those like it ("alike"). bench/functions.py makes a table of it.
#include <fmt/format.h>
#include <sys/resource.h>

#include <array>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "engine/engine.h"
#include "engine/input.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"
#include "tune/quick_tune.h"

namespace {

using namespace ordo;

double processorSeconds() {
  double sum = 0;
  for (const int whose : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage used{};
    getrusage(whose, &used);
    for (const timeval& time : {used.ru_utime, used.ru_stime})
      sum += static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
  }
  return sum;
}

Result<nlohmann::json> answer(const engine::Input& input, const tune::QuickOptions& options) {
  // A process of its own for each, as in a build, so that nothing is warm.
  const double begin_s = processorSeconds();
  engine::EngineOptions engine_options;
  engine_options.limits.spin = false;
  ORDO_TRY_ASSIGN(std::unique_ptr<engine::Engine> engine, engine::Engine::start(engine_options));
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), "text", manifest));
  ORDO_TRY_ASSIGN(const tune::QuickAnswer found, tune::quickTune(*engine, input, space, options));
  engine.reset();
  const double cpu_s = processorSeconds() - begin_s;
  nlohmann::json row{{options.objective, {found.baseline, found.tuned}}, {"cpu_s", cpu_s}};
  if (options.objective == env::kCodeBytes) return row;
  ORDO_TRY_ASSIGN(engine, engine::Engine::start(engine_options));
  std::vector<env::Action> actions{engine::baselineAction(input.baseline, input.pipeline)};
  std::vector<double> code;
  for (int round = 0; round < 2; ++round) {
    ORDO_TRY_ASSIGN(const engine::State state, engine::reach(*engine, input, input.compiled.bytes, actions));
    ORDO_TRY_ASSIGN(const double bytes, engine::measured(state, env::kCodeBytes));
    code.push_back(bytes);
    if (found.actions) actions = *found.actions;
  }
  row[env::kCodeBytes] = code;
  return row;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::cerr << "usage: quick_answers OBJECTIVE SECONDS ALONE PROGRAM…\n";
    return 64;
  }
  tune::QuickOptions options;
  options.objective = argv[1];
  options.seconds = std::strtod(argv[2], nullptr);
  options.learned = {engine::knowledgePath("shipped"), engine::policyPath("shipped")};
  if (options.objective == env::kTextBytes) options.limits = {"code_bytes=+0%"};
  const engine::Learned alone{argv[3], options.learned.policy};
  const engine::Learned shipped = options.learned;
  const std::array<std::string, 4> ways{"whole", "mined", "chance", "alike"};
  for (int i = 4; i < argc; ++i) {
    const Result<engine::Input> input = engine::prepareInput(argv[i], engine::Baseline{}, {});
    for (std::size_t turn = 0; turn < ways.size(); ++turn) {
      const std::string& way = ways[(turn + static_cast<std::size_t>(i)) % ways.size()];
      options.functions = way != "whole";
      options.similar = way == "alike";
      options.learned = way == "chance" ? alone : shipped;
      nlohmann::json row{{"program", argv[i]}, {"way", way}};
      const Result<nlohmann::json> answered =
          input ? answer(*input, options) : Result<nlohmann::json>(fail(Error(input.error())));
      if (answered)
        row.update(*answered);
      else
        row["failure"] = answered.error().message;
      std::cout << row.dump() << std::endl;
    }
  }
}
