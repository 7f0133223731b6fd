// ordo collect: what searches find on training programs, for a policy to learn from.
#include "campaigns/collect.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <thread>

#include "campaigns/collect_packets.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "datasets/dataset.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "experience/slim.h"
#include "search/catalog/catalog.h"
#include "search/evaluation/budget_text.h"
#include "spaces/manifest.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/rng.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

struct Options {
  std::vector<std::string> programs;
  std::string dataset;
  std::string split = "train";
  std::optional<std::size_t> limit;  // of the dataset's programs
  std::vector<std::string> searchers{"evolutionary", "graph_genetic"};
  std::vector<std::string> objectives{env::kIrInstructions, env::kTextBytes};
  std::string budget = "1000evals";
  std::string space = "size";
  std::string knowledge = "shipped";
  std::string policy = "shipped";
  campaigns::CollectSettings settings;
  campaigns::CollectOptions collecting;
  std::string out = "experience.jsonl";
  std::string slim;  // where the slim form goes, or ""
  std::string ray;
  bool json = false;
  bool quiet = false;
};

// Packages take turns where there is a limit: files of one package are much alike.
Result<std::vector<std::string>> choosePrograms(const Options& options) {
  std::vector<std::string> programs = options.programs;
  if (!options.dataset.empty()) {
    const datasets::DatasetInfo* const dataset = datasets::find(options.dataset);
    datasets::ListOptions list;
    if (dataset != nullptr && !dataset->finite) list.limit = options.limit;
    if (dataset == nullptr || dataset->has_splits) {
      ORDO_TRY_ASSIGN(list.split, datasets::parseSplit(options.split));
    }
    ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms(options.dataset, list));
    std::vector<study::Plan::Entry> entries;
    for (const std::string& uri : uris) entries.push_back({uri, campaigns::suiteOf(uri)});
    if (options.limit) entries = campaigns::spread(std::move(entries), *options.limit, 1);
    // So that what there is when a collection is stopped is of all packages.
    Rng(1).shuffle(std::span(entries));
    for (study::Plan::Entry& entry : entries) programs.push_back(std::move(entry.uri));
  }
  if (programs.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no program to search on; name some, or --dataset debian");
  }
  return campaigns::trainingPrograms(programs);
}

// What is misspelt or may not be used is said before anything is written.
Status check(Options& options) {
  campaigns::CollectOptions& collecting = options.collecting;
  if (collecting.seeds < 1 || collecting.seeds > 1000)
    return fail(ErrorCode::kInvalidArgument, "--seeds should be 1 to 1000");
  if (collecting.jobs < 1 || collecting.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  std::vector<std::string> known;
  for (const search::SearcherInfo* const searcher : search::catalog()) known.emplace_back(searcher->name);
  for (const std::string& name : options.searchers) {
    collecting.searchers.push_back(search::find(name));
    if (collecting.searchers.back() == nullptr)
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("searcher", name, known));
  }
  for (const std::string& metric : options.objectives) {
    if (std::ranges::find(collecting.metrics, metric) == collecting.metrics.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("objective", metric, collecting.metrics));
    collecting.objectives.push_back(engine::objectiveFor(metric));
  }
  if (options.settings.observations == std::vector<std::string>{"none"}) options.settings.observations = {};
  ORDO_TRY_ASSIGN(collecting.budget, search::parseBudget(options.budget));
  options.settings.budget = collecting.budget;
  ORDO_TRY_ASSIGN(collecting.programs, choosePrograms(options));
  return {};
}

bool usesPolicy(const Options& options) {
  return std::ranges::any_of(options.searchers,
                             [](const std::string& name) { return name.starts_with("policy"); });
}

