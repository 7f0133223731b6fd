#include "engine/replay.h"

#include "engine/reach.h"
#include "engine/stock.h"
#include "frontend/opt.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::engine {
namespace {

Status checkOwn(Engine& engine, const recipe::Recipe& recipe) {
  if (recipe.backend == engine.info().name && recipe.backend_version == engine.info().version) return {};
  return fail(ErrorCode::kUnsupported,
              "the recipe is for {} {} and this is {} {}: passes differ between versions; tune again",
              recipe.backend, recipe.backend_version, engine.info().name, engine.info().version);
}

// `state`, which `recipe` asks for. A sealed recipe was done once: that it cannot be is our failure. Any
// other may ask for anything.
Result<State> followed(Result<State> state, const recipe::Recipe& recipe) {
  if (state || recipe.sealed || state.error().code != ErrorCode::kInternal) return state;
  return fail(ErrorCode::kCorrupt, "the recipe cannot be followed: {}", state.error().message);
}

}  // namespace

std::vector<env::Action> allActions(const recipe::Recipe& recipe) {
  std::vector<env::Action> actions = recipe.prepare;
  actions.insert(actions.end(), recipe.actions.begin(), recipe.actions.end());
  return actions;
}

Result<Replayed> replay(Engine& engine, const Input& input, const recipe::Recipe& recipe) {
  ORDO_TRY(checkOwn(engine, recipe));
  ORDO_TRY_ASSIGN(const State start, halfway(engine, input, input.compiled.bytes, {}));
  if (start.hash != recipe.program_hash) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is not the program this recipe was made for ('{}' with flags [{}]): the source, the "
                "flags or clang "
                "changed; tune again",
                input.program.path().string(), recipe.program, shellQuote(recipe.flags));
  }
  ORDO_TRY_ASSIGN(State prepared,
                  followed(halfway(engine, input, input.compiled.bytes, recipe.prepare), recipe));
  ORDO_TRY_ASSIGN(State best, followed(reach(engine, input, prepared.bitcode, recipe.actions), recipe));
  return Replayed{std::move(best.bitcode), best.hash};
}

Result<std::string> verifyWithStock(Engine& engine, const Input& input, const recipe::Recipe& recipe) {
  ORDO_TRY(checkOwn(engine, recipe));
  return input.toolchain->prove(engine, input, input.compiled.bytes, allActions(recipe), recipe.result_hash);
}

Result<std::string> textualIr(Engine& engine, const Input& input, std::string_view bitcode) {
  ORDO_TRY_ASSIGN(const State state, halfway(engine, input, bitcode, {}));
  ORDO_TRY_ASSIGN(const env::Observation text, state.session->observe("ir"));
  return std::string(text.text());
}

Result<std::optional<datasets::TestReport>> testObject(const Input& input, std::string_view object) {
  if (input.program.tests.empty() || !input.whyNotRun().empty()) return std::nullopt;
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const std::filesystem::path executable = dir.path() / "program";
  ORDO_TRY(input.toolchain->link(input, object, executable));
  ORDO_TRY_ASSIGN(datasets::TestReport report, datasets::runTests(input.program, executable));
  return report;
}

}  // namespace ordo::engine
