// ordo eval: methods on programs, at one budget and several seeds, into the file of a study.
#include "campaigns/eval.h"

#include <fmt/ranges.h>
#include <sys/utsname.h>

#include <algorithm>
#include <ctime>
#include <fstream>
#include <thread>

#include "agent_method/method.h"
#include "campaigns/eval_courier.h"
#include "campaigns/methods.h"
#include "cli/command.h"
#include "cli/programs.h"
#include "cli/terminal.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/process.h"
#include "support/text.h"
#include "support/version.h"

namespace ordo::cli {
namespace {

struct Options {
  ProgramChoice programs;
  std::vector<std::string> methods{"all"};
  std::vector<std::string> objectives{env::kIrInstructions, env::kTextBytes};
  std::string study;
  std::string space = "size";
  std::string knowledge = "shipped";
  std::string policy = "shipped";
  std::uint64_t compiles = 1000;
  std::uint64_t seeds = 3;
  std::uint64_t first_seed = 1;
  std::uint64_t max_length = 60;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  std::string ray;
  bool json = false;
  bool quiet = false;
};

// Language models, which all methods of the study share.
campaigns::MethodFamily agents(const Options& options) {
  const agent_method::Surroundings surroundings{options.space, options.knowledge, options.policy,
                                                &interrupted()};
  return {"agent", "agent:MODEL",
          [surroundings, pool = agent_method::makePool(&interrupted())](const std::string& name) {
            return agent_method::makeMethod(name, surroundings, pool);
          }};
}

Result<study::Plan> makePlan(const Options& options) {
  if (options.compiles < 10 || options.compiles > 1'000'000)
    return fail(ErrorCode::kInvalidArgument, "--compiles should be 10 to 1000000");
  if (options.seeds < 1 || options.seeds > 1000)
    return fail(ErrorCode::kInvalidArgument, "--seeds should be 1 to 1000");
  if (options.jobs < 1 || options.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  study::Plan plan;
  const std::vector<std::string> known = campaigns::evalMetrics();
  for (const std::string& objective : options.objectives) {
    ORDO_TRY(engine::checkObjective(known, objective));
    plan.objectives.push_back(engine::objectiveFor(objective));
  }
  plan.metrics = known;
  plan.first_seed = options.first_seed;
  plan.seeds = options.seeds;
  plan.compiles = options.compiles;
  plan.max_length = options.max_length;
  plan.jobs = options.jobs;
  ORDO_TRY_ASSIGN(plan.programs, choosePrograms(options.programs));
  // Last, because programs are started.
  ORDO_TRY_ASSIGN(plan.methods, campaigns::chooseMethods(options.methods, &interrupted(), {agents(options)}));
  return plan;
}

// "2 x AMD EPYC, 24 GiB, Linux 6.1"
std::string machine() {
  std::string processor = "unknown processor", memory;
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) {
      processor = line.substr(line.find(':') + 2);
      break;
    }
  }
  std::ifstream meminfo("/proc/meminfo");
  std::uint64_t kib = 0;
  if (std::string word; meminfo >> word >> kib) memory = fmt::format(", {} GiB", (kib + (1u << 19)) >> 20);
  utsname kernel{};
  ::uname(&kernel);
  return fmt::format("{} x {}{}, {} {}", std::thread::hardware_concurrency(), processor, memory,
                     kernel.sysname, kernel.release);
}

std::string today() {
  const std::time_t now = std::time(nullptr);
  char text[32] = {};
  std::tm utc{};
  std::strftime(text, sizeof text, "%Y-%m-%d %H:%M UTC", ::gmtime_r(&now, &utc));
  return text;
}

std::string commandLine() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  if (!words.empty()) words[0] = "ordo";
  return shellQuote(words);
}

std::string progressText(const study::Progress& progress, const study::Run& run) {
  return fmt::format("{}/{} runs, {} left{}  {} on {}", progress.done, progress.total,
                     duration(progress.left_s),
                     progress.failed > 0 ? fmt::format(", {} failed", progress.failed) : "", run.key.method,
                     run.key.program);
}

