// Toy programs and episodes on them.
#pragma once

#include "env/vector_env.h"
#include "support/text.h"
#include "tests/unit/env/toy_worker.h"

namespace ordo::env {

enum Toy : std::uint32_t { kNoop, kDec, kInc, kDecIfEven, kHalve, kEnable, kBreak, kCrash, kPoison, kStop };

// "toy:100" is a counter at 100 whose baseline reaches half of it.
inline std::shared_ptr<const EpisodeProgram> toyProgram(std::int64_t count) {
  auto program = std::make_shared<EpisodeProgram>();
  program->uri = fmt::format("toy:{}", count);
  program->program = fakes::toySpec(count, {}).program;
  program->hash = hashBytes(program->program);
  program->values = {{"count/initial", static_cast<double>(count)},
                     {"count/clang-Oz", static_cast<double>(count) / 2},
                     {"runtime/initial", 1},
                     {"runtime/clang-Oz", 1}};
  return program;
}

class ToyPrograms final : public ProgramSource {
 public:
  Result<std::shared_ptr<const EpisodeProgram>> load(const std::string& uri) override {
    ++loads;
    if (uri == "toy:bad") return fail(ErrorCode::kCorrupt, "{} is not a program", uri);
    return toyProgram(std::stoll(uri.substr(4)));
  }
  int loads = 0;
};

inline std::shared_ptr<EpisodeSpec> toyEpisodes(Backend& backend, const char* reward = "count",
                                                const std::vector<std::string>& sensors = {"counters"}) {
  auto spec = std::make_shared<EpisodeSpec>();
  spec->backend = &backend;
  std::vector<std::string> actions = fakes::kToyActions;
  actions.insert(actions.end(), {"break", "crash", "poison"});
  spec->actions = fakes::toySpec(1, actions).actions;
  spec->safe.assign(spec->actions.size(), 1);
  spec->reward = value(parseReward(reward, {"count", "cost", "runtime"}, {"clang-Oz"}));
  spec->max_steps = 20;
  const BackendInfo info = value(backend.describe());
  spec->sensors = value(findSensors(
      allSensors(info, {"clang-Oz"}, static_cast<std::uint32_t>(spec->actions.size()), spec->max_steps),
      sensors));
  return spec;
}

}  // namespace ordo::env
