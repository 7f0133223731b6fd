// ordo mine: learns from training programs what searchers can use for others.
#include "campaigns/mine.h"

#include <filesystem>
#include <memory>
#include <set>
#include <thread>

#include "campaigns/coresets.h"
#include "campaigns/estimates.h"
#include "campaigns/eval.h"
#include "campaigns/mine_packets.h"
#include "cli/command.h"
#include "cli/mine_functions.h"
#include "cli/terminal.h"
#include "cluster/cluster.h"
#include "datasets/dataset.h"
#include "engine/knowledge.h"
#include "experience/reader.h"
#include "search/catalog/catalog.h"
#include "search/evaluation/budget_text.h"
#include "spaces/manifest.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  campaigns::MineOptions mining;
  std::string space = "size";
  std::string baseline = "clang-Oz";
  std::string searcher = "evolutionary";
  std::string dataset;  // whose programs to add, or ""
  std::string split = "train";
  datasets::ListOptions from;  // of the dataset
  std::string out = "knowledge.json";
  std::string ray;         // the address of a cluster, or ""
  std::string experience;  // to choose coresets from, or ""
  campaigns::CoresetOptions coresets;
  bool estimates_only = false;
  std::string functions;  // a file of labels, or ""
};

// What there is of a file, or nothing.
Result<search::KnowledgeFile> knownFrom(const std::string& path) {
  if (std::error_code ignored; !std::filesystem::exists(path, ignored)) return search::KnowledgeFile{};
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  ORDO_TRY_ASSIGN(search::KnowledgeFile known, search::parseKnowledge(text, path));
  note(fmt::format("{} has {} programs; going on from there", path, known.programs.size()));
  return known;
}

// The programs that are named, and those of the dataset.
Result<std::vector<std::string>> programsOf(Options& options) {
  std::vector<std::string> programs = options.mining.programs;
  if (options.dataset.empty()) return programs;
  options.from.seed = options.mining.seed;
  ORDO_TRY_ASSIGN(options.from.split, datasets::parseSplit(options.split));
  ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms(options.dataset, options.from));
  programs.insert(programs.end(), uris.begin(), uris.end());
  return programs;
}

// Those that the file has not yet, each once.
std::vector<std::string> missingIn(const search::KnowledgeFile& known, std::vector<std::string> programs) {
  std::set<std::string> seen;
  for (const search::KnowledgeFile::Program& program : known.programs) seen.insert(program.uri);
  std::erase_if(programs, [&](const std::string& uri) { return !seen.insert(uri).second; });
  return programs;
}

// Chooses the coresets anew, one for each objective of the experience, unless only estimates are asked for,
// and learns what tells their first sequences apart.
Result<search::KnowledgeFile> learnFromExperience(Options& options) {
  ORDO_TRY_ASSIGN(search::KnowledgeFile known, knownFrom(options.out));
  if (known.backend.empty())
    return fail(ErrorCode::kNotFound, "{} is not there: mine programs first, without --experience",
                options.out);
  ORDO_TRY_ASSIGN(experience::Reader reader, experience::Reader::open(options.experience));
  std::vector<experience::Run> runs;
  while (true) {
    ORDO_TRY_ASSIGN(std::optional<experience::Record> record, reader.next());
    if (!record) break;
    if (auto* const run = std::get_if<experience::Run>(&*record)) {
      run->tried = {};
      run->states = {};
      runs.push_back(std::move(*run));
    }
  }
  const experience::Header& header = reader.header();
  if (header.version != known.backend_version)
    return fail(ErrorCode::kInvalidArgument, "{} is of another compiler than {}", options.experience,
                options.out);
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(spaces::Space space, spaces::loadSpace(dataDir(), header.space, manifest));
  ProgressLine progress(true);
  campaigns::EvalHost host(std::move(space), {}, campaigns::RunPurpose::kTraining);
  campaigns::Stage stage(host, {.jobs = options.mining.jobs, .stop = &interrupted()});
  campaigns::CoresetOptions coresets = options.coresets;
  coresets.size = options.mining.coreset;
  coresets.seed = options.mining.seed;
  campaigns::YardstickOptions& on = coresets.on;
  on.max_instructions = options.mining.max_instructions;
  ORDO_TRY_ASSIGN(on.from, programsOf(options));
  on.progress = [&](std::string_view text) { progress.show(text); };
  coresets.note = [&](std::string_view text) { progress.print(text); };
  if (!options.estimates_only) {
    ORDO_TRY_ASSIGN(search::KnowledgeFile::Coresets chosen,
                    campaigns::coresetsOf(header, runs, stage, coresets));
    search::KnowledgeFile::Coresets& place = on.kind.empty() ? known.coresets : known.kinds[on.kind];
    for (auto& [objective, sequences] : chosen) place[objective] = std::move(sequences);
    // They are kept should the rest be interrupted, without what was learned of others in their place.
    std::erase_if(known.estimates, [&](const auto& entry) { return entry.first.first == on.kind; });
    ORDO_TRY(writeFile(options.out, search::writeKnowledge(known)));
  }
  const search::KnowledgeFile written = known;
  const Status learned =
      campaigns::addEstimates(header, runs, stage, {.on = on, .seed = coresets.seed}, known);
  if (!learned && interrupted()) return written;
  ORDO_TRY(learned);
  ORDO_TRY(writeFile(options.out, search::writeKnowledge(known)));
  return known;
}

