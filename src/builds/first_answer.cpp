#include "builds/first_answer.h"

#include "engine/engine.h"
#include "engine/knowledge.h"
#include "frontend/level.h"
#include "recipe/order.h"
#include "spaces/manifest.h"
#include "spaces/space.h"
#include "support/files.h"
#include "support/hash.h"
#include "tune/quick_tune.h"

namespace ordo::builds {
namespace {

Result<std::string> make(const Task& task, const Target& target, std::string_view kind,
                         const std::string& knowledge) {
  // Which actions there are is a question to LLVM.
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), spaceOf(task), manifest));
  const engine::Input input = inputOf(task, target, "");
  ORDO_TRY_ASSIGN(std::vector<env::Action> actions,
                  tune::firstAnswer(input, space, task.objective, kind, knowledge));
  if (actions.empty()) return std::string();
  return recipe::writeOrder({std::move(actions), input.settings()});
}

}  // namespace

Result<std::string> firstAnswer(Cache& cache, const Task& task, const Target& target,
                                std::string_view compiler, std::string_view kind) {
  const std::string knowledge = engine::knowledgePath("shipped");
  ORDO_TRY_ASSIGN(const std::string learned, readFile(knowledge));
  ORDO_TRY_ASSIGN(const std::string space, readFile(dataDir() / "spaces" / (spaceOf(task) + ".txt")));
  const std::string key =
      hashBytes(fmt::format("first answer\n{}\n{}\n{}\n{}\n{}\n{}\n{}", compiler, frontend::name(task.level),
                            task.objective, kind, writeTarget(target), hashBytes(learned).hex(),
                            hashBytes(space).hex()))
          .hex();
  ORDO_TRY_ASSIGN(const std::optional<std::string> known, cache.findNote(key));
  if (known) return *known;
  ORDO_TRY_ASSIGN(const std::string answer, make(task, target, kind, knowledge));
  ORDO_TRY(cache.storeNote(key, answer));
  return answer;
}

}  // namespace ordo::builds
