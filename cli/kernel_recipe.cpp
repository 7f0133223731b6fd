// Recipes of kernels: replayed, verified, explained; and the files that a kernel is written to.
#include <fmt/ranges.h>

#include "cli/kernel.h"
#include "cli/terminal.h"
#include "engine/kernel.h"
#include "engine/reach.h"
#include "engine/replay.h"
#include "frontend/tool.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Opened {
  std::unique_ptr<engine::Engine> engine;
  engine::Input input;
};

Result<Opened> open(const recipe::Recipe& recipe, const std::string& file) {
  Opened opened;
  ORDO_TRY_ASSIGN(opened.engine, engine::startForKernels());
  ORDO_TRY_ASSIGN(opened.input,
                  engine::readKernel(*opened.engine, file.empty() ? recipe.source : file, recipe.baseline));
  opened.input.own_settings = recipe.settings;
  return opened;
}

Result<std::vector<std::string>> replayInto(const recipe::Recipe& recipe, const std::string& file,
                                            const std::string& out) {
  ORDO_TRY_ASSIGN(const Opened opened, open(recipe, file));
  ORDO_TRY_ASSIGN(const engine::Replayed replayed, engine::replay(*opened.engine, opened.input, recipe));
  if (replayed.hash != recipe.result_hash) {
    return fail(ErrorCode::kCorrupt, "the replay gives another schedule (hash {}) than the recipe says ({})",
                replayed.hash.hex(), recipe.result_hash.hex());
  }
  ORDO_TRY_ASSIGN(const auto session, engine::walk(*opened.engine, opened.input, opened.input.compiled.bytes,
                                                   engine::allActions(recipe)));
  return writeKernel(*session, out, recipe.program);
}

Result<std::string> prove(const recipe::Recipe& recipe, const std::string& file) {
  ORDO_TRY_ASSIGN(const Opened opened, open(recipe, file));
  // The kernel must be the one the recipe is about.
  ORDO_TRY(engine::replay(*opened.engine, opened.input, recipe));
  return engine::verifyWithStock(*opened.engine, opened.input, recipe);
}

}  // namespace

Result<std::vector<std::string>> writeKernel(env::Session& session, const std::filesystem::path& folder,
                                             const std::string& name, std::string_view emit, bool threads) {
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "cannot make {}: {}", folder.string(), problem.message());
  std::vector<std::string> paths;
  for (const auto& [end, observation] :
       {std::pair(".schedule.mlir", "schedule"), std::pair(".o", "object"), std::pair(".h", "header")}) {
    ORDO_TRY_ASSIGN(const std::string content, engine::observedText(session, observation));
    paths.push_back((folder / (name + end)).string());
    ORDO_TRY(writeFile(paths.back(), content));
  }
  if (emit == "so") {
    const std::string object = (folder / (name + ".o")).string();
    paths.push_back((folder / (name + ".so")).string());
    std::vector<std::string> command = {"clang-22", "-shared", "-o", paths.back(), object, "-lm"};
    if (threads) command.push_back("-fopenmp");
    ORDO_TRY(frontend::runTool({std::move(command), "", "", name}));
  }
  return paths;
}

int replayKernel(const recipe::Recipe& recipe, const std::string& file, const std::string& out) {
  const Result<std::vector<std::string>> written = replayInto(recipe, file, out);
  if (!written) return report(written.error());
  fmt::print("{}: the schedule as recorded (hash {}); wrote {}\n", recipe.program, recipe.result_hash.hex(),
             fmt::join(*written, ", "));
  return kOk;
}

int verifyKernel(const recipe::Recipe& recipe, const std::string& file, bool json) {
  const Result<std::string> proof = prove(recipe, file);
  const bool wrong = !proof && proof.error().code == ErrorCode::kCorrupt;
  if (!proof && !wrong) return report(proof.error());
  const std::string& said = proof ? *proof : proof.error().message;
  if (json)
    fmt::print("{}\n", writeJson(Json{{"program", recipe.program}, {"ir", said}, {"ok", !wrong}}, 2));
  else
    fmt::print("{}\n  IR      {}\n", recipe.program, said);
  return wrong ? kWrong : kOk;
}

int explainKernel(const recipe::Recipe& recipe, const std::string& file) {
  fmt::print("{} ({}), tuned for {} against {}\n\nSteps in order:\n", recipe.program, recipe.source,
             recipe.objective, recipe.baseline);
  for (std::size_t i = 0; i < recipe.actions.size(); ++i) {
    std::string saves;
    for (const recipe::Reason& reason : recipe.reasons) {
      if (reason.action == static_cast<std::int64_t>(i))
        saves = fmt::format("saves {:.4g} ms", reason.saves / 1e6);
    }
    fmt::print("  {:22} {}\n", recipe.actions[i].name, saves);
  }
  fmt::print("\nFound by {} in {:.1f} s and {} sequences (seed {})\nVerified: {}\n\n", recipe.searcher,
             recipe.seconds, recipe.evaluations, recipe.seed, recipe.verified);
  for (const std::string& line : recipe.stock) fmt::print("  {}\n", line);
  const Result<Opened> opened = open(recipe, file);
  if (!opened) {
    note(fmt::format("the schedule as text is left out: {}", opened.error().message));
    return kOk;
  }
  const auto session =
      engine::walk(*opened->engine, opened->input, opened->input.compiled.bytes, recipe.actions);
  if (!session) return report(session.error());
  const Result<std::string> text = engine::observedText(**session, "schedule");
  if (!text) return report(text.error());
  fmt::print("\nThe schedule:\n{}", *text);
  return kOk;
}

}  // namespace ordo::cli
