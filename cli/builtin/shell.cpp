// ordo shell: one episode, driven by a person or a script.
#include <langinfo.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <clocale>
#include <cstdlib>
#include <memory>

#include "cli/command.h"
#include "cli/line_editor.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "engine/program_library.h"
#include "engine/reach.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "shell/interpreter.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string program;
  std::string space = "size";
  std::string reward = env::kIrInstructions;
  std::string reference = "clang-Oz";
  std::string level{frontend::name(engine::LibraryOptions{}.level)};
  std::uint64_t seed = 1;
  bool allow_unsafe = false;
  bool evaluation = false;
  bool json = false;
};

// Everything the shell stands on, in the order in which it is taken down last to first.
struct Bench {
  std::unique_ptr<engine::Engine> engine;
  std::unique_ptr<engine::ProgramLibrary> programs;
  std::unique_ptr<shell::Workbench> workbench;
};

Result<std::map<std::string, double>> baselineValues(engine::Engine& engine, engine::LibraryOptions options,
                                                     const std::string& uri, const std::string& metric) {
  options.values.clear();
  for (const std::string& name : engine::baselineNames())
    options.values.push_back(fmt::format("{}/{}", metric, name));
  ORDO_TRY_ASSIGN(const auto library, engine::ProgramLibrary::create(engine, options));
  ORDO_TRY_ASSIGN(const auto program, library->load(uri));
  std::map<std::string, double> values;
  for (const auto& [name, value] : program->values) values[name.substr(metric.size() + 1)] = value;
  return values;
}

Result<std::vector<std::string>> stockCommands(engine::Engine& engine, frontend::Level level,
                                               const std::string& uri,
                                               const std::vector<env::Action>& actions) {
  // As the library compiles it.
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(uri, {level, false}, {}));
  ORDO_TRY_ASSIGN(const std::vector<env::Action> all,
                  engine::finished(engine, input, input.compiled.bytes, actions));
  return engine::stockCommands(input, all, input.program.name + ".o");
}

Result<env::Reward> parseReward(const engine::Engine& engine, const std::string& text) {
  std::vector<std::string> metrics;
  for (const env::MetricInfo& metric : engine.info().metrics) metrics.push_back(metric.name);
  ORDO_TRY_ASSIGN(env::Reward reward, env::parseReward(text, metrics, engine::baselineNames()));
  if (!reward.at_end) return reward;
  reward.at_end = false;
  return fail(ErrorCode::kInvalidArgument,
              "{} is paid in the last step, which a prompt does not have; use {}", text, reward.name());
}

Result<Bench> prepare(const Options& options) {
  Bench bench;
  ORDO_TRY_ASSIGN(bench.engine, engine::Engine::start());
  engine::Engine& engine = *bench.engine;
  if (!engine.ledgerProblem().empty()) note(engine.ledgerProblem());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine.info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  shell::WorkbenchSpec spec;
  ORDO_TRY_ASSIGN(spec.reward, parseReward(engine, options.reward));
  ORDO_TRY(engine::parseBaseline(options.reference));
  const std::string& metric = spec.reward.metric;
  engine::LibraryOptions library;
  library.evaluation = options.evaluation;
  ORDO_TRY_ASSIGN(library.level, frontend::parseLevel(options.level));
  library.values = {metric + "/initial", fmt::format("{}/{}", metric, options.reference)};
  if (!spec.reward.baseline.empty() && spec.reward.baseline != options.reference)
    library.values.push_back(fmt::format("{}/{}", metric, spec.reward.baseline));
  ORDO_TRY_ASSIGN(bench.programs, engine::ProgramLibrary::create(engine, library));
  spec.backend = &engine.backend();
  spec.programs = bench.programs.get();
  spec.info = engine.info();
  spec.space = options.space;
  spec.space_hash = space.hash;
  spec.actions = space.actions;
  spec.safe.assign(space.actions.size(), 1);
  if (!options.allow_unsafe) {
    for (const env::ActionIndex action : space.unsafe) spec.safe[action] = 0;
  }
  spec.reference = options.reference;
  spec.level = frontend::name(library.level);
  spec.baselines = engine::baselineNames();
  spec.seed = options.seed;
  spec.stop = &interrupted();
  spec.baseline_values = [&engine, library](const std::string& uri, const std::string& name) {
    return baselineValues(engine, library, uri, name);
  };
  spec.stock_commands = [&engine, level = library.level](const std::string& uri,
                                                         const std::vector<env::Action>& actions) {
    return stockCommands(engine, level, uri, actions);
  };
  bench.workbench = std::make_unique<shell::Workbench>(std::move(spec));
  return bench;
}

