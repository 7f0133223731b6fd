// tuneProject() is the order: optionsFor() checks the request, the project is tuned while callbacks show how
// it goes, say() tells on standard error what the user should know, and the result is printed as tables or as
// JSON, also if the project's own check failed. addProjectOptions() takes every option that is already there
// and not shared for one of files, and so has to come last.
#include "cli/project.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cli/terminal.h"
#include "env/metric.h"
#include "projects/binaries.h"
#include "projects/project.h"
#include "search/evaluation/budget_text.h"
#include "support/exit_code.h"
#include "support/json.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

using projects::Module;

constexpr std::size_t kShown = 10;  // files of the largest gains

struct Sum {
  std::size_t files = 0;  // that were searched for, of all
  double baseline = 0, tuned = 0;
};

Sum sumOf(const std::vector<Module>& modules) {
  Sum sum;
  for (const Module& module : modules) {
    sum.files += module.reached();
    sum.baseline += module.known.baseline;
    sum.tuned += module.known.tuned;
  }
  return sum;
}

std::string progressText(const std::vector<Module>& modules, double left_s) {
  const Sum sum = sumOf(modules);
  return fmt::format("{} of {} files  {} to {} ({})  {:.0f} s left", sum.files, modules.size(),
                     grouped(sum.baseline), grouped(sum.tuned), change(sum.baseline, sum.tuned),
                     std::max(left_s, 0.0));
}

std::string shortName(const std::string& path) {
  const std::string relative =
      std::filesystem::path(path).lexically_relative(std::filesystem::current_path()).string();
  return relative.empty() || relative.starts_with("..") ? path : relative;
}

std::string objectiveOf(const projects::Tuned& tuned) { return tuned.modules.front().task.objective; }

const std::vector<std::string>& limitsOf(const projects::Tuned& tuned) {
  return tuned.modules.front().task.limits;
}

// Code first, then all that is called text.
void printBinaries(const projects::Tuned& tuned) {
  const bool free = !tuned.free_flags.empty();
  Table table{{"linked", "", "before", "after", "change"}, {}, {false, false, true, true, true, true, true}};
  if (free) table.columns.insert(table.columns.end(), {"free flags", "over those"});
  for (const projects::Binary& binary : tuned.binaries) {
    for (const bool code : {true, false}) {
      const auto of = [&](const builds::ObjectBytes& object) {
        return static_cast<double>(code ? object.code : object.text);
      };
      const double before = of(binary.before), flags = of(binary.free), after = of(binary.after);
      table.rows.push_back({code ? binary.path.string() : "", code ? "code" : "text", grouped(before),
                            grouped(after), change(before, after)});
      if (free) table.rows.back().insert(table.rows.back().end(), {grouped(flags), change(flags, after)});
    }
  }
  fmt::print("\n{}", format(table));
  if (!free) return;
  fmt::print("\nfree flags   {}\n  compile    {}\n", builds::writeFreeFlags(tuned.free_flags),
             fmt::join(builds::freeCompileWords(tuned.free_flags), " "));
  fmt::print("  link       {}\n", fmt::join(builds::freeLinkWords(tuned.free_flags, false), " "));
}

void printResult(const projects::Tuned& tuned, const ProjectRequest& request) {
  const Sum sum = sumOf(tuned.modules);
  fmt::print("{} of {} {}: {} {} to {} ({})", sum.files, tuned.modules.size(),
             request.linked ? "links" : "files", objectiveOf(tuned), grouped(sum.baseline),
             grouped(sum.tuned), change(sum.baseline, sum.tuned));
  for (const std::string& limit : limitsOf(tuned)) fmt::print(", {}", limit);
  fmt::print("\n");
  if (!tuned.binaries.empty()) {
    printBinaries(tuned);
  }
  std::vector<const Module*> largest;
  for (const Module& module : tuned.modules) {
    if (module.known.tuned < module.known.baseline) largest.push_back(&module);
  }
  std::ranges::sort(largest, std::greater(),
                    [](const Module* module) { return module->known.baseline - module->known.tuned; });
  const char* const over = tuned.free_flags.empty() ? "over -flto alone" : "over the free flags alone";
  Table table{
      {request.linked ? over : "largest gains", "before", "after", "change"}, {}, {false, true, true, true}};
  for (std::size_t i = 0; i < std::min(kShown, largest.size()); ++i) {
    const builds::Known& known = largest[i]->known;
    table.rows.push_back({shortName(largest[i]->source), grouped(known.baseline), grouped(known.tuned),
                          change(known.baseline, known.tuned)});
  }
  if (!largest.empty()) fmt::print("\n{}", format(table));
  fmt::print("\n");
  if (tuned.checked) fmt::print("'{}' passes\n", request.commands.check);
  if (tuned.locked > 0)
    fmt::print("wrote ordo.lock ({} {}{}); to repeat it: ORDO_LOCK=$PWD/ordo.lock {}{}and CC=ordo-cc\n",
               tuned.locked, request.linked ? "link" : "file", tuned.locked == 1 ? "" : "s",
               request.linked ? "ORDO_LINKED=1 " : "",
               tuned.free_flags.empty()
                   ? ""
                   : fmt::format("ORDO_FREE_FLAGS={} ", builds::writeFreeFlags(tuned.free_flags)));
}

