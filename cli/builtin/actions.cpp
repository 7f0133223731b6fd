// ordo actions discover: the manifest of the linked LLVM, made by probing every pass it knows.
#include <unistd.h>

#include <memory>
#include <stop_token>
#include <thread>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "env/metric.h"
#include "spaces/candidates.h"
#include "spaces/probe.h"
#include "spaces/space.h"
#include "spaces/traps.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  std::vector<std::string> corpus;
  std::string out;
  std::string full_space;
  unsigned jobs = 0;
  int runs = 3;
};

Result<std::vector<env::SessionSpec>> loadCorpus(const std::vector<std::string>& files) {
  std::vector<env::SessionSpec> corpus;
  for (const std::string& file : files) {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(file, engine::Baseline{}, {}));
    corpus.push_back({input.program.uri, input.compiled.bytes, {}, input.settings()});
  }
  return corpus;
}

// clang's own pipelines, as it prints them for C.
Result<std::vector<spaces::NamedPipeline>> clangPipelines() {
  std::vector<spaces::NamedPipeline> pipelines;
  for (const frontend::Level level : frontend::kLevels) {
    if (level == frontend::Level::kO0) continue;
    ORDO_TRY_ASSIGN(const frontend::Pipeline captured,
                    frontend::capturePipeline({"/dev/null", "c", {}, {}}, level));
    pipelines.push_back({engine::Baseline{level, false}.name(), captured.text});
  }
  return pipelines;
}

Status discover(const Options& options) {
  sandbox::Limits limits;
  limits.wall_s = limits.cpu_s = 10;
  // What is known to kill is to be tried again, not refused, so the ledger starts empty.
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start({limits, false}));
  const std::filesystem::path actions = dataDir() / "actions";
  ORDO_TRY_ASSIGN(const std::string variants, readFile(actions / (engine->info().name + "-variants.txt")));
  ORDO_TRY_ASSIGN(const std::string trap_text, readFile(actions / (engine->info().name + "-traps.txt")));
  ORDO_TRY_ASSIGN(const std::vector<spaces::TrapRule> traps, spaces::parseTraps(trap_text));
  ORDO_TRY_ASSIGN(const std::vector<spaces::NamedPipeline> pipelines, clangPipelines());
  ORDO_TRY_ASSIGN(const spaces::Candidates candidates,
                  spaces::findCandidates(engine->info(), variants, pipelines));
  ORDO_TRY_ASSIGN(const std::vector<env::SessionSpec> corpus, loadCorpus(options.corpus));

  ProgressLine progress(true);
  std::stop_source stop;
  spaces::ProbeOptions probe_options;
  probe_options.jobs = options.jobs;
  probe_options.runs = options.runs;
  probe_options.metric = env::kTextBytes;
  probe_options.generated_by = "ordo actions discover";
  probe_options.stop = stop.get_token();
  probe_options.progress = [&](std::size_t done, std::size_t total) {
    if (interrupted()) stop.request_stop();
    progress.show(fmt::format("probing {} actions on {} programs: {} of {} done", candidates.actions.size(),
                              corpus.size(), done, total));
  };
  ORDO_TRY_ASSIGN(spaces::Manifest manifest,
                  spaces::probe(engine->backend(), corpus, candidates, probe_options));
  progress.clear();
  ORDO_TRY(spaces::applyTraps(traps, manifest));

  const std::string out =
      options.out.empty() ? spaces::manifestFile(dataDir(), engine->info()).string() : options.out;
  ORDO_TRY(writeOutput(out, spaces::writeManifest(manifest)));
  if (!options.full_space.empty()) {
    ORDO_TRY(writeOutput(options.full_space,
                         spaces::writeSpace(spaces::fullSpace(manifest),
                                            "Every action that is safe and did something when probed.")));
  }
  std::size_t safe = 0;
  for (const spaces::ManifestRow& row : manifest.rows) safe += spaces::isSafe(row) ? 1 : 0;
  if (out != "-") {
    fmt::print("{}: {} actions, {} of them safe; {} transforms skipped; {} workers died\n", out,
               manifest.rows.size(), safe, manifest.skipped.size(), engine->backend().stats().workers_died);
  }
  return {};
}

}  // namespace

extern const CommandInfo actions{
    .name = "actions",
    .summary = "make the manifest of actions anew, for another LLVM",
    .examples =
        "  ordo actions discover suite/*/\n"
        "  ordo actions discover suite/crc32 suite/json -o - --runs 1\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      CLI::App* discover_app = app.add_subcommand("discover", "probe every pass that the linked LLVM knows");
      app.require_subcommand(1);
      discover_app->add_option("PROGRAM", options->corpus, "the probe corpus")->required();
      discover_app->add_option("-o,--output", options->out,
                               "where to write the manifest; - for standard output [the data folder]");
      discover_app->add_option("--full-space", options->full_space,
                               "also write the space of all safe actions here");
      discover_app->add_option("--runs", options->runs, "runs of each action from each state")
          ->capture_default_str();
      discover_app->add_option("-j,--jobs", options->jobs, "threads [one per core]");
      return [options](const std::vector<std::string>&) {
        interrupted();
        const Status status = discover(*options);
        return status ? kOk : report(status.error());
      };
    }};

}  // namespace ordo::cli
