// ordo baselines: a program compiled in all twelve standard ways, side by side; or what a build links, with
// each of the flags that cost nothing.
#include <fmt/ranges.h>

#include <memory>

#include "builds/free_flags.h"
#include "builds/settings.h"
#include "cli/command.h"
#include "cli/project.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "env/metric.h"
#include "projects/free_search.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

struct Row {
  std::string name;
  double text_bytes = 0;
  double ir_instructions = 0;
};

Result<Row> measureBaseline(engine::Engine& engine, const engine::Input& input, bool bare) {
  const engine::Baseline baseline{input.baseline.level, bare};
  std::vector<env::Action> actions = bare ? engine::bareAttributes() : std::vector<env::Action>{};
  actions.push_back(engine::baselineAction(baseline, input.pipeline));
  std::vector<env::ActionIndex> all(actions.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<env::ActionIndex>(i);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session,
                  engine.backend().open(
                      {input.program.name, input.compiled.bytes, std::move(actions), input.settings()}));
  ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all));
  // The same works on others: it has to do with the program.
  if (!outcome.ok())
    return fail(ErrorCode::kUnsupported, "{}: {}: {}", input.program.name, baseline.name(), outcome.detail);
  Row row{baseline.name(), 0, 0};
  ORDO_TRY_ASSIGN(const env::Measurement text, session->measure(env::kTextBytes));
  ORDO_TRY_ASSIGN(const env::Measurement instructions, session->measure(env::kIrInstructions));
  if (!text.ok())
    return fail(ErrorCode::kUnsupported, "{}: {}: {}", input.program.name, baseline.name(), text.detail);
  row.text_bytes = text.value;
  row.ir_instructions = instructions.value;
  return row;
}

Result<std::vector<Row>> measureAll(const std::string& file, const std::vector<std::string>& flags) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  std::vector<Row> clang, bare;
  for (const frontend::Level level : frontend::kLevels) {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(file, {level, false}, flags));
    ORDO_TRY_ASSIGN(clang.emplace_back(), measureBaseline(*engine, input, false));
    ORDO_TRY_ASSIGN(bare.emplace_back(), measureBaseline(*engine, input, true));
  }
  clang.insert(clang.end(), bare.begin(), bare.end());
  return clang;
}

int showLevels(const std::string& file, const std::vector<std::string>& flags, bool json) {
  const Result<std::vector<Row>> rows = measureAll(file, flags);
  if (!rows) return report(rows.error());
  Json list = Json::array();
  if (!json) fmt::print("{:10} {:>12} {:>16}\n", "", env::kTextBytes, env::kIrInstructions);
  for (const Row& row : *rows) {
    if (json)
      list.push_back({{"baseline", row.name},
                      {env::kTextBytes, row.text_bytes},
                      {env::kIrInstructions, row.ir_instructions}});
    else
      fmt::print("{:10} {:>12} {:>16}\n", row.name, grouped(row.text_bytes), grouped(row.ir_instructions));
  }
  if (json) fmt::print("{}\n", writeJson(list, 2));
  return kOk;
}

struct BuildRequest {
  projects::Commands commands;
  std::string objective = env::kCodeBytes;
  std::string budget = "60s";
  bool json = false, quiet = false;
};

// What all files of a trial weigh together.
builds::ObjectBytes sumOf(const projects::FreeTrial& trial) {
  builds::ObjectBytes sum;
  for (const auto& [path, object] : trial.binaries) {
    sum.code += object.code;
    sum.text += object.text;
    sum.data += object.data;
    sum.bss += object.bss;
  }
  return sum;
}

Result<projects::FreeResult> tryFlags(const BuildRequest& request) {
  if (request.objective != env::kCodeBytes && request.objective != env::kTextBytes)
    return fail(ErrorCode::kInvalidArgument,
                "--objective of what is linked is code_bytes or text_bytes, not '{}'", request.objective);
  ORDO_TRY_ASSIGN(const double seconds, buildSeconds(request.budget));
  ORDO_TRY_ASSIGN(const builds::Settings settings, builds::settingsFromEnvironment());
  ORDO_TRY_ASSIGN(const TempDir scratch, TempDir::create());
  projects::Build build(request.commands, settings, scratch.path(), &interrupted());
  ProgressLine progress(!request.quiet);
  progress.show("building as it is");
  projects::FreeSearchOptions options;
  options.metric = request.objective;
  options.seconds = seconds;
  options.on_trial = [&](const projects::FreeTrial& trial) { progress.show(trialText(trial)); };
  ORDO_TRY_ASSIGN(projects::FreeResult result, projects::tryFreeFlags(build, options));
  progress.show("building as it was");
  if (!build.plain({})) {
    progress.clear();
    note("what lies here was built with the flags of a trial: build again");
  }
  return result;
}

