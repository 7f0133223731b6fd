// One file of the user's, or one folder with program.toml. A path without a scheme is of this dataset.
#include "datasets/dataset.h"

namespace ordo::datasets {
namespace {

Result<Program> load(std::string_view rest) {
  if (rest.empty())
    return fail(ErrorCode::kInvalidArgument, "the name of a program is empty; name a file or a folder");
  return loadPath(tidy(rest));
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  if (rest.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "which files are meant? dir:FOLDER lists what is under a folder");
  }
  ORDO_TRY(load(rest));
  return select({"file:" + std::string(rest)}, options);
}

}  // namespace

extern constinit const DatasetInfo file{.name = "file",
                                        .pattern = "file:<path>",
                                        .summary = "a C, C++, LLVM IR or bitcode file; or just its path",
                                        .available = []() -> Status { return {}; },
                                        .load = load,
                                        .list = list};

}  // namespace ordo::datasets
