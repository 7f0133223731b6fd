#include "cli/tune_request.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

#include "cli/terminal.h"
#include "engine/baseline.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "env/metric.h"
#include "recipe/recipe.h"
#include "search/catalog/catalog.h"
#include "support/text.h"
#include "tune/pareto.h"

namespace ordo::cli {

namespace {

// What to write where several files were meant to be one program.
std::string severalSources(const TuneRequest& request) {
  std::vector<std::string> sources;
  for (const std::string& file : request.files)
    sources.push_back(fmt::format("\"{}\"", std::filesystem::path(file).filename().string()));
  const bool c =
      std::ranges::all_of(request.files, [](const std::string& file) { return file.ends_with(".c"); });
  const std::string program = request.run.substr(0, request.run.find(' '));
  return fmt::format(
      "--run is of one program, and each FILE is one; for a program of several sources write a program.toml "
      "beside "
      "them and give their folder instead:\n"
      "  format = 1\n"
      "  name = \"{}\"\n"
      "  summary = \"…\"\n"
      "  language = \"{}\"\n"
      "  sources = [{}]",
      std::filesystem::path(program).filename().string(), c ? "c" : "c++", fmt::join(sources, ", "));
}

}  // namespace

void addTuneOptions(CLI::App& app, TuneRequest& request) {
  app.add_option("FILE", request.files,
                 "C, C++, .ll or .bc files, folders with a program.toml, or kernels of linalg in .mlir");
  app.add_option("--objective", request.objective,
                 "what to minimise: a metric (ordo list metrics), runtime, or several metrics at once, "
                 "each with how much it matters: ir_instructions=0.7+text_bytes=0.3")
      ->capture_default_str();
  app.add_option("--pareto", request.pareto,
                 "instead of one objective several: ir_instructions,text_bytes; up to eight results, of "
                 "which none betters another in all of them, and a drawing");
  app.add_option("--baseline", request.baseline,
                 "what to compare with, and never be worse than (ordo list baselines) [clang-Oz; "
                 "clang-O3 for runtime]");
  app.add_option("--limit", request.limits,
                 "what another metric may be: text_bytes=+5% of the baseline, text_bytes=20000, or "
                 "text_bytes=any; may be given several times, but of a build for code_bytes alone "
                 "[code_bytes=+0% where other bytes are the objective]")
      ->allow_extra_args(false);
  app.add_option("--budget", request.budget,
                 "for all files together: 10s, 2m, 2000evals, 30s,5000evals [10s; 90s for runtime, and up to "
                 "5m where runs are long; 60s for --build]");
  app.add_option("--run", request.run,
                 "for runtime: how the program is run, './prog ARGUMENTS', in the current folder [as its "
                 "tests do]");
  app.add_option("--reward", request.reward,
                 "for runtime: final, so that nothing is timed before the end, or immediate, so that what "
                 "was timed says what to try next [final]");
  app.add_option("--ram-price", request.ram_price,
                 "for images: bytes of flash that each byte of RAM beyond the baseline's has to save")
      ->check(CLI::Range(1.0, 1e9))
      ->capture_default_str();
  app.add_flag("--symbols", request.symbols,
               "say what grew and what shrank, by symbol: of the image, or of the object");
  app.add_flag("--no-profile", request.no_profile, "for runtime: do not let a run say which way branches go");
  app.add_flag(
      "--no-functions", request.no_functions,
      "for bytes and instructions: one sequence for the whole program, and none for single functions");
  app.add_flag("--no-calls", request.no_calls,
               "for bytes and instructions: leave single calls to the inliner");
  app.add_option("--stdin", request.stdin_file, "for --run: a file for its standard input");
  app.add_option("--searcher", request.searcher, "how to search (ordo list searchers)")
      ->capture_default_str();
  app.add_option(
      "--space", request.space,
      "which actions to use (ordo list spaces) [text for bytes, speed for runtime, else size]; mlir-rl for "
      "kernels");
  app.add_option("--knowledge", request.knowledge,
                 "of other programs, for searchers that use it: shipped, none or a file of 'ordo mine'")
      ->capture_default_str();
  app.add_option("--policy", request.policy,
                 "for the searcher policy, and for drafts for runtime: shipped, none or weights of "
                 "'ordo train policy'")
      ->capture_default_str();
  app.add_flag("--no-policy", request.no_policy, "search without one, by evolutionary");
  app.add_flag("--no-peers", request.no_peers,
               "for kernels: do not measure OpenBLAS, oneDNN and PyTorch beside the result");
  app.add_flag("--more-peers", request.more_peers, "for kernels: torch.compile and IREE, too, if installed")
      ->excludes("--no-peers");
  app.add_option("--threads", request.threads, "for kernels: that loops are dealt out to, by OpenMP")
      ->check(CLI::Range(1, 256))
      ->capture_default_str();
  app.add_flag("--answers", request.answers,
               "for kernels: measure beside the result what the policy says without measuring");
  app.add_option("--prior", request.prior,
                 "begin with what is proposed for each program: agent, which asks --model, or a file of "
                 "'ordo agent propose'");
  app.add_option("--model", request.model, "for --prior agent: hf:FOLDER, gguf:FILE or shipped")
      ->capture_default_str();
  app.add_option("--emit", request.output.emit, "obj, bc, ll, asm or exe; obj or so for kernels")
      ->capture_default_str();
  app.add_option("-o,--output", request.output.out,
                 "where to write the result; a folder for several files; - for standard output [NAME.o]");
  app.add_option("--recipe", request.output.recipe, "where to write the recipe [NAME.ordo.json]");
  app.add_option("--seed", request.seed,
                 "of chance; with --jobs 1 and a budget in evals the same seed gives the same result")
      ->capture_default_str();
  app.add_option("-j,--jobs", request.jobs, "workers")->capture_default_str();
  app.add_flag("--allow-unsafe", request.allow_unsafe, "use actions that the manifest warns of");
  app.add_option("--journal", request.journal, "a file to tell what goes on, which 'ordo web' follows");
  app.add_flag("--json", request.json, "print the results as JSON");
  app.add_flag("-q,--quiet", request.quiet, "no progress, no notes");
  addProjectOptions(app, request.project);
}

void chooseDefaults(TuneRequest& request) {
  const bool timed = env::isExperiment(request.objective);
  if (request.baseline.empty()) request.baseline = timed ? "clang-O3" : "clang-Oz";
  request.budget_grows = timed && request.budget.empty();
  if (request.budget.empty()) request.budget = timed ? "90s" : "10s";
}

Status checkRequest(const TuneRequest& request) {
  if (search::find(request.searcher) == nullptr) {
    std::vector<std::string> names;
    for (const search::SearcherInfo* searcher : search::catalog()) names.emplace_back(searcher->name);
    return fail(ErrorCode::kInvalidArgument, "{}", unknownName("searcher", request.searcher, names));
  }
  if (request.jobs < 1 || request.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  ORDO_TRY(engine::parseBaseline(request.baseline));
  if (!env::isExperiment(request.objective) && !(request.run.empty() && request.stdin_file.empty()))
    return fail(ErrorCode::kInvalidArgument, "--run and --stdin are for --objective runtime");
  if (!request.run.empty() && request.files.size() > 1)
    return fail(ErrorCode::kInvalidArgument, "{}", severalSources(request));
  if (request.run.empty() && !request.stdin_file.empty())
    return fail(ErrorCode::kInvalidArgument, "--stdin goes with --run './prog ARGUMENTS'");
  if (!env::isExperiment(request.objective) && !request.reward.empty())
    return fail(ErrorCode::kInvalidArgument, "--reward is for --objective runtime: others need no clock");
  if (!env::isExperiment(request.objective) && request.no_profile)
    return fail(ErrorCode::kInvalidArgument, "--no-profile is for --objective runtime: others run nothing");
  if (env::isExperiment(request.objective) && request.no_functions)
    return fail(ErrorCode::kInvalidArgument,
                "--no-functions is for metrics; for runtime each function has the sequence of all");
  if (env::isExperiment(request.objective) && request.no_calls)
    return fail(ErrorCode::kInvalidArgument,
                "--no-calls is for metrics; for runtime they are decided by the clock");
  if (env::isExperiment(request.objective) && !request.prior.empty())
    return fail(ErrorCode::kInvalidArgument, "--prior is for metrics: what is faster is drafted otherwise");
  if (!request.reward.empty() && request.reward != "final" && request.reward != "immediate")
    return fail(ErrorCode::kInvalidArgument, "{}",
                unknownName("reward", request.reward, {"final", "immediate"}));
  return checkOutput(request.output);
}

Status chooseSpace(const env::BackendInfo& info, TuneRequest& request) {
  if (!request.pareto.empty()) {
    ORDO_TRY_ASSIGN(request.front, tune::parseFront(info, request.pareto));
    request.objective = request.front.front();
  }
  const auto of_bytes = std::ranges::find(request.front, "text", engine::usualSpace);
  if (request.space.empty())
    request.space = engine::usualSpace(of_bytes == request.front.end() ? request.objective : *of_bytes);
  return {};
}

Status choosePolicy(const env::BackendInfo& info, const spaces::Space& space, TuneRequest& request) {
  const bool time = env::isExperiment(request.objective);
  const bool named = !request.no_policy && request.policy != "shipped" && request.policy != "none";
  if (!request.searcher.starts_with("policy") && !time) {
    if (named)
      ORDO_TRY(
          engine::loadPolicy(engine::policyPath(request.policy, request.objective), info, space.actions));
    return {};
  }
  const bool nothing_to_draft = time && space.actions.size() < 2;
  const std::string path = engine::policyPath(request.policy, request.objective);
  if (!request.no_policy && !path.empty() && !nothing_to_draft) {
    const auto policy = engine::loadPolicy(path, info, space.actions);
    if (policy) return {};
    if (named) return fail(Error(policy.error()));
    note(fmt::format("searching without a policy{}: {}", time ? "" : ", by evolutionary",
                     policy.error().message));
  }
  request.policy = "none";
  request.searcher = "evolutionary";
  return {};
}

}  // namespace ordo::cli
