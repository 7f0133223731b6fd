// ordo loop: candidates in production, a little at a time (docs/loop.md).
#include "cli/loop.h"

#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "loop/learning/lore.h"
#include "loop/service/endpoint.h"
#include "loop/service/errands.h"
#include "loop/service/preflight.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string file = "loop.toml";
  std::string id;
  std::string output = "experience.jsonl";
  std::size_t experiments = 0;
  int port = 9464;
  bool json = false, quiet = false, force = false;
};

int done(const Status& status) { return status ? kOk : report(status.error()); }

Status print(const Result<std::string>& text) {
  if (!text) return fail(text.error());
  fmt::print("{}", *text);
  return {};
}

Status init(const Options& options) {
  std::error_code ignored;
  if (!options.force && std::filesystem::exists(options.file, ignored))
    return fail(ErrorCode::kInvalidArgument, "{} is there already; --force replaces it", options.file);
  ORDO_TRY(writeFile(options.file, loop::settingsTemplate()));
  fmt::print("wrote {}; next: say how to build and deploy in it, then 'ordo loop run'\n", options.file);
  return {};
}

// What would be wrong with 'run', without a request of its own behind the balancer.
int check(const Options& options) {
  const auto settings = loop::loadSettings(options.file);
  if (!settings) return report(settings.error());
  bool held = false;
  if (const Result<loop::Store> store = loop::Store::open(settings->store))
    held = store->leasedUntil().value_or(0) > loop::wallSeconds();
  else if (store.error().code != ErrorCode::kNotFound)
    return report(store.error());
  const loop::Preflight preflight = loop::preflight(*settings, held);
  fmt::print("{}", options.json ? writeJson(loop::toJson(preflight), 2) + "\n" : loop::toText(preflight));
  std::fflush(stdout);
  return done(preflight.status());
}

int run(const Options& options) {
  interrupted();
  const auto settings = loop::loadSettings(options.file);
  if (!settings) return report(settings.error());
  const Status status = runLoop(*settings, options.experiments, options.quiet);
  if (!status) return report(status.error());
  return interrupted() ? kInterrupted : kOk;
}

// What follows looks at the store, or leaves a word in it.
Status withStore(const Options& options,
                 Status (*look)(const Options&, const loop::Settings&, loop::Store&)) {
  ORDO_TRY_ASSIGN(const loop::Settings settings, loop::loadSettings(options.file));
  ORDO_TRY_ASSIGN(loop::Store store, loop::Store::open(settings.store));
  return look(options, settings, store);
}

Status status(const Options&, const loop::Settings& settings, loop::Store& store) {
  return print(statusPage(settings, store, loop::wallSeconds()));
}

Status history(const Options&, const loop::Settings&, loop::Store& store) {
  return print(historyTable(store));
}

Status verdict(const Options& options, const loop::Settings&, loop::Store& store) {
  return print(verdictPage(store, options.id, loop::wallSeconds()));
}

Status pause(const Options&, const loop::Settings&, loop::Store& store) {
  ORDO_TRY(store.setWish(loop::Wish::kPause));
  fmt::print("paused: a canary that serves is withdrawn at the next tick, and none is begun\n");
  return {};
}

Status resume(const Options&, const loop::Settings&, loop::Store& store) {
  ORDO_TRY(store.setWish(loop::Wish::kRun));
  fmt::print("goes on\n");
  return {};
}

Status abort(const Options&, const loop::Settings&, loop::Store& store) {
  ORDO_TRY(store.setWish(loop::Wish::kAbort));
  ORDO_TRY_ASSIGN(const loop::Wish wish, store.wish());
  fmt::print("{}\n", wish == loop::Wish::kPause
                         ? "it is paused: no canary serves, and none will before 'ordo loop resume'"
                         : "the experiment that is open is withdrawn at the next tick");
  return {};
}

Status forgive(const Options& options, const loop::Settings& settings, loop::Store& store) {
  if (std::ranges::find(settings.candidates, options.id) == settings.candidates.end())
    return fail(ErrorCode::kNotFound, "{} has no candidate '{}'; it has {}", options.file, options.id,
                fmt::join(settings.candidates, ", "));
  ORDO_TRY(store.forgive(options.id, loop::wallSeconds()));
  fmt::print("{} may be tried again; what was measured of it stays\n", options.id);
  return {};
}

Status reward(const Options& options, const loop::Settings& settings, loop::Store& store) {
  ORDO_TRY_ASSIGN(const loop::Experiment experiment, store.experiment(options.id));
  ORDO_TRY_ASSIGN(const std::vector<loop::Window> windows, store.windows(experiment.id));
  const bool over = experiment.outcome.has_value();
  const loop::Reward reward = loop::computeReward(windows, settings.loop.reward, over);
  fmt::print("{}", options.json ? writeJson(loop::toJson(reward), 2) + "\n" : loop::toText(reward));
  return {};
}

int serve(const Options& options) {
  const std::atomic<bool>& stop = interrupted();
  const auto settings = loop::loadSettings(options.file);
  if (!settings) return report(settings.error());
  return done(loop::serveEndpoint(*settings,
                                  {.port = options.port,
                                   .on_ready =
                                       [](int port) {
                                         fmt::print("http://127.0.0.1:{}/metrics\n", port);
                                         std::fflush(stdout);
                                       }},
                                  stop));
}

