// A workbench on the toy backend: counters, whose actions are those of env::Toy.
#pragma once

#include "shell/interpreter.h"
#include "support/text.h"
#include "tests/fakes/toy_session.h"

namespace ordo::shell {

// "toy:100" is a counter at 100 whose baseline reaches half of it.
class ToyPrograms final : public env::ProgramSource {
 public:
  Result<std::shared_ptr<const env::EpisodeProgram>> load(const std::string& uri) override {
    if (!uri.starts_with("toy:")) return fail(ErrorCode::kNotFound, "there is no program {}", uri);
    const std::int64_t count = std::stoll(uri.substr(4));
    auto program = std::make_shared<env::EpisodeProgram>();
    program->uri = uri;
    program->program = fakes::toySpec(count, {}).program;
    program->hash = hashBytes(program->program);
    program->values = {{"count/initial", static_cast<double>(count)},
                       {"count/clang-Oz", static_cast<double>(count) / 2}};
    return program;
  }
};

struct ToyBench {
  // noop, dec, inc, dec-if-even, halve-if-multiple-of-4, enable, break, crash, poison
  ToyBench() : bench(spec()) {}

  WorkbenchSpec spec() {
    WorkbenchSpec spec;
    spec.backend = &backend;
    spec.programs = &programs;
    spec.info = *backend.describe();
    spec.space = "toys";
    std::vector<std::string> actions = fakes::kToyActions;
    actions.insert(actions.end(), {"break", "crash", "poison"});
    spec.actions = fakes::toySpec(1, actions).actions;
    spec.safe.assign(spec.actions.size(), 1);
    spec.reward.metric = "count";
    spec.level = "O3";
    spec.reference = "clang-Oz";
    spec.baselines = {"clang-O0", "clang-Oz"};
    spec.stop = &stop;
    spec.baseline_values = [](const std::string&, const std::string&) {
      return std::map<std::string, double>{{"clang-O0", 90}, {"clang-Oz", 50}};
    };
    spec.stock_commands = [](const std::string& uri, const std::vector<env::Action>& applied) {
      std::vector<std::string> lines{"compile " + uri};
      for (const env::Action& action : applied) lines.push_back("run " + action.text);
      return lines;
    };
    return spec;
  }

  fakes::ToyBackend backend;
  ToyPrograms programs;
  std::atomic<bool> stop{false};
  Workbench bench;
};

}  // namespace ordo::shell