Result<search::KnowledgeFile> mineAll(Options& options) {
  if (!options.experience.empty() && !options.ray.empty())
    return fail(ErrorCode::kInvalidArgument,
                "--experience learns from a file, on this machine: without --ray");
  if (!options.experience.empty()) return learnFromExperience(options);
  ORDO_TRY_ASSIGN(options.mining.baseline, engine::parseBaseline(options.baseline));
  ORDO_TRY_ASSIGN(options.mining.budget, search::parseBudget(options.mining.budget_text));
  options.mining.searcher = search::find(options.searcher);
  if (options.mining.searcher == nullptr)
    return fail(ErrorCode::kInvalidArgument, "there is no searcher '{}' (ordo list searchers)",
                options.searcher);
  ORDO_TRY_ASSIGN(options.mining.programs, programsOf(options));
  if (options.mining.programs.empty())
    return fail(ErrorCode::kInvalidArgument, "nothing to learn from: name programs or a --dataset");
  ORDO_TRY_ASSIGN(search::KnowledgeFile known, knownFrom(options.out));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  ProgressLine progress(true);
  options.mining.stop = &interrupted();
  options.mining.save = [&](const search::KnowledgeFile& file) {
    return writeFile(options.out, search::writeKnowledge(file));
  };
  options.mining.progress = [&](std::string_view text) { progress.show(text); };
  options.mining.note = [&](std::string_view text) { progress.print(text); };
  if (options.ray.empty()) return campaigns::mine(*engine, space, options.mining, std::move(known));
  ORDO_TRY_ASSIGN(const std::unique_ptr<cluster::Cluster> cluster,
                  cluster::Cluster::join({.address = options.ray, .stop = &interrupted()}));
  campaigns::MinePackets packets(*cluster, options.space, options.mining,
                                 missingIn(known, options.mining.programs));
  options.mining.elsewhere = [&](const std::string& uri) { return packets.mine(uri); };
  options.mining.progress = [&](std::string_view text) {
    progress.show(fmt::format("{}  {}", text, cluster->nodes()));
  };
  return campaigns::mine(*engine, space, options.mining, std::move(known));
}

int mineByFunction(Options& options, bool names_objective) {
  const Result<std::vector<std::string>> programs = programsOf(options);
  if (!programs) return report(programs.error());
  if (programs->empty())
    return report({ErrorCode::kInvalidArgument, "nothing to learn from: name programs or a --dataset"});
  MineFunctionsOptions by_function;
  by_function.programs = *programs;
  by_function.labels = options.functions;
  by_function.out = options.out;
  by_function.baseline = options.baseline;
  if (names_objective) by_function.objective = options.mining.objective;
  return mineFunctions(by_function);
}