Json toJson(const projects::Tuned& tuned) {
  const Sum sum = sumOf(tuned.modules);
  Json files = Json::array(), binaries = Json::array();
  for (const Module& module : tuned.modules) {
    files.push_back({{"source", module.source},
                     {"baseline", module.known.baseline},
                     {"tuned", module.known.tuned},
                     {"seconds", module.known.seconds}});
    if (!module.trouble.empty()) files.back()["trouble"] = module.trouble;
  }
  for (const projects::Binary& binary : tuned.binaries)
    binaries.push_back({{"path", binary.path.string()},
                        {"code_before", binary.before.code},
                        {"code_free", binary.free.code},
                        {"code_after", binary.after.code},
                        {"text_before", binary.before.text},
                        {"text_free", binary.free.text},
                        {"text_after", binary.after.text}});
  return {{"format", 1},
          {"ok", tuned.failed.empty()},
          {"objective", objectiveOf(tuned)},
          {"limits", limitsOf(tuned)},
          {"baseline", sum.baseline},
          {"tuned", sum.tuned},
          {"files", files},
          {"binaries", binaries},
          {"free_flags", builds::writeFreeFlags(tuned.free_flags)},
          {"relinked", tuned.relinked},
          {"checked", tuned.checked},
          {"failed", tuned.failed},
          {"refused", tuned.refused},
          {"locked", tuned.locked},
          {"interrupted", tuned.interrupted}};
}

// What the user should know of, on standard error.
void say(const projects::Tuned& tuned, const ProjectRequest& request) {
  if (!tuned.failed.empty()) {
    fmt::print(stderr, "ordo: {}\n", tuned.failed);
    if (tuned.refused.size() == 1)
      fmt::print(stderr, "ordo: the recipe of {} is to blame; it has its plain object again\n",
                 shortName(tuned.refused.front()));
    else
      fmt::print(stderr, "ordo: it is not one file alone, or would take long to find; all are plain again\n");
  }
  if (request.quiet) return;
  for (const Module& module : tuned.modules) {
    if (!module.trouble.empty())
      note(fmt::format("{} is left alone: {}", shortName(module.source), module.trouble));
  }
  const auto left = std::ranges::count_if(tuned.modules, [](const Module& module) {
    return !module.reached() && module.trouble.empty() && module.bytes > 0;
  });
  if (left > 0)
    note(fmt::format("time was up before {} files had their turn; the same command goes on from here", left));
  double before = 0, after = 0;
  for (const projects::Binary& binary : tuned.binaries) {
    before += static_cast<double>(binary.before.text);
    after += static_cast<double>(binary.after.text);
    const std::string why =
        projects::whyLarger(binary.path, binary.before.text, binary.after.text, request.linked);
    if (!why.empty()) note(why);
  }
  if (request.linked && tuned.saved_by_files > 0 && objectiveOf(tuned) == env::kTextBytes &&
      after > before - tuned.saved_by_files)
    note(fmt::format(
        "file by file less remains: earlier searches save {} bytes of text in the objects, and this {}; "
        "the same command without --linked links those",
        grouped(tuned.saved_by_files), grouped(std::max(before - after, 0.0))));
  if (!tuned.free_trouble.empty())
    note(fmt::format("the best flags that cost nothing are not used, for with them {}", tuned.free_trouble));
  if (tuned.locked == 0) note("no source lies in this folder: there is no ordo.lock");
  if (tuned.interrupted)
    note("interrupted: nothing was built with what was found");
  else if (!tuned.relinked)
    note("nothing is linked without --build");
}

