// ordo verify: proves a recipe with stock tools. The IR must be that of stock opt-22, and the tests
// of the program, if it has any, must pass with the object that stock clang makes of it.
#include <memory>

#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/recipe_file.h"
#include "cli/terminal.h"
#include "engine/replay.h"
#include "engine/stock.h"
#include "env/metric.h"
#include "frontend/clang.h"
#include "frontend/opt.h"
#include "support/exit_code.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string recipe;
  std::string file;
  bool json = false;
};

struct Verified {
  std::string program;
  std::string ir;
  std::uint64_t text_bytes = 0;
  std::string tests = "not run: no tests are known for this program";
  bool ok = true;
};

Result<Verified> verifyRecipe(const Options& options) {
  ORDO_TRY_ASSIGN(const recipe::Recipe recipe, loadRecipe(options.recipe));
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInputFor(recipe, options.file));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  Verified verified;
  verified.program = recipe.program;
  // In our own workers first: the program must be the one the recipe is about.
  ORDO_TRY_ASSIGN(const engine::Replayed replayed, engine::replay(*engine, input, recipe));
  if (const Result<std::string> stock = engine::verifyWithStock(*engine, input, recipe)) {
    verified.ir = *stock;
  } else {
    verified.ir = stock.error().message;
    verified.ok = false;
  }
  ORDO_TRY_ASSIGN(const std::string object,
                  frontend::emitObject(replayed.bitcode, input.baseline.level,
                                       engine::emissionSource(input.source, recipe.actions)));
  ORDO_TRY_ASSIGN(verified.text_bytes, frontend::textSize(object));
  ORDO_TRY_ASSIGN(const std::optional<datasets::TestReport> tests, engine::testObject(input, object));
  if (tests) {
    verified.tests = tests->summary();
    verified.ok = verified.ok && tests->passed();
  }
  return verified;
}

int run(const Options& options) {
  if (const auto recipe = loadRecipe(options.recipe); recipe && isOfKernel(*recipe))
    return verifyKernel(*recipe, options.file, options.json);
  const Result<Verified> verified = verifyRecipe(options);
  if (!verified) return report(verified.error());
  if (options.json) {
    fmt::print("{}\n", writeJson(Json{{"program", verified->program},
                                      {"ir", verified->ir},
                                      {env::kTextBytes, verified->text_bytes},
                                      {"tests", verified->tests},
                                      {"ok", verified->ok}},
                                 2));
  } else {
    fmt::print("{}\n  IR      {}\n  object  {} bytes of text by llvm-size-22\n  tests   {}\n",
               verified->program, verified->ir, verified->text_bytes, verified->tests);
  }
  return verified->ok ? kOk : kWrong;
}

}  // namespace

extern const CommandInfo verify{
    .name = "verify",
    .summary = "prove a recipe with stock opt-22 and the program's tests",
    .examples = "  ordo verify sha256.ordo.json suite/sha256\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("RECIPE", options->recipe, "what 'ordo tune' wrote")->required();
      app.add_option("FILE", options->file, "the program, if it is not where the recipe says");
      app.add_flag("--json", options->json, "print the result as JSON");
      return [options](const std::vector<std::string>&) { return run(*options); };
    }};

}  // namespace ordo::cli
