// ordo web: programs, studies, trials, dialogues and loops in a browser.
#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "loopback/admission.h"
#include "recipe/recipe.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/version.h"
#include "web/document_view.h"
#include "web/follow_view.h"
#include "web/kernel_view.h"
#include "web/loop_view.h"
#include "web/program_view.h"
#include "web/server.h"
#include "web/study_view.h"

namespace ordo::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  std::vector<std::string> what;
  web::ProgramSpec program;
  int port = 0;
  std::vector<std::string> hosts;
  double idle_s = 600;
};

constexpr std::string_view kSqlite = "SQLite format 3";

Result<std::unique_ptr<web::View>> openDocument(const std::string& file, const std::string& text) {
  ORDO_TRY_ASSIGN(Json document, parseJson(text, file));
  if (!web::kindOf(document).empty())
    return web::openDocument(fs::path(file).filename(), std::move(document));
  if (!document.is_object() || !document.contains("actions"))
    return fail(
        ErrorCode::kInvalidArgument,
        "{} is no recipe, no dialogue of 'ordo agent --transcript' and no trial of 'ordo time --json'", file);
  ORDO_TRY_ASSIGN(recipe::Recipe recipe, recipe::parse(text, file));
  recipe.source = recipe::locateSource(recipe, file);
  if (recipe.backend == "mlir") {
    ORDO_TRY_ASSIGN(Json candidates, web::readCandidates(file, recipe));
    return web::openKernel(std::move(recipe), std::move(candidates));
  }
  ORDO_TRY_ASSIGN(web::ProgramSpec spec, web::specOf(std::move(recipe), ""));
  return web::openProgram(std::move(spec));
}

Result<std::unique_ptr<web::View>> open(const Options& options, const std::string& what) {
  std::error_code none;
  if (fs::is_regular_file(what, none)) {
    ORDO_TRY_ASSIGN(const std::string text, readFile(what));
    if (text.starts_with(kSqlite)) return web::openStudy(what);
    if (what.ends_with(".json")) return openDocument(what, text);
    if (what.ends_with(".jsonl")) return web::openFollowed(what);
    if (what.ends_with(".toml")) return web::openLoop(what);
  }
  web::ProgramSpec spec = options.program;
  spec.file = what;
  return web::openProgram(std::move(spec));
}

Status serve(const Options& options) {
  ORDO_TRY(loopback::checkHosts(options.hosts));
  ORDO_TRY_ASSIGN(const web::Site site, web::Site::load(dataDir() / "web"));
  std::vector<std::unique_ptr<web::View>> views;
  for (const std::string& what : options.what) {
    ORDO_TRY_ASSIGN(std::unique_ptr<web::View> view, open(options, what));
    for (const std::unique_ptr<web::View>& other : views) {
      if (other->kind() == view->kind())
        return fail(ErrorCode::kInvalidArgument, "one {} at a time: start another 'ordo web' for {}",
                    view->kind(), what);
    }
    views.push_back(std::move(view));
  }
  return web::serve(site, views,
                    {.version = std::string(version()),
                     .port = options.port,
                     .token = loopback::newToken(),
                     .hosts = options.hosts,
                     .idle_s = options.idle_s},
                    interrupted(), [](const std::string& url) {
                      fmt::print("{}\n", url);
                      std::fflush(stdout);
                      note("open this address in a browser; Ctrl-C ends it");
                    });
}

int run(const Options& options) {
  interrupted();
  const Status status = serve(options);
  return status ? kOk : report(status.error());
}

}  // namespace

extern const CommandInfo web{
    .name = "web",
    .summary =
        "look at a program being optimised, a study, trials, a tuning, a training or a loop in a browser",
    .examples =
        "  ordo web suite/sha256                  apply passes, compare code, search from anywhere\n"
        "  ordo web main.c --objective ir_instructions -- -I inc\n"
        "  ordo web sha256.ordo.json              what each pass of a recipe does\n"
        "  ordo web matmul.ordo.json              what each step of a kernel's schedule does\n"
        "  ordo web study.sqlite                  the report of a study, for the programs that you pick\n"
        "  ordo web talk.json trial.json          of 'ordo agent --transcript' and 'ordo time --json'\n"
        "  ordo web tune.jsonl                    follow an 'ordo tune --journal tune.jsonl' that goes on\n"
        "  ordo web events.jsonl                  follow an 'ordo train policy --events events.jsonl'\n"
        "  ordo web loop.toml                     experiments, candidates and budget of a production loop\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("WHAT", options->what,
                     "a program, a recipe, a study, a dialogue, trials, a journal, events, a loop.toml: one "
                     "of each kind")
          ->required();
      app.add_option("--objective", options->program.objective, "what is minimised (ordo list metrics)")
          ->capture_default_str();
      app.add_option("--baseline", options->program.baseline, "what to compare with (ordo list baselines)")
          ->capture_default_str();
      app.add_option("--space", options->program.space,
                     "which actions there are [text for bytes, else size]");
      app.add_option("--policy", options->program.policy, "as of 'ordo tune'")->capture_default_str();
      app.add_option("--port", options->port, "of 127.0.0.1; 0: any that is free")
          ->capture_default_str()
          ->check(CLI::Range(0, 65535));
      app.add_option("--allow-host", options->hosts,
                     "a name by which browsers reach it, of a proxy or a tunnel, or localhost:PORT of a "
                     "forwarded port (may be repeated)");
      app.add_option("--idle", options->idle_s, "seconds without a question after which workers are ended")
          ->capture_default_str()
          ->check(CLI::PositiveNumber);
      return [options](const std::vector<std::string>& flags) {
        options->program.flags = flags;
        return run(*options);
      };
    }};

}  // namespace ordo::cli
