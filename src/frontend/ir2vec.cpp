#include "frontend/ir2vec.h"

#include "frontend/tool.h"

namespace ordo::frontend {

Result<std::string> ir2vecEntities() {
  ORDO_TRY_ASSIGN(ProcessResult run, runTool({{"llvm-ir2vec-22", "entities"}, {}, {}, "the entities"}));
  return std::move(run.out);
}

Result<std::string> ir2vecTriplets(std::string_view bitcode, std::string_view name) {
  ORDO_TRY_ASSIGN(
      ProcessResult run,
      runTool({{"llvm-ir2vec-22", "triplets", "-"}, std::string(bitcode), {}, std::string(name)}));
  return std::move(run.out);
}

}  // namespace ordo::frontend
