#include "cli/kernel_answers.h"

#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <sstream>

#include "cli/kernel.h"
#include "cli/terminal.h"
#include "engine/kernel.h"
#include "engine/objective.h"
#include "engine/reach.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "timing/session_experiment.h"

namespace ordo::cli {
namespace {

constexpr double kSeconds = 3;  // for each
constexpr const char* kNoWeights = R"({"weights":""})";

std::vector<env::Action> actionsOf(const std::vector<std::string>& steps) {
  std::vector<env::Action> actions;
  for (const std::string& step : steps) actions.push_back({step, "schedule", step});
  return actions;
}

Status measure(engine::Engine& engine, const engine::Input& input, env::Session& baseline, const Clock& clock,
               std::uint64_t seed, Answer& answer) {
  ORDO_TRY_ASSIGN(const auto session,
                  engine::walk(engine, input, input.compiled.bytes, actionsOf(answer.steps)));
  timing::SessionExperiment experiment(baseline, {session.get()}, engine::kKernelTime, clock);
  ORDO_TRY_ASSIGN(answer.claim, experiment.ask(0, {.budget_s = kSeconds, .seed = seed}));
  return {};
}

}  // namespace

Result<Answer> policyAnswer(engine::Engine& engine, const engine::Input& input, const Clock& clock,
                            const std::string& settings) {
  ORDO_TRY_ASSIGN(const auto session,
                  engine.backend().open({input.program.uri, input.compiled.bytes, {}, settings}));
  Answer answer{settings.empty() ? "policy" : "costs"};
  const double begin_s = clock.seconds();
  ORDO_TRY_ASSIGN(const std::string lines, engine::observedText(*session, "proposals"));
  answer.seconds = clock.seconds() - begin_s;
  std::istringstream first(lines.substr(0, lines.find('\n')));
  for (std::string step; std::getline(first, step, ';');) answer.steps.push_back(step);
  if (answer.steps.empty())
    return fail(ErrorCode::kNotFound, "{}: there is nothing to schedule", input.program.name);
  return answer;
}

std::vector<Answer> measureAnswers(engine::Engine& engine, const engine::Input& input, env::Session& baseline,
                                   const Clock& clock, std::uint64_t seed) {
  std::vector<Answer> answers;
  for (const char* settings : {"", kNoWeights}) {
    const char* const name = *settings == '\0' ? "policy" : "costs";
    // Without them the model of costs would answer in its name.
    const std::filesystem::path weights = dataDir() / "policy" / "kernels.safetensors";
    if (*settings == '\0' && !std::filesystem::exists(weights)) {
      answers.push_back({name, {}, fmt::format("there is no {}: ordo train kernels", weights.string())});
      continue;
    }
    Result<Answer> answer = policyAnswer(engine, input, clock, settings);
    answers.push_back(answer ? *std::move(answer) : Answer{name, {}, answer.error().message});
  }
  answers.push_back({"greedy", {"greedy"}});
  for (Answer& answer : answers) {
    if (answer.steps.empty()) continue;
    if (const Status status = measure(engine, input, baseline, clock, seed, answer); !status)
      answer.why = status.error().message;
  }
  return answers;
}

void print(const std::vector<Answer>& answers) {
  for (const Answer& answer : answers) {
    if (answer.claim)
      fmt::print("  {:10} {}; {}\n", answer.name, answer.claim->why, fmt::join(answer.steps, " "));
    else
      fmt::print("  {:10} not measured: {}\n", answer.name, answer.why);
  }
}

Json toJson(const std::vector<Answer>& answers) {
  Json all = Json::array();
  for (const Answer& answer : answers) {
    Json json = {
        {"name", answer.name}, {"steps", answer.steps}, {"why_not", answer.why}, {"seconds", answer.seconds}};
    if (answer.claim && answer.claim->effect) {
      const auto& effect = *answer.claim->effect;
      json["speedup"] = {std::exp(effect.value), std::exp(effect.low), std::exp(effect.high)};
    }
    all.push_back(std::move(json));
  }
  return all;
}

int scheduleKernels(const std::vector<std::string>& files, const std::string& out, unsigned threads) {
  const Result<std::unique_ptr<engine::Engine>> engine = engine::startForKernels();
  if (!engine) return report(engine.error());
  const SteadyClock clock;
  const auto schedule = [&](const std::string& file) -> Status {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::readKernel(**engine, file, "", threads));
    ORDO_TRY_ASSIGN(const Answer answer, policyAnswer(**engine, input, clock, input.settings()));
    ORDO_TRY_ASSIGN(const engine::State state,
                    engine::reach(**engine, input, input.compiled.bytes, actionsOf(answer.steps)));
    ORDO_TRY_ASSIGN(const std::vector<std::string> files_of,
                    writeKernel(*state.session, out, input.program.name, "obj", threads > 1));
    fmt::print("{}\n  {:10} {}\n  {:10} {:.0f} ms\n  {:10} {}\n", input.program.name, "schedule",
               fmt::join(answer.steps, " "), "found in", 1e3 * answer.seconds, "wrote",
               fmt::join(files_of, ", "));
    return {};
  };
  int code = kOk;
  for (const std::string& file : files) {
    if (const Status done = schedule(file); !done) code = report(done.error());
  }
  return code;
}

}  // namespace ordo::cli
