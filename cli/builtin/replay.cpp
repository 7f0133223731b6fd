// ordo replay: makes the result of a recipe again.
#include "engine/replay.h"

#include <memory>

#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/output.h"
#include "cli/places.h"
#include "cli/recipe_file.h"
#include "cli/terminal.h"
#include "engine/stock.h"
#include "frontend/clang.h"
#include "support/exit_code.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string recipe;
  std::string file;
  OutputOptions output;
};

Status replayRecipe(const Options& options) {
  ORDO_TRY(checkOutput(options.output));
  ORDO_TRY_ASSIGN(const recipe::Recipe recipe, loadRecipe(options.recipe));
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInputFor(recipe, options.file));
  const std::string out = outputPath(options.output, recipe.program);
  Subject subject = subjectOf(input.program);
  subject.inputs.emplace_back(options.recipe);
  ORDO_TRY(checkPlace(out, {subject}));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const engine::Replayed replayed, engine::replay(*engine, input, recipe));
  if (replayed.hash != recipe.result_hash) {
    // Nobody but us can be to blame for what a sealed recipe says.
    return fail(recipe.sealed ? ErrorCode::kInternal : ErrorCode::kCorrupt,
                "the replay gives other IR (hash {}) than the recipe says ({})", replayed.hash.hex(),
                recipe.result_hash.hex());
  }
  const frontend::Source source = engine::emissionSource(input.source, recipe.actions);
  ORDO_TRY_ASSIGN(const std::string object,
                  frontend::emitObject(replayed.bitcode, input.baseline.level, source));
  ORDO_TRY(writeResult(*engine, input, source, replayed.bitcode, object, options.output.emit, out));
  noteWhatIrLacks(recipe.actions, options.output.emit);
  if (out != "-")
    fmt::print("{}: same IR as recorded (hash {}); wrote {}\n", recipe.program, replayed.hash.hex(), out);
  return {};
}

}  // namespace

extern const CommandInfo replay{
    .name = "replay",
    .summary = "make the result of a recipe again",
    .examples =
        "  ordo replay sha256.ordo.json suite/sha256\n"
        "  ordo replay main.ordo.json main.c --emit exe -o main\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("RECIPE", options->recipe, "what 'ordo tune' wrote")->required();
      app.add_option("FILE", options->file, "the program, if it is not where the recipe says");
      app.add_option("--emit", options->output.emit, "obj, bc, ll, asm or exe")->capture_default_str();
      app.add_option("-o,--output", options->output.out,
                     "where to write the result; - for standard output [NAME.o]");
      return [options](const std::vector<std::string>&) {
        if (const auto recipe = loadRecipe(options->recipe); recipe && isOfKernel(*recipe))
          return replayKernel(*recipe, options->file, options->output.out);
        const Status status = replayRecipe(*options);
        return status ? kOk : report(status.error());
      };
    }};

}  // namespace ordo::cli
