#include "datasets/generated.h"

#include <charconv>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

#include "support/files.h"
#include "support/process.h"
#include "support/rng.h"

namespace ordo::datasets {
namespace fs = std::filesystem;

Result<std::uint32_t> parseSeed(std::string_view dataset, std::string_view rest) {
  std::uint32_t seed = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), seed);
  const bool whole = error == std::errc() && end == rest.data() + rest.size();
  if (whole && (rest.size() == 1 || rest[0] != '0')) return seed;
  return fail(ErrorCode::kInvalidArgument,
              "{}/{} is no program: {} wants a seed, a whole number from 0 to {} without leading zeros "
              "(for a file of that name write ./{}/{})",
              dataset, rest, dataset, std::numeric_limits<std::uint32_t>::max(), dataset, rest);
}

Split splitOfSeed(std::uint32_t seed) {
  switch (seed % 10) {
    case 9:
      return Split::kTest;
    case 8:
      return Split::kValidation;
    default:
      return Split::kTrain;
  }
}

Result<std::vector<std::string>> listSeeds(std::string_view dataset, std::string_view rest,
                                           const ListOptions& options) {
  constexpr std::uint64_t kSeeds = std::uint64_t{1} << 32;
  const auto wanted = [&](std::uint32_t seed) {
    return options.split == Split::kAll || splitOfSeed(seed) == options.split;
  };
  std::vector<std::string> uris;
  const auto add = [&](std::uint32_t seed) { uris.push_back(fmt::format("{}/{}", dataset, seed)); };
  if (!rest.empty()) {
    ORDO_TRY_ASSIGN(const std::uint32_t only, parseSeed(dataset, rest));
    if (wanted(only)) add(only);
    return select(std::move(uris), options);
  }
  ORDO_CHECK(options.limit.has_value(), "{} has no end, and nobody gave it one", dataset);
  if (!options.seed) {
    for (std::uint64_t seed = 0; seed < kSeeds && uris.size() < *options.limit; ++seed) {
      if (wanted(static_cast<std::uint32_t>(seed))) add(static_cast<std::uint32_t>(seed));
    }
    return uris;
  }
  Rng rng(*options.seed);
  std::set<std::uint32_t> taken;
  // No more than a tenth of what the smallest part has, so that drawing ends.
  const std::size_t limit = std::min<std::size_t>(*options.limit, kSeeds / 100);
  while (uris.size() < limit) {
    const auto seed = static_cast<std::uint32_t>(rng.below(kSeeds));
    if (wanted(seed) && taken.insert(seed).second) add(seed);
  }
  return uris;
}

Result<Program> loadGenerated(std::string_view dataset, std::uint32_t seed, std::string_view version,
                              std::string_view suffix, const std::function<Result<std::string>()>& generate) {
  ORDO_TRY_ASSIGN(const fs::path path, cachedFile(fmt::format("{}-{}", dataset, version),
                                                  fmt::format("{}{}", seed, suffix), generate));
  ORDO_TRY_ASSIGN(Program program, loadPath(path));
  program.name = fmt::format("{}-{}", dataset, seed);
  program.split = splitOfSeed(seed);
  return program;
}

Result<std::string> outputOnce(const std::vector<std::string>& argv) {
  static std::mutex mutex;
  static std::map<std::vector<std::string>, std::string> known;
  const std::lock_guard lock(mutex);
  if (const auto found = known.find(argv); found != known.end()) return found->second;
  // Some write into their working directory, whatever they are asked (csmith: platform.info).
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  ProcessOptions options;
  options.dir = temp.path();
  ORDO_TRY_ASSIGN(ProcessResult run, runProcess(argv, options));
  if (!run.ok()) {
    return fail(ErrorCode::kUnavailable, "{} {}: {}; install its package again", shellQuote(argv),
                run.ending(), run.err);
  }
  return known[argv] = std::move(run.out);
}

Result<fs::path> cachedFile(std::string_view folder, std::string_view name,
                            const std::function<Result<std::string>()>& make) {
  const fs::path dir = cacheDir() / "programs" / folder;
  fs::path path = dir / name;
  std::error_code error;
  if (fs::is_regular_file(path, error)) return path;
  ORDO_TRY_ASSIGN(const std::string content, make());
  error = makePrivateFolders(dir);
  if (error) {
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}; set ORDO_CACHE to a folder that can be written",
                dir.string(), error.message());
  }
  ORDO_TRY(writeFile(path, content));
  return path;
}

}  // namespace ordo::datasets
