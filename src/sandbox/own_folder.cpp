#include "sandbox/own_folder.h"

#include <system_error>

#include "support/files.h"

namespace ordo::sandbox {
namespace fs = std::filesystem;

Result<ConfinedRun> runInOwnFolder(ConfinedProgram program, const fs::path& offered) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  std::error_code error;
  if (!offered.empty()) {
    const fs::path from = fs::absolute(offered);
    for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error))
      fs::create_symlink(entry->path(), dir.path() / entry->path().filename(), error);
  }
  if (error) return fail(ErrorCode::kUnavailable, "cannot offer {}: {}", offered.string(), error.message());
  program.dir = dir.path();
  return runConfined(program);
}

}  // namespace ordo::sandbox
