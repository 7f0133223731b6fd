#include "check/culprit.h"

#include <iterator>
#include <map>
#include <optional>

#include "engine/stock.h"
#include "env/choices.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"
#include "support/symbol.h"

namespace ordo::check {
namespace {

constexpr std::size_t kShown = 3;  // functions

std::vector<env::Action> firstOf(const std::vector<env::Action>& actions, std::size_t count) {
  return {actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string differCommand(const differ::FunctionReport& function, const std::string& original,
                          const std::string& optimized) {
  return shellQuote(
      {(installPrefix() / "bin" / "ordo-differ").string(), original, optimized, "--function", function.name});
}

// Lines of a shell that make `to` of the bitcode `from`; what is between is `between` and a number.
std::vector<std::string> commands(const engine::Input& input, const std::vector<env::Action>& actions,
                                  std::string_view from, std::string_view between, std::string_view to) {
  std::vector<std::string> lines;
  const std::vector<frontend::Pipeline> runs = engine::stockRuns(actions);
  std::string file(from);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string next = i + 1 == runs.size() ? std::string(to) : fmt::format("{}{}.bc", between, i + 1);
    lines.push_back(shellQuote(frontend::optCommand(runs[i], input.codegen, file, next)));
    file = next;
  }
  return lines;
}

// The smallest part of what the culprit was given for which it is still one; nothing if it cannot be found.
std::optional<std::string> reduce(const Bug& bug, double seconds) {
  const std::optional<std::string> tool = findProgram({"llvm-reduce-22", "llvm-reduce"});
  if (!tool || bug.culprit == nullptr || bug.function == nullptr) return std::nullopt;
  const Result<TempDir> dir = TempDir::create();
  if (!dir) return std::nullopt;
  const auto file = [&](const char* name) { return (dir->path() / name).string(); };
  std::string opt;
  for (std::string line : commands(*bug.input, {bug.culprit->action}, "$1", "$1.", "$1.after")) {
    // The quotes keep $1 from the shell that is to expand it.
    for (std::size_t at = 0; (at = line.find("'$1", at)) != std::string::npos;) {
      line[at] = '"';
      line[line.find('\'', at)] = '"';
    }
    opt += line + " 2>/dev/null || exit 1\n";
  }
  const std::string script = fmt::format(
      "#!/bin/sh\n{}{} \"$1\" \"$1.after\" --seconds 1 --fail-if-wrong >/dev/null 2>&1\n[ $? = 1 ]\n", opt,
      shellQuote({(installPrefix() / "bin" / "ordo-differ").string(), "--function", bug.function->name}));
  if (!writeFile(file("test.sh"), script) || !writeFile(file("before.bc"), bug.culprit->before))
    return std::nullopt;
  std::filesystem::permissions(file("test.sh"), std::filesystem::perms::owner_all);
  ProcessOptions options;
  options.dir = dir->path();
  options.timeout_s = seconds;
  const Result<ProcessResult> run =
      runProcess({*tool, "--test=" + file("test.sh"), file("before.bc"), "-o", file("reduced.ll")}, options);
  if (!run || !run->ok()) return std::nullopt;
  const Result<std::string> text = readFile(file("reduced.ll"));
  return text ? std::optional(*text) : std::nullopt;
}

// Makes the choices of `culprit` fewer, by halves, as long as they are wrong: what a function becomes does
// not depend on what others chose.
Status narrow(const engine::Input& input, const IsWrong& wrong, Culprit& culprit) {
  ORDO_TRY_ASSIGN(env::Choices choices, env::parseChoices(culprit.action.text, culprit.action.name));
  const auto stillWrong = [&](const std::map<std::string, std::size_t>& functions) -> Result<bool> {
    const env::Action fewer = env::choose(env::simplified({choices.sequences, functions}));
    ORDO_TRY_ASSIGN(std::string after, engine::runStock(culprit.before, {fewer}, input.codegen));
    ORDO_TRY_ASSIGN(const bool is_wrong, wrong(after));
    if (is_wrong) {
      culprit.action = fewer;
      culprit.after = std::move(after);
    }
    return is_wrong;
  };
  std::map<std::string, std::size_t> functions = choices.functions;
  while (functions.size() > 1) {
    const auto middle = std::next(functions.begin(), static_cast<std::ptrdiff_t>(functions.size() / 2));
    std::map<std::string, std::size_t> first(functions.begin(), middle), second(middle, functions.end());
    ORDO_TRY_ASSIGN(const bool of_first, stillWrong(first));
    if (!of_first) {
      ORDO_TRY_ASSIGN(const bool of_second, stillWrong(second));
      if (!of_second) break;  // it takes functions of both
    }
    functions = of_first ? std::move(first) : std::move(second);
  }
  return {};
}

}  // namespace

Result<Culprit> findCulprit(const engine::Input& input, const std::vector<env::Action>& actions,
                            const IsWrong& wrong) {
  // After `right` actions the result is right, after `bad` it is wrong.
  std::size_t right = 0, bad = actions.size();
  std::string before = input.compiled.bytes, after;
  while (bad - right > 1) {
    const std::size_t middle = (right + bad) / 2;
    ORDO_TRY_ASSIGN(std::string bitcode,
                    engine::runStock(input.compiled.bytes, firstOf(actions, middle), input.codegen));
    ORDO_TRY_ASSIGN(const bool is_wrong, wrong(bitcode));
    if (is_wrong) {
      bad = middle;
      after = std::move(bitcode);
    } else {
      right = middle;
      before = std::move(bitcode);
    }
  }
  if (after.empty()) {
    ORDO_TRY_ASSIGN(after, engine::runStock(input.compiled.bytes, firstOf(actions, bad), input.codegen));
  }
  Culprit culprit{right, actions[right], std::move(before), std::move(after)};
  if (culprit.action.kind == env::kChoicesKind) ORDO_TRY(narrow(input, wrong, culprit));
  return culprit;
}

std::string Culprit::shown() const {
  const Result<env::Choices> choices = env::parseChoices(action.text, action.name);
  if (action.kind != env::kChoicesKind || !choices) return action.text;
  std::string text = choices->functions.empty() ? choices->sequences.front() : "";
  std::size_t left = kShown;
  for (const auto& [name, number] : choices->functions) {
    if (left-- == 0) return text + fmt::format(" and {} more", choices->functions.size() - kShown);
    text +=
        fmt::format("{}{} of {}", text.empty() ? "" : ", ", choices->sequences[number], shownSymbol(name));
  }
  return text;
}

Status saveBug(const Bug& bug, const std::filesystem::path& dir, double seconds) {
  std::error_code error;
  std::filesystem::create_directories(dir, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot make {}: {}", dir.string(), error.message());
  ORDO_TRY(writeFile(dir / "original.bc", bug.input->compiled.bytes));
  ORDO_TRY(writeFile(dir / "optimized.bc", bug.optimized));
  std::string text = fmt::format("# A wrong result\n\n{}: {}\n\n", bug.input->program.name, bug.what);
  if (bug.function != nullptr && !bug.function->input.empty())
    text += fmt::format("Seen in `{}`.\n\n", bug.function->input);

  text += "## The whole sequence\n\n```\n";
  std::string file = "original.bc";
  int number = 0;
  for (const frontend::Pipeline& run : engine::stockRuns(bug.actions)) {
    const std::string next = fmt::format("{}.bc", ++number);
    text += shellQuote(frontend::optCommand(run, bug.input->codegen, file, next)) + "\n";
    file = next;
  }
  if (bug.function != nullptr) text += differCommand(*bug.function, "original.bc", "optimized.bc") + "\n";
  text += "```\n";

  if (bug.culprit != nullptr) {
    ORDO_TRY(writeFile(dir / "before.bc", bug.culprit->before));
    text += fmt::format("\n## The pass\n\nNumber {} of the sequence, `{}`:\n\n```\n", bug.culprit->index,
                        bug.culprit->shown());
    const std::optional<std::string> reduced = reduce(bug, seconds);
    if (reduced) {
      ORDO_TRY(writeFile(dir / "reduced.ll", *reduced));
    }
    for (const char* from : {"before.bc", "reduced.ll"}) {
      if (!reduced && std::string_view(from) == "reduced.ll") continue;
      for (const std::string& line : commands(*bug.input, {bug.culprit->action}, from, "after.", "after.bc"))
        text += line + "\n";
      if (bug.function != nullptr) text += differCommand(*bug.function, from, "after.bc") + "\n";
    }
    text += "```\n";
  }
  return writeFile(dir / "README.md", text);
}

}  // namespace ordo::check