std::string progressText(const study::Progress& progress, const cluster::Cluster& cluster) {
  return fmt::format("{}/{} runs, {} left, {} packets away; {}", progress.done, progress.total,
                     duration(progress.left_s), cluster.away(), cluster.nodes());
}

Json toJson(const study::Run& run) {
  Json json = {{"method", run.key.method},
               {"program", run.key.program},
               {"objective", run.key.objective},
               {"seed", run.key.seed},
               {"evaluations", run.statistics.evaluations},
               {"passes", run.statistics.passes},
               {"cpu_s", run.cpuSeconds()},
               {"wall_s", run.wall_s},
               {"seed_value", run.seed_value}};
  if (!run.failure.empty()) json["failure"] = run.failure;
  Json budgets = Json::array();
  for (const study::Checkpoint& checkpoint : run.checkpoints) {
    Json entry = {{"compiles", checkpoint.compiles}};
    for (const study::Figure& figure : checkpoint.own) entry[figure.metric] = figure.value;
    budgets.push_back(std::move(entry));
  }
  json["budgets"] = std::move(budgets);
  if (run.talk) {
    json["talk"] = {{"end", run.talk->end},     {"answered", run.talk->answered},
                    {"calls", run.talk->calls}, {"model_cpu_s", run.talk->model_cpu_s},
                    {"flops", run.talk->flops}, {"actions", run.talk->actions}};
  }
  return json;
}

bool usesPolicy(const study::Plan& plan) {
  return std::ranges::any_of(plan.methods, [](const study::Method& method) {
    return method.name.starts_with("policy") || method.name.starts_with("prior/policy") ||
           method.name.starts_with("agent");
  });
}

// What cannot be taken to other machines.
Status checkForRay(const study::Plan& plan) {
  for (const study::Method& method : plan.methods) {
    if (method.name.find(':') != std::string::npos || method.name.starts_with("peer/")) {
      return fail(ErrorCode::kInvalidArgument,
                  "--ray takes searchers only: {} is a program or a file of this machine", method.name);
    }
  }
  return {};
}

Result<study::Outcome> evaluate(const Options& options) {
  ORDO_TRY_ASSIGN(const study::Plan plan, makePlan(options));
  if (!options.ray.empty()) ORDO_TRY(checkForRay(plan));
  ORDO_TRY_ASSIGN(std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  const engine::Learned learned{engine::knowledgePath(options.knowledge),
                                usesPolicy(plan) ? engine::policyPath(options.policy) : ""};
  ORDO_TRY_ASSIGN(std::string fingerprint, engine::fingerprint(learned));
  const study::Settings settings =
      campaigns::evalSettings(engine->info(), space, std::move(fingerprint), plan, version());
  engine.reset();
  ORDO_TRY_ASSIGN(
      const std::unique_ptr<study::StudyWriter> writer,
      study::StudyWriter::open(options.study, settings,
                               {{"machine", machine()}, {"began", today()}, {"command", commandLine()}}));
  std::unique_ptr<cluster::Cluster> cluster;
  if (!options.ray.empty()) {
    ORDO_TRY_ASSIGN(cluster, cluster::Cluster::join({.address = options.ray, .stop = &interrupted()}));
  }
  ProgressLine progress(!options.quiet);
  study::RunnerOptions runner;
  runner.stop = &interrupted();
  runner.on_run = [&](const study::Progress& now, const study::Run& run) {
    progress.show(cluster == nullptr ? progressText(now, run) : progressText(now, *cluster));
    if (options.json) {
      fmt::print("{}\n", writeJson(toJson(run)));
      std::fflush(stdout);  // for whoever listens; what is in the file is safe already
    }
    if (!run.failure.empty() && !options.quiet)
      progress.print(fmt::format("{} on {}: {}", run.key.method, run.key.program, run.failure));
  };
  const auto make = [&]() -> Result<study::Outcome> {
    if (cluster == nullptr) {
      campaigns::EvalHost host(std::move(space), learned, options.programs.purpose());
      return study::runPlan(host, *writer, plan, runner);
    }
    campaigns::EvalCourier courier(*cluster, {options.space, learned, options.programs.evaluation,
                                              options.compiles, options.max_length});
    return study::runPackets(courier, *writer, settings, plan, runner);
  };
  ORDO_TRY_ASSIGN(const study::Outcome outcome, make());
  progress.clear();
  ORDO_TRY(writer->close());
  return outcome;
}

int run(const Options& options) {
  interrupted();
  const Result<study::Outcome> outcome = evaluate(options);
  if (!outcome) return report(outcome.error());
  const study::Progress& progress = outcome->progress;
  if (!options.quiet) {
    fmt::print(stderr, "{} of {} runs are in {}; {} made now in {}, {} of them failed\n", progress.done,
               progress.total, options.study, progress.made, duration(progress.seconds), progress.failed);
    fmt::print(stderr, "{}\n",
               outcome->stopped ? "stopped; the same command goes on from here"
                                : fmt::format("next: ordo report {}", options.study));
  }
  return outcome->stopped ? kInterrupted : kOk;
}

}  // namespace