Result<projects::ProjectOptions> optionsFor(const ProjectRequest& request) {
  projects::ProjectOptions options;
  options.commands = request.commands;
  options.compile_commands = request.compile_commands;
  options.linked = request.linked;
  options.free_flags = request.free_flags.empty() ? request.linked : request.free_flags == "yes";
  if (request.jobs < 1 || request.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  if (env::isExperiment(request.objective))
    return fail(ErrorCode::kInvalidArgument, "{} is an objective for one program, not for a build",
                request.objective);
  ORDO_TRY_ASSIGN(options.seconds, buildSeconds(request.budget.empty() ? "60s" : request.budget));
  ORDO_TRY_ASSIGN(options.settings, builds::settingsFromEnvironment());
  if (!request.objective.empty()) options.settings.objective = request.objective;
  if (!request.limits.empty()) {
    ORDO_TRY_ASSIGN(options.settings.limits, builds::parseLimits("--limit", request.limits));
  }
  options.jobs = request.jobs;
  options.stop = &interrupted();
  return options;
}

}  // namespace

Result<double> buildSeconds(std::string_view text) {
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(text));
  if (!std::isfinite(budget.seconds) || std::isfinite(budget.evaluations) || std::isfinite(budget.passes))
    return fail(ErrorCode::kInvalidArgument, "--budget is a time for a build: 60s, 10m");
  return budget.seconds;
}

std::string trialText(const projects::FreeTrial& trial) {
  return fmt::format("{}  {}", builds::writeFreeFlags(trial.choices),
                     trial.trouble.empty() ? grouped(trial.bytes) : trial.trouble);
}

void addProjectOptions(CLI::App& app, ProjectRequest& project) {
  const std::vector<std::string> shared{"--help", "--objective", "--limit", "--budget",
                                        "--jobs", "--json",      "--quiet"};
  const std::vector<CLI::Option*> for_files = app.get_options([&](const CLI::Option* option) {
    return std::ranges::none_of(shared, [&](const std::string& name) { return option->check_name(name); });
  });
  CLI::Option* build = app.add_option("--build", project.commands.build,
                                      "instead of files: how the project is built, with $CC and $CXX");
  CLI::Option* commands = app.add_option("--compile-commands", project.compile_commands,
                                         "instead of files: those of a compile_commands.json");
  app.add_option("--check", project.commands.check, "the project's own tests, which decide about the result")
      ->needs(build);
  app.add_option("--clean", project.commands.clean,
                 "before each build [removes the objects that were captured, before the second]")
      ->needs(build);
  app.add_flag("--linked", project.linked,
               "tune each program and library that is linked as one module (-flto), not each file")
      ->needs(build);
  app.add_option("--free-flags", project.free_flags,
                 "look first for flags that cost nothing, yes or no: inline thresholds, sections, folding of "
                 "the same functions [yes with --linked]")
      ->check(CLI::IsMember({"yes", "no"}))
      ->needs(build);
  for (CLI::Option* option : for_files) {
    build->excludes(option);
    commands->excludes(option);
  }
}

int tuneProject(const ProjectRequest& request) {
  Result<projects::ProjectOptions> options = optionsFor(request);
  if (!options) return report(options.error());
  ProgressLine progress(!request.quiet);
  options->on_phase = [&](std::string_view text) {
    if (progress.visible())
      progress.show(text);
    else if (!request.quiet)
      fmt::print(stderr, "{}\n", text);
  };
  options->on_trial = [&](const projects::FreeTrial& trial) { progress.show(trialText(trial)); };
  options->on_search = [&](const std::vector<Module>& modules, double left_s) {
    progress.show(progressText(modules, left_s));
  };
  const Result<projects::Tuned> tuned = projects::tuneProject(*options);
  progress.clear();
  if (!tuned) {
    const int code = report(tuned.error());
    return interrupted() ? kInterrupted : code;
  }
  say(*tuned, request);
  if (request.json)
    fmt::print("{}\n", writeJson(toJson(*tuned), 2));
  else
    printResult(*tuned, request);
  if (tuned->interrupted) return kInterrupted;
  return tuned->failed.empty() ? kOk : kWrong;
}

}  // namespace ordo::cli
