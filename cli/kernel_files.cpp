#include "cli/kernel_files.h"

#include "engine/kernel.h"
#include "frontend/tool.h"
#include "support/files.h"

namespace ordo::cli {

Result<std::vector<std::string>> writeKernel(env::Session& session, const std::filesystem::path& folder,
                                             const std::string& name, std::string_view emit) {
  std::error_code problem;
  if (!folder.empty()) std::filesystem::create_directories(folder, problem);
  if (problem) return fail(ErrorCode::kUnavailable, "cannot make {}: {}", folder.string(), problem.message());
  std::vector<std::string> paths;
  for (const auto& [end, observation] :
       {std::pair(".schedule.mlir", "schedule"), std::pair(".o", "object"), std::pair(".h", "header")}) {
    ORDO_TRY_ASSIGN(const std::string content, engine::observedText(session, observation));
    paths.push_back((folder / (name + end)).string());
    ORDO_TRY(writeFile(paths.back(), content));
  }
  if (emit == "so") {
    const std::string object = (folder / (name + ".o")).string();
    paths.push_back((folder / (name + ".so")).string());
    ORDO_TRY(frontend::runTool({{"clang-22", "-shared", "-o", paths.back(), object, "-lm"}, "", "", name}));
  }
  return paths;
}

}  // namespace ordo::cli
