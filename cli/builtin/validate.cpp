// ordo validate: recorded states of environments, replayed and, where they can be, run.
#include "check/validate.h"

#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "recipe/recipe.h"
#include "recipe/state.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string file;
  check::ValidateOptions validate;
  bool no_run = false;
  bool json = false;
};

Json toJson(const recipe::State& state, const check::Validation& validation) {
  Json checks = Json::array();
  for (const check::Check& check : validation.checks)
    checks.push_back({{"check", check.name}, {"verdict", name(check.verdict)}, {"detail", check.detail}});
  return {{"program", state.program},
          {"actions", state.actions.size()},
          {"ok", validation.ok()},
          {"checks", std::move(checks)}};
}

// "ok" or "FAILED", the program, and each check with a word that says how it went.
void print(std::size_t number, const recipe::State& state, const check::Validation& validation) {
  std::string line = fmt::format("{:>4}  {:6}  {}, {} actions:", number, validation.ok() ? "ok" : "FAILED",
                                 state.program, state.actions.size());
  for (const check::Check& check : validation.checks)
    line += fmt::format(" {}{}", check.name,
                        check.verdict == check::Verdict::kPassed    ? ""
                        : check.verdict == check::Verdict::kSkipped ? " (skipped)"
                                                                    : " FAILED");
  fmt::print("{}\n", line);
  for (const check::Check& check : validation.checks) {
    if (!check.detail.empty()) fmt::print("              {}: {}\n", check.name, check.detail);
  }
}

Result<int> validateAll(Options options) {
  options.validate.run = !options.no_run;
  ORDO_TRY_ASSIGN(const std::string text, readFile(options.file));
  if (recipe::parse(text, options.file)) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is a recipe, and this takes states; 'ordo verify {} FILE' proves a recipe", options.file,
                options.file);
  }
  ORDO_TRY_ASSIGN(const std::vector<recipe::State> states, recipe::parseStates(text, options.file));
  // Its own ledger: what once killed a worker is to be tried again, not refused.
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start({{}, false}));
  ORDO_TRY_ASSIGN(const std::unique_ptr<check::Validator> validator,
                  check::Validator::create(*engine, dataDir(), options.validate));
  ProgressLine progress(!options.json);
  Json results = Json::array();
  std::size_t bad = 0;
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (interrupted()) return kInterrupted;
    progress.show(fmt::format("state {} of {}: {}", i + 1, states.size(), states[i].program));
    Result<check::Validation> validation = validator->validate(states[i]);
    if (!validation) return fail(std::move(validation).error().context(fmt::format("state {}", i + 1)));
    bad += validation->ok() ? 0 : 1;
    progress.clear();
    if (options.json) {
      results.push_back(toJson(states[i], *validation));
    } else {
      print(i + 1, states[i], *validation);
    }
  }
  if (options.json) {
    fmt::print("{}\n", writeJson(results, 2));
  } else {
    fmt::print("{} of {} states are what they say\n", states.size() - bad, states.size());
  }
  return bad == 0 ? kOk : kWrong;
}

}  // namespace

extern const CommandInfo validate{
    .name = "validate",
    .summary = "replay recorded states of environments, compare their figures, run what can be run",
    .examples =
        "  ordo validate states.jsonl\n"
        "  ordo validate results.csv --json --no-run\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("STATES", options->file, "JSON lines or CSV (docs/formats/state.md)")->required();
      app.add_option("--tolerance", options->validate.tolerance, "of value and reward, relative")
          ->capture_default_str();
      app.add_option("--retries", options->validate.retries, "of runs that went wrong")
          ->capture_default_str()
          ->check(CLI::Range(0, 20));
      app.add_flag("--no-run", options->no_run, "only replay and compare; run no program");
      app.add_flag("--json", options->json, "print the result as JSON");
      return [options](const std::vector<std::string>&) {
        interrupted();
        const Result<int> code = validateAll(*options);
        return code ? *code : report(code.error());
      };
    }};

}  // namespace ordo::cli