void printTrials(const projects::FreeResult& result) {
  Table table{{"flags", "code", "text", "data", "bss", "change"}, {}, {false, true, true, true, true, true}};
  for (const projects::FreeTrial& trial : result.trials) {
    const std::string name = trial.choices.empty() ? "as it is built" : builds::writeFreeFlags(trial.choices);
    if (!trial.trouble.empty()) {
      table.rows.push_back({name, "", "", "", "", "-"});
      continue;
    }
    const builds::ObjectBytes sum = sumOf(trial);
    std::vector<std::string> row{name};
    for (const std::uint64_t bytes : {sum.code, sum.text, sum.data, sum.bss})
      row.push_back(grouped(static_cast<double>(bytes)));
    row.push_back(trial.choices.empty() ? "" : change(result.trials.front().bytes, trial.bytes));
    table.rows.push_back(std::move(row));
  }
  fmt::print("{}", format(table));
  for (const projects::FreeTrial& trial : result.trials) {
    if (!trial.trouble.empty())
      note(fmt::format("{}: {}", builds::writeFreeFlags(trial.choices), trial.trouble));
  }
  const builds::FreeChoices& best = result.trials[result.best].choices;
  if (best.empty()) {
    fmt::print("\nnone of them makes it smaller\n");
    return;
  }
  fmt::print(
      "\nbest         {}\n  compile    {}\n  link       {}\n  to try it  ORDO_FREE_FLAGS={} ORDO_PLAIN=1 and "
      "CC=ordo-cc\n",
      builds::writeFreeFlags(best), fmt::join(builds::freeCompileWords(best), " "),
      fmt::join(builds::freeLinkWords(best, false), " "), builds::writeFreeFlags(best));
}

Json toJson(const projects::FreeResult& result) {
  Json trials = Json::array();
  for (const projects::FreeTrial& trial : result.trials) {
    Json row{{"flags", builds::writeFreeFlags(trial.choices)}};
    if (trial.trouble.empty()) {
      const builds::ObjectBytes sum = sumOf(trial);
      row.update({{"code_bytes", sum.code},
                  {"text_bytes", sum.text},
                  {"data_bytes", sum.data},
                  {"bss_bytes", sum.bss}});
    } else {
      row["trouble"] = trial.trouble;
    }
    trials.push_back(std::move(row));
  }
  const builds::FreeChoices& best = result.trials[result.best].choices;
  return {{"format", 1},
          {"trials", std::move(trials)},
          {"best", builds::writeFreeFlags(best)},
          {"compile", builds::freeCompileWords(best)},
          {"link", builds::freeLinkWords(best, false)}};
}

// Its exit code.
int showFreeFlags(const BuildRequest& request) {
  const Result<projects::FreeResult> result = tryFlags(request);
  if (!result) {
    const int code = report(result.error());
    return interrupted() ? kInterrupted : code;
  }
  if (request.json)
    fmt::print("{}\n", writeJson(toJson(*result), 2));
  else
    printTrials(*result);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

extern const CommandInfo baselines{
    .name = "baselines",
    .summary = "a program compiled in the standard ways; a build with the flags that cost nothing",
    .examples =
        "  ordo baselines suite/sha256\n"
        "  ordo baselines main.c --json -- -I inc\n"
        "  ordo baselines --build 'make' --clean 'make clean'\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto file = std::make_shared<std::string>();
      auto request = std::make_shared<BuildRequest>();
      CLI::Option* of_file =
          app.add_option("FILE", *file, "a C, C++, .ll or .bc file, or a folder with a program.toml");
      CLI::Option* build = app.add_option("--build", request->commands.build,
                                          "instead of a file: how the project is built, with $CC and $CXX");
      build->excludes(of_file);
      app.add_option("--clean", request->commands.clean,
                     "before each build [removes what the one before made]")
          ->needs(build);
      app.add_option("--objective", request->objective,
                     "of what is linked, code_bytes or text_bytes [code_bytes]")
          ->needs(build);
      app.add_option("--budget", request->budget, "for builds [60s]")->needs(build);
      app.add_flag("-q,--quiet", request->quiet, "no progress")->needs(build);
      app.add_flag("--json", request->json, "print as JSON");
      return [file, request](const std::vector<std::string>& flags) {
        if (!request->commands.build.empty()) return showFreeFlags(*request);
        if (file->empty())
          return report(
              Error{ErrorCode::kInvalidArgument, "name a FILE, or say how it is built with --build"});
        return showLevels(*file, flags, request->json);
      };
    }};

}  // namespace ordo::cli
