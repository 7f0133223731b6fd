#include "trainer/grounds.h"

#include <filesystem>
#include <map>

#include "campaigns/collect.h"
#include "campaigns/eval.h"
#include "datasets/dataset.h"
#include "env/metric.h"
#include "support/rng.h"

namespace ordo::trainer {
namespace {

// Programs of a split, of many packages, in the order of chance.
Result<std::vector<std::string>> drawn(datasets::Split split, std::size_t count) {
  datasets::ListOptions list;
  list.split = split;
  ORDO_TRY_ASSIGN(const std::vector<std::string> uris, datasets::listPrograms("debian", list));
  std::vector<study::Plan::Entry> entries;
  for (const std::string& uri : uris) entries.push_back({uri, campaigns::suiteOf(uri)});
  entries = campaigns::spread(std::move(entries), count, 7);
  Rng(7).shuffle(std::span(entries));
  std::vector<std::string> programs;
  for (study::Plan::Entry& entry : entries) programs.push_back(std::move(entry.uri));
  return programs;
}

// Those of `uris` whose bitcode is small enough to be worth making ready, and that turn out to be.
Result<std::vector<Ground>> small(campaigns::Stage& stage, const std::vector<std::string>& uris,
                                  double max_instructions) {
  constexpr double kBytesPerInstruction = 40;  // more than that has too many
  std::vector<std::string> candidates;
  for (const std::string& uri : uris) {
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
    std::error_code missing;
    const auto bytes = static_cast<double>(std::filesystem::file_size(program.path(), missing));
    if (!missing && bytes <= kBytesPerInstruction * max_instructions) candidates.push_back(uri);
  }
  ORDO_TRY_ASSIGN(const std::vector<std::optional<double>> instructions, stage.instructions(candidates));
  std::vector<Ground> grounds;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (instructions[i] && *instructions[i] <= max_instructions)
      grounds.push_back({candidates[i], *instructions[i]});
  }
  return grounds;
}

}  // namespace

Result<std::vector<Ground>> groundsOf(const Experience& experience, std::size_t more_programs,
                                      double max_instructions, campaigns::Stage& stage) {
  std::map<std::string, double> sizes;
  for (const experience::Run& run : experience.runs) {
    const auto initial = run.references.find("initial");
    if (run.best.empty() || initial == run.references.end()) continue;
    const auto size = initial->second.find(env::kIrInstructions);
    if (size != initial->second.end() && size->second <= max_instructions) sizes[run.key.uri] = size->second;
  }
  std::vector<std::string> known;
  std::vector<Ground> grounds;
  for (const auto& [uri, size] : sizes) {
    known.push_back(uri);
    grounds.push_back({uri, size});
  }
  ORDO_TRY(campaigns::trainingPrograms(known));
  if (more_programs == 0) return grounds;
  ORDO_TRY_ASSIGN(std::vector<std::string> more, drawn(datasets::Split::kTrain, more_programs));
  ORDO_TRY_ASSIGN(more, campaigns::trainingPrograms(more));
  std::erase_if(more, [&](const std::string& uri) { return sizes.contains(uri); });
  ORDO_TRY_ASSIGN(const std::vector<Ground> others, small(stage, more, max_instructions));
  grounds.insert(grounds.end(), others.begin(), others.end());
  return grounds;
}

Result<std::vector<Ground>> groundsOf(const std::vector<std::string>& uris, campaigns::Stage& stage) {
  std::vector<Ground> grounds;
  for (const std::string& uri : uris) {
    ORDO_TRY_ASSIGN(const datasets::Program program, datasets::loadProgram(uri));
    ORDO_TRY(campaigns::checkPurpose(program, campaigns::RunPurpose::kStudy));
    grounds.push_back({program.uri, 0});
  }
  ORDO_TRY_ASSIGN(const std::vector<std::optional<double>> instructions, stage.instructions(uris));
  for (std::size_t i = 0; i < grounds.size(); ++i) {
    if (!instructions[i])
      return fail(ErrorCode::kUnsupported, "{} cannot be measured, so nobody can practise on it",
                  grounds[i].uri);
    grounds[i].instructions = *instructions[i];
  }
  return grounds;
}

Result<std::vector<std::string>> judgesOf(std::size_t count, double max_instructions,
                                          campaigns::Stage& stage) {
  ORDO_TRY_ASSIGN(const std::vector<std::string> uris, drawn(datasets::Split::kValidation, 4 * count));
  ORDO_TRY_ASSIGN(const std::vector<Ground> found, small(stage, uris, max_instructions));
  std::vector<std::string> judges;
  for (const Ground& ground : found) {
    if (judges.size() < count) judges.push_back(ground.uri);
  }
  return judges;
}

}  // namespace ordo::trainer