// Of standard output, which may change while a person resizes the window.
shell::Style styleNow(bool json) {
  shell::Style style;
  if (json || ::isatty(STDOUT_FILENO) != 1) return style;
  const char* term = std::getenv("TERM");
  const char* no_color = std::getenv("NO_COLOR");
  style.color =
      (no_color == nullptr || *no_color == 0) && term != nullptr && std::string_view(term) != "dumb";
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 20) style.width = size.ws_col;
  style.lines = 200;
  return style;
}

// Whether characters beyond ASCII will be seen as what they are.
bool speaksUtf8() {
  std::setlocale(LC_CTYPE, "");
  return std::string_view(::nl_langinfo(CODESET)) == "UTF-8";
}

void print(const shell::Reply& reply, std::string_view line, bool json) {
  if (json) {
    Json object = {{"command", line}, {"ok", !reply.error}};
    if (reply.error) object["error"] = reply.error->message;
    object["result"] = reply.json;
    fmt::print("{}\n", writeJson(object));
  } else {
    fmt::print("{}", reply.text);
  }
  std::fflush(stdout);
  if (reply.error && !json) fmt::print(stderr, "ordo: {}\n", reply.error->message);
}

int runShell(const Options& options) {
  interrupted();
  const bool utf8 = speaksUtf8();
  Result<Bench> bench = prepare(options);
  if (!bench) return report(bench.error());
  ProgressLine progress(!options.json);
  shell::Interpreter interpreter(*bench->workbench, {}, [&](std::string_view text) {
    text.empty() ? progress.clear() : progress.show(text);
  });
  LineEditor editor(cacheDir() / "shell_history", [&](std::string_view line) {
    shell::Completion completion = interpreter.complete(line);
    return Suggestions{completion.begin, std::move(completion.words)};
  });
  // Whether the line was understood and did what it says.
  const auto run = [&](const std::string& line) {
    shell::Style style = styleNow(options.json);
    style.utf8 = utf8;
    interpreter.setStyle(style);
    const shell::Reply reply = interpreter.run(line);
    if (!interpreter.finished() && line.find_first_not_of(" \t\r") != std::string::npos)
      print(reply, line, options.json);
    const int code = interrupted() ? kInterrupted : reply.error ? exitCode(reply.error->code) : kOk;
    if (editor.interactive()) forgetInterrupt();
    return code;
  };
  if (editor.interactive()) {
    fmt::print("Ordo on {} {}, {} actions (space {}). 'help' lists the commands, Ctrl-D leaves.\n",
               bench->engine->info().name, bench->engine->info().version,
               bench->workbench->spec().actions.size(), options.space);
  }
  if (!options.program.empty()) {
    const int code = run(fmt::format("load \"{}\"", options.program));
    if (code != kOk && !editor.interactive()) return code;
  }
  std::string line;
  while (!interpreter.finished()) {
    const LineEditor::Input input = editor.read(interpreter.prompt(), line);
    forgetInterrupt();
    if (input == LineEditor::Input::kEnd) break;
    if (input == LineEditor::Input::kBreak) continue;
    const int code = run(line);
    // What follows in a script was meant for another state.
    if (code != kOk && !editor.interactive()) return code;
  }
  return kOk;
}

}  // namespace

extern const CommandInfo shell{
    .name = "shell",
    .summary = "a prompt to apply passes one by one and look at what they do",
    .examples =
        "  ordo shell suite/crc32\n"
        "  ordo shell suite/sha256 --reward text_bytes --space full\n"
        "  ordo shell suite/stencil --level O3 --baseline clang-O3 --space speed\n"
        "  printf 'apply sroa\\nplot\\n' | ordo shell suite/crc32\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("PROGRAM", options->program, "what to begin with; 'load' takes another");
      app.add_option("--space", options->space, "which actions there are (ordo list spaces)")
          ->capture_default_str();
      app.add_option("--reward", options->reward,
                     "what is measured and paid at each step (ordo list rewards)")
          ->capture_default_str();
      app.add_option("--baseline", options->reference, "what to compare with (ordo list baselines)")
          ->capture_default_str();
      app.add_option("--level", options->level,
                     "source is compiled as clang does at this level, without its passes")
          ->capture_default_str();
      app.add_option("--seed", options->seed, "of 'random'")->capture_default_str();
      app.add_flag("--allow-unsafe", options->allow_unsafe, "use actions that the manifest warns of");
      app.add_flag("--evaluation", options->evaluation, "also load programs that nobody may learn from");
      app.add_flag("--json", options->json, "one line of JSON for each command");
      return [options](const std::vector<std::string>&) { return runShell(*options); };
    }};

}  // namespace ordo::cli