// All rewards that were measured, computed anew from their windows.
Status replay(const Options&, const loop::Settings& settings, loop::Store& store) {
  ORDO_TRY_ASSIGN(const std::vector<loop::StoredReward> rewards, store.rewards());
  std::size_t measured = 0, same = 0;
  for (const loop::StoredReward& stored : rewards) {
    ORDO_TRY_ASSIGN(const std::vector<loop::Window> windows, store.windows(stored.experiment));
    if (windows.empty() || stored.censored || !stored.value) continue;
    ++measured;
    const loop::Reward again = loop::computeReward(windows, settings.loop.reward, true);
    if (again.value == stored.value && again.error == stored.error && again.verdict == stored.verdict) {
      ++same;
      continue;
    }
    fmt::print("{}: {} {:+.6f}, recorded as {} {:+.6f}\n", stored.experiment, name(again.verdict),
               again.value.value_or(0), name(stored.verdict), *stored.value);
  }
  fmt::print("{} of {} measured rewards come out the same from their windows\n", same, measured);
  if (same == measured) return {};
  return fail(ErrorCode::kCorrupt,
              "the options of [reward] are others than they were, or windows were changed");
}

// What the store has taught, for policies: candidates of recipes, and what production said of them.
Status exportLore(const Options& options, const loop::Settings& settings, loop::Store& store) {
  ORDO_TRY_ASSIGN(const loop::Lore lore, loop::collectLore(store, settings.loop.toolchain));
  const loop::Sequence& one = lore.candidates.begin()->second.front();
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  if (engine->info().version != one.version)
    return fail(ErrorCode::kUnsupported, "the recipes are of LLVM {}, and this is {}", one.version,
                engine->info().version);
  ORDO_TRY_ASSIGN(const spaces::Space whole, spaces::loadSpace(dataDir(), one.space, manifest));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::beginning(whole, one.space_hash));
  std::vector<std::string> actions;
  for (const env::Action& action : space.actions) actions.push_back(action.name);
  ORDO_TRY_ASSIGN(const std::string text, loop::writeLore(lore, actions));
  ORDO_TRY(writeOutput(options.output, text));
  for (const std::string& why : lore.left_out) note(fmt::format("left out: experiment {}", why));
  if (options.output != "-")
    fmt::print("{}: {} experiments with {} candidates\n", options.output, lore.trials.size(),
               lore.candidates.size());
  return {};
}

}  // namespace

extern const CommandInfo loop{
    .name = "loop",
    .summary = "try candidates on a share of live traffic, within an error budget, and learn from it",
    .examples =
        "  ordo loop init                 write a loop.toml with a comment for each key\n"
        "  ordo loop check                what would be wrong with it: HAProxy, Prometheus, buckets, pace\n"
        "  ordo loop run                  until Ctrl-C; the canary is out of the traffic then\n"
        "  ordo loop status               production, budget, what is tried, what is believed\n"
        "  ordo loop abort                take the canary out now; 'pause' also begins no other\n"
        "  ordo loop forgive O2           try it again: the harm was a fault of ours\n"
        "  ordo loop verdict 3f2a…        why an experiment ended as it did\n"
        "  ordo loop reward 3f2a… --json  the same numbers from its stored windows\n"
        "  ordo loop export -o e.jsonl    what production said of recipes, to train a policy on\n"
        "\n"
        "What it may do, what it never does and how to stop it: docs/loop.md.\n",
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      auto chosen = std::make_shared<std::function<int()>>();
      app.require_subcommand(1);
      const auto add = [&](const char* name, const char* summary, const std::function<int()>& what) {
        CLI::App* sub = app.add_subcommand(name, summary);
        sub->add_option("--file", options->file, "the loop's settings")->capture_default_str();
        sub->callback([chosen, what] { *chosen = what; });
        return sub;
      };
      const auto look = [options](Status (*what)(const Options&, const loop::Settings&, loop::Store&)) {
        return [options, what] { return done(withStore(*options, what)); };
      };
      add("init", "write loop.toml", [options] {
        return done(init(*options));
      })->add_flag("--force", options->force, "replace one that is there");
      add("check", "what would be wrong with a run, before any traffic", [options] {
        return check(*options);
      })->add_flag("--json", options->json, "for programs");
      CLI::App* runs = add("run", "run the loop", [options] { return run(*options); });
      runs->add_option("--experiments", options->experiments, "end after so many [never]");
      runs->add_flag("-q,--quiet", options->quiet, "no progress line");
      add("status", "what it does now", look(status));
      add("pause", "withdraw the canary and begin nothing more", look(pause));
      add("resume", "go on after a pause", look(resume));
      add("abort", "withdraw the canary, and go on with the next", look(abort));
      add("forgive", "let a candidate be tried again that is barred or rests", look(forgive))
          ->add_option("CANDIDATE", options->id, "as in loop.toml")
          ->required();
      add("history", "all experiments", look(history));
      add("verdict", "why one ended as it did", look(verdict))
          ->add_option("EXPERIMENT", options->id, "as in the history")
          ->required();
      CLI::App* rewards = add("reward", "compute one's reward from its stored windows", look(reward));
      rewards->add_option("EXPERIMENT", options->id, "as in the history")->required();
      rewards->add_flag("--json", options->json, "all numbers");
      add("serve", "metrics for Prometheus, verdicts for Argo Rollouts and Flagger, on 127.0.0.1",
          [options] { return serve(*options); })
          ->add_option("--port", options->port, "0: any that is free")
          ->capture_default_str();
      add("export", "experience for 'ordo train policy --algorithm awr'", look(exportLore))
          ->add_option("-o,--output", options->output, "the file; - for standard output")
          ->capture_default_str();
      add("replay", "compute all rewards anew, and compare", look(replay));
      return [chosen](const std::vector<std::string>&) { return (*chosen)(); };
    }};

}  // namespace ordo::cli
