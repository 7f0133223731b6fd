// Every program under a folder of the user's: C, C++, LLVM IR and bitcode by extension, and folders
// with program.toml, each of which is one program. Hidden files and folders are left out, and links to
// folders are not followed: a build tree often links to itself.
#include <algorithm>
#include <filesystem>
#include <system_error>

#include "datasets/dataset.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;

Status available() { return {}; }

bool isHidden(const fs::path& path) { return path.filename().string().starts_with('.'); }

Result<Program> load(std::string_view rest) {
  if (rest.empty()) return fail(ErrorCode::kInvalidArgument, "which folder is meant? write dir:FOLDER/FILE");
  const fs::path path = tidy(rest);
  std::error_code ignored;
  if (fs::is_directory(path, ignored) && !isProgramFolder(path)) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is a folder of programs, not one; 'ordo list programs dir:{}' shows their names", rest,
                rest);
  }
  return loadPath(path);
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  if (rest.empty())
    return fail(ErrorCode::kInvalidArgument, "which folder is meant? write: ordo list programs dir:FOLDER");
  const fs::path root = tidy(rest);
  std::error_code error;
  if (isProgramFolder(root) || fs::is_regular_file(root, error)) {
    ORDO_TRY(load(rest));
    return select({"dir:" + root.string()}, options);
  }
  std::vector<std::string> uris;
  fs::recursive_directory_iterator at(root, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) {
      const bool program = !isHidden(at->path()) && isProgramFolder(at->path());
      if (program || isHidden(at->path())) at.disable_recursion_pending();
      if (program) uris.push_back("dir:" + at->path().string());
    } else if (at->is_regular_file(ignored) && !isHidden(at->path()) && hasProgramExtension(at->path())) {
      uris.push_back("dir:" + at->path().string());
    }
  }
  if (error) {
    return fail(
        error == std::errc::no_such_file_or_directory ? ErrorCode::kNotFound : ErrorCode::kUnavailable,
        "cannot list {}: {}; name a folder that can be read", root.string(), error.message());
  }
  std::sort(uris.begin(), uris.end());
  return select(std::move(uris), options);
}

}  // namespace

extern constinit const DatasetInfo dir{.name = "dir",
                                       .pattern = "dir:<folder>",
                                       .summary = "the programs under a folder, at any depth",
                                       .available = available,
                                       .load = load,
                                       .list = list};

}  // namespace ordo::datasets
