#include "projects/free_search.h"

#include <algorithm>

#include "env/metric.h"
#include "support/clock.h"

namespace ordo::projects {
namespace fs = std::filesystem;
namespace {

double bytesOf(const Binaries& binaries, const std::string& metric) {
  double bytes = 0;
  for (const auto& [path, object] : binaries)
    bytes += static_cast<double>(metric == env::kCodeBytes ? object.code : object.text);
  return bytes;
}

// Of two that are the same by the metric, the one with less text.
std::pair<double, double> weight(const FreeTrial& trial) {
  return {trial.bytes, bytesOf(trial.binaries, env::kTextBytes)};
}

std::string firstLineOfTrouble(const Error& error) {
  // The command, how it ended, and then what it said.
  const std::string_view said = error.message;
  const std::size_t begin = said.find("error: ");
  const std::string_view line = begin == std::string_view::npos ? said : said.substr(begin);
  return std::string(line.substr(0, line.find('\n')));
}

// Files that the first build links, by name: of another, what is missing.
std::string missing(const Binaries& wanted, const Binaries& found) {
  for (const auto& [path, object] : wanted) {
    if (!found.contains(path)) return fmt::format("{} is not linked", path.filename().string());
  }
  return "";
}

}  // namespace

Result<FreeResult> tryFreeFlags(Build& build, const FreeSearchOptions& options) {
  const SteadyClock clock;
  const double start_s = clock.seconds();
  const Stamps before = stampsIn(fs::current_path());
  FreeResult result;
  bool stopped = false;
  const auto attempt = [&](builds::FreeChoices choices) -> Status {
    FreeTrial trial{std::move(choices), {}};
    const Status built = build.plain(trial.choices);
    stopped = !built && built.error().code == ErrorCode::kDeadlineExceeded;
    if (stopped && !result.trials.empty()) return {};
    if (!built && (result.trials.empty() || built.error().code != ErrorCode::kInvalidArgument))
      return fail(Error(built.error()));
    if (built) {
      trial.binaries = linkedIn(fs::current_path(), before);
      trial.bytes = bytesOf(trial.binaries, options.metric);
      if (!result.trials.empty()) trial.trouble = missing(result.trials.front().binaries, trial.binaries);
    } else {
      trial.trouble = firstLineOfTrouble(built.error());
    }
    result.trials.push_back(std::move(trial));
    if (options.on_trial) options.on_trial(result.trials.back());
    return {};
  };
  ORDO_TRY(attempt({}));
  if (result.trials.front().binaries.empty())
    return fail(ErrorCode::kNotFound, "the build links no program and no shared library in {}",
                fs::current_path().string());
  for (const builds::FreeFlag& flag : builds::freeFlags()) {
    const builds::FreeChoices base = result.trials[result.best].choices;
    if (!options.lto && flag.name == "lto") continue;
    if (flag.ofOneModule() && !builds::makesOneModule(base)) continue;
    std::vector<std::string_view> values = flag.values;
    if (!options.for_search) values.insert(values.end(), flag.more_values.begin(), flag.more_values.end());
    for (const std::string_view value : values) {
      if (clock.seconds() - start_s > options.seconds) return result;
      builds::FreeChoices choices = base;
      choices.push_back({std::string(flag.name), std::string(value)});
      ORDO_TRY(attempt(std::move(choices)));
      if (stopped) return result;
      const FreeTrial& latest = result.trials.back();
      if (latest.trouble.empty() && weight(latest) < weight(result.trials[result.best]))
        result.best = result.trials.size() - 1;
    }
  }
  return result;
}

}  // namespace ordo::projects
