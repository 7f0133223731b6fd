// The small real programs that come with Ordo, each with its tests (docs/formats/program.md).
//
// `suite/` is looked up from the current directory, then beside Ordo's data, then in the checkout that
// the data of a build folder is linked from.
#include <filesystem>
#include <set>
#include <system_error>

#include "datasets/dataset.h"
#include "support/files.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;

// The folders that may hold programs, first come first served.
std::vector<fs::path> folders() {
  std::error_code ignored;
  const fs::path data = dataDir();
  std::vector<fs::path> existing;
  for (const fs::path& folder :
       {fs::path("suite"), data / "suite", fs::weakly_canonical(data, ignored).parent_path() / "suite"}) {
    if (fs::is_directory(folder, ignored)) existing.push_back(folder);
  }
  return existing;
}

Status available() {
  if (!folders().empty()) return {};
  return fail(ErrorCode::kNotFound, "the suite is not installed; run Ordo in a checkout, which has suite/");
}

Result<Program> load(std::string_view rest) {
  const fs::path name = tidy(rest);
  if (rest.empty() || name == ".")
    return fail(ErrorCode::kInvalidArgument, "which program of the suite? ordo list programs suite");
  const std::vector<fs::path> places = folders();
  std::error_code ignored;
  for (const fs::path& folder : places) {
    if (fs::exists(folder / name, ignored)) return loadPath(folder / name);
  }
  // Not there: the name as the user wrote it, with the nearest of those that are.
  const Result<Program> missing = loadPath(fs::path("suite") / name);
  if (missing || places.empty() || places.front() == "suite") return missing;
  Error error = loadPath(places.front() / name).error();
  return fail(std::move(error));
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  if (!rest.empty()) {
    ORDO_TRY(load(rest));
    return select({"suite/" + std::string(rest)}, options);
  }
  std::set<std::string> uris;
  for (const fs::path& folder : folders()) {
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      if (isProgramFolder(at->path())) uris.insert("suite/" + at->path().filename().string());
    }
  }
  return select({uris.begin(), uris.end()}, options);
}

}  // namespace

extern constinit const DatasetInfo suite{.name = "suite",
                                         .pattern = "suite/<name>",
                                         .summary = "small real programs with inputs and expected output",
                                         .available = available,
                                         .load = load,
                                         .list = list};

}  // namespace ordo::datasets
