#include "campaigns/vocabulary.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "embedding/triplets.h"
#include "embedding/vocabulary.h"
#include "engine/input.h"
#include "frontend/ir2vec.h"
#include "frontend/opt.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

struct Module {
  std::string uri;
  bool named;  // by the user, so that a failure is the user's to know
};

bool isProgram(const fs::directory_entry& entry) {
  if (entry.is_directory()) return fs::exists(entry.path() / "program.toml");
  return entry.path().extension() == ".bc" || entry.path().extension() == ".ll";
}

// In a fixed order, whatever the file system says.
std::vector<Module> findModules(const std::vector<std::string>& inputs) {
  std::vector<Module> modules;
  for (const std::string& input : inputs) {
    std::error_code ignored;
    if (!fs::is_directory(input, ignored) || fs::exists(fs::path(input) / "program.toml")) {
      modules.push_back({input, true});
      continue;
    }
    std::vector<std::string> found;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(input, ignored)) {
      if (isProgram(entry)) found.push_back(entry.path().string());
    }
    std::sort(found.begin(), found.end());
    for (std::string& path : found) modules.push_back({std::move(path), false});
  }
  return modules;
}

Status addModule(const std::string& uri, embedding::TripletSet& triplets) {
  for (const frontend::Level level : {frontend::Level::kOz, frontend::Level::kO3}) {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(uri, engine::Baseline{level, false}, {}));
    ORDO_TRY_ASSIGN(const std::string before, frontend::ir2vecTriplets(input.compiled.bytes, uri));
    ORDO_TRY(triplets.add(before, uri));
    ORDO_TRY_ASSIGN(const std::string optimised,
                    frontend::runOpt(input.compiled.bytes, input.pipeline, input.codegen));
    ORDO_TRY_ASSIGN(const std::string after, frontend::ir2vecTriplets(optimised, uri));
    ORDO_TRY(triplets.add(after, uri));
  }
  return {};
}

std::size_t entitiesIn(const std::vector<embedding::Triplet>& triplets) {
  std::set<std::uint32_t> seen;
  for (const auto& [head, relation, tail] : triplets) seen.insert({head, tail});
  return seen.size();
}

}  // namespace

Result<Vocabulary> trainVocabulary(const VocabularyOptions& options) {
  ORDO_TRY_ASSIGN(const std::string entities, frontend::ir2vecEntities());
  ORDO_TRY_ASSIGN(const std::vector<std::string> names, embedding::parseEntities(entities));
  Vocabulary result;
  embedding::TripletSet triplets(names.size());
  const std::vector<Module> modules = findModules(options.inputs);
  for (const Module& module : modules) {
    if (!options.progress(fmt::format("reading {} ({} of {}): {} distinct triplets", module.uri,
                                      result.modules + result.left_out + 1, modules.size(),
                                      triplets.triplets().size()))) {
      return result;
    }
    const Status added = addModule(module.uri, triplets);
    if (!added && module.named) return fail(Error(added.error()).context(module.uri));
    if (!added) options.note(fmt::format("{} is left out: {}", module.uri, added.error().message));
    ++(added ? result.modules : result.left_out);
  }
  result.triplets = triplets.read();
  result.distinct = triplets.triplets().size();
  if (result.distinct == 0) {
    return fail(ErrorCode::kInvalidArgument,
                "there is no module to learn from; name .bc or .ll files, "
                "folders with them, or programs of the suite");
  }

  Rng rng(options.seed);
  const embedding::Split parts = embedding::split(triplets.triplets(), options.held_out, rng);
  result.entities_seen = entitiesIn(parts.train);
  embedding::Transe model(names.size(), triplets.relations(), options.transe.dim, rng);
  result.untrained = embedding::rank(model, parts.held_out, triplets.triplets());
  bool stopped = false;
  model.fit(parts.train, options.transe, rng, [&](std::size_t epochs, double loss) {
    result.loss = loss;
    stopped =
        !options.progress(fmt::format("epoch {} of {}: loss {:.4f}", epochs, options.transe.epochs, loss));
    return !stopped;
  });
  result.trained = embedding::rank(model, parts.held_out, triplets.triplets());
  if (!stopped) result.json = embedding::writeVocabulary(names, model);
  return result;
}

}  // namespace ordo::campaigns
