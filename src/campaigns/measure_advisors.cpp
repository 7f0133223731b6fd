#include "campaigns/measure_advisors.h"

#include <algorithm>
#include <cmath>

#include "campaigns/advice_lines.h"
#include "datasets/dataset.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::campaigns {

namespace fs = std::filesystem;

Result<std::vector<std::string>> modulesFor(const AdvisorTraining& options, bool held_out) {
  const std::vector<std::string>& named = held_out ? options.held_out : options.programs;
  if (!named.empty()) return modulesToLearnFrom(named);
  ORDO_TRY_ASSIGN(
      const std::vector<std::string> uris,
      datasets::listPrograms("debian",
                             {.limit = held_out ? options.held_out_modules : options.modules,
                              .seed = options.seed,
                              .split = held_out ? datasets::Split::kValidation : datasets::Split::kTrain}));
  return modulesToLearnFrom(uris);
}

Result<bool> measureAdvisors(const AdvisorTraining& options, const std::vector<std::string>& weights,
                             const std::vector<std::string>& modules, std::vector<AdvisedTotals>& totals,
                             bool optimised) {
  totals.assign(weights.size(), {});
  std::vector<std::string> words{"measure"};
  if (optimised) words.emplace_back("--optimised");
  if (options.speed) words.emplace_back("--speed");
  for (std::size_t i = 0; i < weights.size(); ++i) {
    const fs::path file = options.run / fmt::format("try-{}.safetensors", i);
    ORDO_TRY(writeFile(file, weights[i]));
    words.insert(words.end(), {"--weights", file.string()});
  }
  words.push_back("--");
  Status status;
  bool stopped = false;
  std::size_t done = 0;
  const auto take = [&](std::string_view line) -> Status {
    ORDO_TRY_ASSIGN(const Json json, parseJson(line, "ordo-advise"));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "ordo-advise"));
    ++done;
    if (json.contains("failure")) return {};
    ORDO_TRY_ASSIGN(const double usual, object.get<double>("usual"));
    ORDO_TRY_ASSIGN(const std::vector<double> advised, object.get<std::vector<double>>("advised"));
    for (std::size_t i = 0; i < totals.size() && usual > 0; ++i) {
      AdvisedTotals& one = totals[i];
      ++one.modules;
      one.smaller += advised[i] < usual;
      one.larger += advised[i] > usual;
      one.usual += usual;
      const double taken = options.race ? std::min(advised[i], usual) : advised[i];
      one.advised += taken;
      one.log_ratio += std::log(taken / usual);
    }
    return {};
  };
  ORDO_TRY(eachModule(words, modules, options.jobs, [&](std::string_view line) {
    status = take(line);
    stopped = options.progress && !options.progress(fmt::format("measuring {} advisors: {} of {} modules",
                                                                weights.size(), done, modules.size()));
    return status && !stopped;
  }));
  ORDO_TRY(status);
  for (AdvisedTotals& one : totals) one.log_ratio /= std::max<double>(1, static_cast<double>(one.modules));
  return !stopped;
}

}  // namespace ordo::campaigns
