#include "check/culprit.h"

#include "engine/stock.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::check {
namespace {

std::vector<env::Action> firstOf(const std::vector<env::Action>& actions, std::size_t count) {
  return {actions.begin(), actions.begin() + static_cast<std::ptrdiff_t>(count)};
}

std::string differCommand(const differ::FunctionReport& function, const std::string& original,
                          const std::string& optimized) {
  return shellQuote(
      {(installPrefix() / "bin" / "ordo-differ").string(), original, optimized, "--function", function.name});
}

// The smallest part of what the culprit was given for which it is still one; nothing if it cannot be found.
std::optional<std::string> reduce(const Bug& bug, double seconds) {
  const std::optional<std::string> tool = findProgram({"llvm-reduce-22", "llvm-reduce"});
  if (!tool || bug.culprit == nullptr || bug.function == nullptr) return std::nullopt;
  const Result<TempDir> dir = TempDir::create();
  if (!dir) return std::nullopt;
  const auto file = [&](const char* name) { return (dir->path() / name).string(); };
  std::string opt;
  for (const frontend::Pipeline& run : engine::stockRuns({bug.culprit->action}))
    opt = shellQuote(frontend::optCommand(run, bug.input->codegen, "$1", "$1.after"));
  // The quotes keep $1 from the shell that is to expand it.
  for (std::size_t at = 0; (at = opt.find("'$1", at)) != std::string::npos;) {
    opt[at] = '"';
    opt[opt.find('\'', at)] = '"';
  }
  const std::string script = fmt::format(
      "#!/bin/sh\n{} 2>/dev/null || exit 1\n{} \"$1\" \"$1.after\" --seconds 1 --fail-if-wrong >/dev/null "
      "2>&1\n"
      "[ $? = 1 ]\n",
      opt,
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
  return Culprit{right, actions[right], std::move(before), std::move(after)};
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
                        bug.culprit->action.text);
    const std::optional<std::string> reduced = reduce(bug, seconds);
    if (reduced) {
      ORDO_TRY(writeFile(dir / "reduced.ll", *reduced));
    }
    for (const char* from : {"before.bc", "reduced.ll"}) {
      if (!reduced && std::string_view(from) == "reduced.ll") continue;
      for (const frontend::Pipeline& run : engine::stockRuns({bug.culprit->action}))
        text += shellQuote(frontend::optCommand(run, bug.input->codegen, from, "after.bc")) + "\n";
      if (bug.function != nullptr) text += differCommand(*bug.function, from, "after.bc") + "\n";
    }
    text += "```\n";
  }
  return writeFile(dir / "README.md", text);
}

}  // namespace ordo::check