int run(Options& options) {
  interrupted();
  const Result<search::KnowledgeFile> mined = mineAll(options);
  if (!mined) return report(mined.error());
  if (interrupted())
    note(options.experience.empty()
             ? "interrupted; the same command goes on from here"
             : "interrupted; coresets that were chosen are kept: --estimates learns the rest");
  fmt::print("{}: {} programs, {} synergies\n", options.out, mined->programs.size(), mined->synergies.size());
  for (const auto& [objective, coreset] : mined->coresets)
    fmt::print("a coreset of {} for {}\n", coreset.size(), objective);
  for (const auto& [kind, coresets] : mined->kinds)
    for (const auto& [objective, coreset] : coresets)
      fmt::print("a coreset of {} for {} of {} programs\n", coreset.size(), objective, kind);
  for (const auto& [place, estimate] : mined->estimates)
    fmt::print("an estimate of {} openings for {}{}\n", estimate.offsets.size(), place.second,
               place.first.empty() ? "" : fmt::format(" of {} programs", place.first));
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

extern const CommandInfo mine{
    .name = "mine",
    .summary = "learn from training programs which passes help each other and which sequences serve best",
    .examples =
        "  ordo mine --dataset debian --limit 30 -o knowledge.json\n"
        "  ordo mine --experience data/experience/debian.jsonl -o knowledge.json\n"
        "  ordo mine --experience data/experience/debian.jsonl --kind linkonce --dataset debian -o "
        "knowledge.json\n"
        "  ordo mine --experience data/experience/debian.jsonl --estimates -o knowledge.json\n"
        "  ordo mine --functions labels.jsonl --dataset debian --limit 200 -o functions.json\n"
        "  ordo tune main.c --searcher graph_genetic --knowledge knowledge.json\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      campaigns::MineOptions& mining = options->mining;
      mining.jobs = std::max(1u, std::thread::hardware_concurrency());
      app.add_option("PROGRAM", mining.programs, "training programs");
      app.add_option("--dataset", options->dataset,
                     "random programs of a dataset as well (ordo list datasets)");
      app.add_option("--split", options->split, "of the dataset; only train may be learned from")
          ->capture_default_str();
      app.add_option("--limit", options->from.limit, "at most so many programs of the dataset");
      app.add_option("-o,--output", options->out, "where the knowledge goes; what is there is added to")
          ->capture_default_str();
      const CLI::Option* const objective =
          app.add_option("--objective", mining.objective, "what gains are of (ordo list metrics)")
              ->capture_default_str();
      app.add_option("--baseline", options->baseline, "what gains are over")->capture_default_str();
      app.add_option("--space", options->space, "which actions to use (ordo list spaces)")
          ->capture_default_str();
      app.add_option("--observation", mining.observation, "what tells programs apart (numbers)")
          ->capture_default_str();
      app.add_option("--budget", mining.budget_text, "of the search for each program's best sequence")
          ->capture_default_str();
      app.add_option("--searcher", options->searcher, "how to search for it (ordo list searchers)")
          ->capture_default_str();
      app.add_option("--coreset", mining.coreset, "at most so many sequences")->capture_default_str();
      app.add_option(
          "--experience", options->experience,
          "a file of 'ordo collect': only choose the coresets of -o anew, one for each of its objectives");
      app.add_option("--candidates", options->coresets.candidates,
                     "with --experience: sequences that are tried")
          ->capture_default_str();
      app.add_option(
             "--try-on", options->coresets.on.programs,
             "with --experience: programs that they are tried on, of those that are named or else its own")
          ->capture_default_str();
      app.add_option("--bettered", options->coresets.bettered,
                     "with --experience: so many, the first ones, are bettered by hill climbing")
          ->capture_default_str();
      app.add_option(
             "--kind", options->coresets.on.kind,
             "with --experience: coresets for programs of this kind only (linkonce: as of C++; tableless: "
             "without unwind tables, and tableless/thumb and tableless/riscv of these for such machines)")
          ->check(CLI::IsMember({std::string(engine::kLinkonce), std::string(engine::kTableless),
                                 std::string(engine::kThumb), std::string(engine::kRiscv)}));
      app.add_flag(
          "--estimates", options->estimates_only,
          "with --experience: leave the coresets, and learn only to choose among their first sequences");
      app.add_option(
          "--functions", options->functions,
          "a file of labels: try sequences on each function of the programs, add what comes of it, and "
          "choose those into -o that serve functions best; without --objective for code_bytes");
      app.add_option("--max-instructions", mining.max_instructions,
                     "of a program before any pass; larger ones are left out")
          ->capture_default_str();
      app.add_option("--seed", mining.seed, "of chance")->capture_default_str();
      app.add_option("-j,--jobs", mining.jobs, "workers")->capture_default_str();
      app.add_option("--ray", options->ray,
                     "look at programs on the machines of the Ray cluster at this address, or auto "
                     "(docs/cluster.md)");
      return [options, objective](const std::vector<std::string>&) {
        return options->functions.empty() ? run(*options) : mineByFunction(*options, objective->count() > 0);
      };
    }};

}  // namespace ordo::cli
