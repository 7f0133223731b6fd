// ordo check: whether an optimised program still does what its original does, and how that was found out.
#include "check/check.h"

#include <memory>

#include "check/culprit.h"
#include "cli/command.h"
#include "cli/recipe_file.h"
#include "cli/terminal.h"
#include "engine/replay.h"
#include "sandbox/confined.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string first, second;
  check::CheckOptions check;
  bool no_run = false;
  std::string bugs;
  double reduce_seconds = 120;
  bool json = false;
};

// What is to be checked, from a recipe or from two files.
struct Subject {
  engine::Input input;
  std::string optimized;             // bitcode
  std::vector<env::Action> actions;  // that made it, if they are known
};

Result<Subject> loadSubject(const Options& options, const std::vector<std::string>& flags,
                            engine::Engine& engine) {
  if (options.first.ends_with(".json")) {
    if (!flags.empty()) return fail(ErrorCode::kInvalidArgument, "a recipe has its own compiler flags");
    ORDO_TRY_ASSIGN(const recipe::Recipe recipe, loadRecipe(options.first));
    ORDO_TRY_ASSIGN(engine::Input input, engine::prepareInputFor(recipe, options.second));
    ORDO_TRY_ASSIGN(engine::Replayed replayed, engine::replay(engine, input, recipe));
    std::vector<env::Action> actions = recipe.prepare;
    actions.insert(actions.end(), recipe.actions.begin(), recipe.actions.end());
    return Subject{std::move(input), std::move(replayed.bitcode), std::move(actions)};
  }
  if (options.second.empty())
    return fail(ErrorCode::kInvalidArgument,
                "what is {} to be compared with? Give a recipe (.json), or an original and an "
                "optimised module",
                options.first);
  ORDO_TRY_ASSIGN(engine::Input input, engine::prepareInput(options.first, {}, flags));
  ORDO_TRY_ASSIGN(std::string optimized, readFile(options.second));
  return Subject{std::move(input), std::move(optimized), {}};
}

// Looks for the pass that is to blame, and files it all.
Status save(const Subject& subject, const check::Checked& checked, const Options& options) {
  check::Bug bug{&subject.input, subject.actions, subject.optimized, "", nullptr, nullptr};
  if (checked.functions) bug.function = checked.functions->wrong();
  for (const check::Check& check : checked.checks) {
    if (check.verdict == check::Verdict::kFailed && bug.what.empty())
      bug.what = fmt::format("{}: {}", check.name, check.detail);
  }
  std::optional<check::Culprit> culprit;
  if (!subject.actions.empty()) {
    const check::IsWrong wrong = [&](const std::string& bitcode) -> Result<bool> {
      if (bug.function != nullptr) {
        differ::Request request;
        request.original = subject.input.compiled.bytes;
        request.optimized = bitcode;
        request.function = bug.function->name;
        request.seed = options.check.seed;
        request.seconds = options.check.seconds;
        ORDO_TRY_ASSIGN(const differ::Report report, differ::compare(request));
        return report.wrong() != nullptr;
      }
      ORDO_TRY_ASSIGN(
          const check::Behaviour reference,
          check::observeBehaviour(subject.input.program, subject.input.source, subject.input.baseline.level));
      ORDO_TRY_ASSIGN(const check::Check output,
                      check::checkOutput(reference, bitcode, subject.actions, options.check.retries));
      return output.verdict == check::Verdict::kFailed;
    };
    ORDO_TRY_ASSIGN(culprit, check::findCulprit(subject.input, subject.actions, wrong));
    bug.culprit = &*culprit;
    note(fmt::format("the pass to blame is number {}, {}", culprit->index, culprit->shown()));
  }
  ORDO_TRY(check::saveBug(bug, options.bugs, options.reduce_seconds));
  note(fmt::format("filed in {}", options.bugs));
  return {};
}

Json toJson(const Subject& subject, const check::Checked& checked) {
  Json checks = Json::array();
  for (const check::Check& check : checked.checks)
    checks.push_back({{"check", check.name}, {"verdict", name(check.verdict)}, {"detail", check.detail}});
  Json json{{"program", subject.input.program.name},
            {"ok", checked.ok()},
            {"checked", checked.assurance()},
            {"checks", std::move(checks)}};
  if (checked.functions) json["functions"] = differ::toJson(*checked.functions);
  return json;
}

void print(const Subject& subject, const check::Checked& checked) {
  fmt::print("{}\n", subject.input.program.name);
  for (const check::Check& check : checked.checks)
    fmt::print("  {:10} {:8} {}\n", check.name, name(check.verdict), check.detail);
  if (checked.functions) {
    for (const differ::FunctionReport& function : checked.functions->functions) {
      if (function.verdict == differ::FunctionReport::Verdict::kSkipped)
        fmt::print("    not compared: {}: {}\n", function.name, function.detail);
    }
  }
  fmt::print("{}: {}\n", checked.ok() ? "fine" : "WRONG", checked.assurance());
}

Result<int> checkSubject(const Options& options, const std::vector<std::string>& flags) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start({{}, false}));
  ORDO_TRY_ASSIGN(const Subject subject, loadSubject(options, flags, *engine));
  check::CheckOptions wanted = options.check;
  wanted.run = !options.no_run;
  for (const std::string& gap : sandbox::confinementGaps()) note(gap);
  ORDO_TRY_ASSIGN(const check::Checked checked,
                  check::check(*engine, subject.input, subject.optimized, subject.actions, wanted));
  if (options.json) {
    fmt::print("{}\n", writeJson(toJson(subject, checked), 2));
  } else {
    print(subject, checked);
  }
  if (!checked.ok() && !options.bugs.empty()) ORDO_TRY(save(subject, checked, options));
  return checked.ok() ? kOk : kWrong;
}

}  // namespace

extern const CommandInfo check{
    .name = "check",
    .summary = "run, compare and verify: does the optimised program still do what the original does?",
    .examples =
        "  ordo check sha256.ordo.json\n"
        "  ordo check original.bc optimized.bc\n"
        "  ordo check main.ordo.json main.c --save-bug bugs/1\n"
        "  ordo check util.c util.bc -- -O2 -I include\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("RECIPE|ORIGINAL", options->first,
                     "what 'ordo tune' wrote, or the original (.c, .bc, .ll, ...)")
          ->required();
      app.add_option("FILE|OPTIMIZED", options->second,
                     "the program, if it is not where the recipe says; or the optimised module");
      app.add_option("--seconds", options->check.seconds, "for comparing functions, about")
          ->capture_default_str()
          ->check(CLI::PositiveNumber);
      app.add_option("--seed", options->check.seed, "of the inputs")->capture_default_str();
      app.add_flag("--no-run", options->no_run, "do not run the program, only its functions");
      app.add_option("--save-bug", options->bugs, "where to file a wrong result: a new folder");
      app.add_option("--reduce-seconds", options->reduce_seconds,
                     "the longest that llvm-reduce may take for that")
          ->capture_default_str();
      app.add_flag("--json", options->json, "print the result as JSON");
      return [options](const std::vector<std::string>& flags) {
        const Result<int> code = checkSubject(*options, flags);
        return code ? *code : report(code.error());
      };
    }};

}  // namespace ordo::cli