extern const CommandInfo eval{
    .name = "eval",
    .summary = "compare methods on programs at equal budgets, into a study file",
    .examples =
        "  ordo eval --dataset suite --methods random,evolutionary --study s.sqlite\n"
        "  ordo eval --dataset debian --split validation --limit 60 --methods all --study v.sqlite\n"
        "  ordo eval --dir corpus/ --objectives text_bytes --compiles 100 --seeds 5 --study c.sqlite\n"
        "  ordo eval --dataset suite --methods tpe,peer/optuna_tpe --study p.sqlite\n"
        "  ordo eval --dataset suite --methods random,python:mine.py:search --study m.sqlite\n"
        "  ordo eval --dataset suite --methods 'policy,agent:hf:FOLDER search=none' --study a.sqlite\n"
        "  ordo eval --dataset suite --methods all --study r.sqlite --ray auto\n"
        "  ordo report s.sqlite --html s.html\n",
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      addProgramOptions(app, options->programs);
      app.add_option("--methods", options->methods,
                     "searchers (ordo list searchers) or all; python:FILE.py:FUNCTION, program:FILE; "
                     "language models as 'agent:MODEL [SETTING=VALUE ...]' (docs/agent.md); "
                     "prior:FILE:SEARCHER begins with what 'ordo agent propose' wrote; "
                     "other tuners as peer/NAME or peers ('./ordo peers' installs them)")
          ->delimiter(',')
          ->capture_default_str();
      app.add_option("--objectives", options->objectives,
                     "ir_instructions, text_bytes, or both at once (ordo tune --help)")
          ->delimiter(',')
          ->capture_default_str();
      app.add_option("--compiles", options->compiles,
                     "evaluations of a run; smaller budgets (10, 100 ...) are read off it")
          ->capture_default_str();
      app.add_option("--seeds", options->seeds, "runs of each method on each program")->capture_default_str();
      app.add_option("--first-seed", options->first_seed, "of chance; the others follow it")
          ->capture_default_str();
      app.add_option("--space", options->space, "which actions to use (ordo list spaces)")
          ->capture_default_str();
      app.add_option("--knowledge", options->knowledge,
                     "of other programs, for methods that use it: shipped, none or a file of 'ordo mine'")
          ->capture_default_str();
      app.add_option("--policy", options->policy,
                     "for the method policy: shipped, none or weights of 'ordo train policy'")
          ->capture_default_str();
      app.add_option("--max-length", options->max_length, "of sequences, in actions")->capture_default_str();
      app.add_option("-j,--jobs", options->jobs, "runs at a time")->capture_default_str();
      app.add_option(
          "--ray", options->ray,
          "make the runs on the machines of the Ray cluster at this address, or auto for the one that "
          "this machine is of (docs/cluster.md)");
      app.add_option("--study", options->study, "the file; runs that it has are not made again")->required();
      app.add_flag("--json", options->json, "print each run as a line of JSON");
      app.add_flag("-q,--quiet", options->quiet, "no progress, no notes");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