Result<campaigns::CollectProgress> collectAll(Options& options) {
  ORDO_TRY(check(options));
  const engine::Learned learned{engine::knowledgePath(options.knowledge),
                                usesPolicy(options) ? engine::policyPath(options.policy) : ""};
  ORDO_TRY_ASSIGN(options.settings.knowledge, engine::fingerprint(learned));
  ORDO_TRY_ASSIGN(std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  ORDO_TRY_ASSIGN(const experience::Header header,
                  campaigns::collectHeader(engine->info(), space, options.settings));
  engine.reset();  // each run has its own
  ORDO_TRY_ASSIGN(const std::unique_ptr<experience::Writer> writer,
                  experience::Writer::open(options.out, header));
  if (writer->droppedTorn() && !options.quiet) {
    note(fmt::format("the last line of {} was not whole, because its writer was ended; it is dropped",
                     options.out));
  }
  std::unique_ptr<cluster::Cluster> cluster;
  if (!options.ray.empty()) {
    ORDO_TRY_ASSIGN(cluster, cluster::Cluster::join({.address = options.ray, .stop = &interrupted()}));
  }
  ProgressLine progress(!options.quiet);
  options.collecting.stop = &interrupted();
  options.collecting.on_run = [&](const campaigns::CollectProgress& now, const experience::RunKey& key) {
    progress.show(fmt::format("{}/{} runs, {} left{}  {} on {}", now.done, now.total, duration(now.left_s),
                              now.left_out > 0 ? fmt::format(", {} left out", now.left_out) : "",
                              key.searcher, cluster == nullptr ? key.uri : cluster->nodes()));
  };
  if (!options.quiet) options.collecting.note = [&](std::string_view text) { progress.print(text); };
  if (cluster != nullptr) {
    return campaigns::collectElsewhere(*cluster, options.space, learned, header, *writer, options.collecting);
  }
  campaigns::EvalHost host(std::move(space), learned, campaigns::RunPurpose::kTraining);
  return campaigns::collect(host, header, *writer, options.collecting);
}

void say(const Options& options, const campaigns::CollectProgress& progress) {
  if (options.json) {
    const Json json{{"file", options.out},           {"runs", progress.total},
                    {"done", progress.done},         {"made", progress.made},
                    {"left_out", progress.left_out}, {"seconds", progress.seconds},
                    {"stopped", progress.stopped}};
    fmt::print("{}\n", writeJson(json));
  }
  if (options.quiet) return;
  fmt::print(stderr, "{} of {} runs are in {}; {} made now in {}, {} left out\n", progress.done,
             progress.total, options.out, progress.made, duration(progress.seconds), progress.left_out);
  if (progress.stopped) fmt::print(stderr, "stopped; the same command goes on from here\n");
}

int run(Options& options) {
  interrupted();
  // With nothing to search on, the slim form of what is there.
  const bool only_slim = !options.slim.empty() && options.programs.empty() && options.dataset.empty();
  if (!only_slim) {
    const Result<campaigns::CollectProgress> progress = collectAll(options);
    if (!progress) return report(progress.error());
    say(options, *progress);
    if (progress->stopped) return kInterrupted;
  }
  if (options.slim.empty()) return kOk;
  const Status written = experience::writeSlim(options.out, options.slim, experience::kSlimSample);
  if (!written) return report(written.error());
  if (!options.quiet) fmt::print(stderr, "{} is the slim form of {}\n", options.slim, options.out);
  return kOk;
}

}  // namespace

extern const CommandInfo collect{
    .name = "collect",
    .summary = "search on training programs and keep everything that was tried, for a policy to learn from",
    .examples =
        "  ordo collect --dataset debian --limit 200 -j 2 -o experience.jsonl\n"
        "  ordo collect suite/wc --searchers evolutionary --budget 300evals -o wc.jsonl\n"
        "  ordo collect -o experience.jsonl --slim data/experience/debian.jsonl\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      campaigns::CollectSettings& settings = options->settings;
      campaigns::CollectOptions& collecting = options->collecting;
      collecting.jobs = std::max(1u, std::thread::hardware_concurrency());
      app.add_option("PROGRAM", options->programs, "training programs");
      app.add_option("--dataset", options->dataset, "programs of a dataset as well (ordo list datasets)");
      app.add_option("--split", options->split, "of the dataset; only train may be learned from")
          ->capture_default_str();
      app.add_option("--limit", options->limit,
                     "at most so many programs of the dataset, packages taking turns");
      app.add_option("-o,--output", options->out, "the file; runs that it has are not made again")
          ->capture_default_str();
      app.add_option("--searchers", options->searchers, "how to search (ordo list searchers)")
          ->delimiter(',')
          ->capture_default_str();
      app.add_option("--objectives", options->objectives, "ir_instructions, text_bytes")
          ->delimiter(',')
          ->capture_default_str();
      app.add_option("--budget", options->budget, "of a run, in evals or passes, so that it repeats")
          ->capture_default_str();
      app.add_option("--seeds", collecting.seeds, "runs of each searcher on each program")
          ->capture_default_str();
      app.add_option("--first-seed", collecting.first_seed, "of chance; the others follow it")
          ->capture_default_str();
      app.add_option("--max-instructions", settings.max_instructions,
                     "of a program before any pass; larger ones are left out")
          ->capture_default_str();
      app.add_option("--max-length", settings.max_length, "of sequences, in actions")->capture_default_str();
      app.add_option("--best", settings.best, "how many of a run's best sequences are replayed and told")
          ->capture_default_str();
      app.add_option("--observations", settings.observations, "of the states on their way; none records none")
          ->delimiter(',')
          ->capture_default_str();
      app.add_option("--space", options->space, "which actions to use (ordo list spaces)")
          ->capture_default_str();
      app.add_option("--knowledge", options->knowledge,
                     "of other programs, for searchers that use it: shipped, none or a file of 'ordo mine'")
          ->capture_default_str();
      app.add_option("--policy", options->policy,
                     "for the searcher policy: shipped, none or weights of 'ordo train policy'")
          ->capture_default_str();
      app.add_option("-j,--jobs", collecting.jobs, "runs at a time")->capture_default_str();
      app.add_option(
          "--ray", options->ray,
          "make the runs on the machines of the Ray cluster at this address, or auto (docs/cluster.md)");
      app.add_option("--slim", options->slim,
                     "afterwards write a small form here: no states, a sample of what was tried");
      app.add_flag("--json", options->json, "print what was done as JSON");
      app.add_flag("-q,--quiet", options->quiet, "no progress, no notes");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
