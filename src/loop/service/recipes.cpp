#include "loop/service/recipes.h"

#include "recipe/recipe.h"
#include "support/files.h"

namespace ordo::loop {
namespace {

// Twice what a recipe of kMostActions could need.
constexpr std::uintmax_t kMostBytes = std::uintmax_t{8} << 20;

Result<Sequence> sequenceOf(const std::filesystem::path& file) {
  std::error_code error;
  if (const std::uintmax_t size = std::filesystem::file_size(file, error); !error && size > kMostBytes)
    return fail(ErrorCode::kCorrupt, "{} has {} MiB, which is no recipe", file.string(), size >> 20);
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  ORDO_TRY_ASSIGN(const recipe::Recipe recipe, recipe::parse(text, file.string()));
  if (!recipe.prepare.empty())
    return fail(
        ErrorCode::kUnsupported,
        "{} is for {}, which begins with another program than clang makes; tune over a clang- baseline",
        file.string(), recipe.baseline);
  Sequence sequence{.source = recipe.source,
                    .program = recipe.program_hash,
                    .baseline = recipe.baseline,
                    .version = recipe.backend_version,
                    .space = recipe.space,
                    .space_hash = recipe.space_hash,
                    .actions = {}};
  for (const env::Action& action : recipe.actions) sequence.actions.push_back(action.name);
  return sequence;
}

}  // namespace

Result<std::map<std::string, std::string>> sequencesOf(const Settings& settings) {
  std::map<std::string, std::string> all;
  for (const auto& [candidate, files] : settings.recipes) {
    std::vector<Sequence> sequences;
    for (const std::filesystem::path& file : files) {
      ORDO_TRY_ASSIGN(Sequence sequence, sequenceOf(file));
      sequences.push_back(std::move(sequence));
    }
    ORDO_TRY(check(sequences, fmt::format("the recipes of {}", candidate)));
    all[candidate] = writeSequences(sequences);
  }
  return all;
}

}  // namespace ordo::loop
