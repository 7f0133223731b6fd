#include "sandbox/own_folder.h"

#include <system_error>

#include "support/files.h"
#include "support/stop_scope.h"

namespace ordo::sandbox {
namespace fs = std::filesystem;

namespace {

Result<ConfinedRun> runOnce(ConfinedProgram program, const fs::path& offered,
                            const std::optional<Wanted>& wanted) {
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  std::error_code error;
  if (!offered.empty()) {
    const fs::path from = fs::absolute(offered);
    for (fs::directory_iterator entry(from, error), end; !error && entry != end; entry.increment(error))
      fs::create_symlink(entry->path(), dir.path() / entry->path().filename(), error);
  }
  if (error) return fail(ErrorCode::kUnavailable, "cannot offer {}: {}", offered.string(), error.message());
  program.dir = dir.path();
  Result<ConfinedRun> run = runConfined(program);
  if (!run || !wanted) return run;
  fs::remove(wanted->copy, error);
  // No link: it could lead anywhere.
  const fs::path written = dir.path() / wanted->name;
  if (fs::symlink_status(written, error).type() != fs::file_type::regular) return run;
  if (!fs::copy_file(written, wanted->copy, error))
    return fail(ErrorCode::kUnavailable, "cannot write {}: {}", wanted->copy.string(), error.message());
  return run;
}

}  // namespace

Result<ConfinedRun> runInOwnFolder(const ConfinedProgram& program, const fs::path& offered,
                                   const std::optional<Wanted>& wanted) {
  constexpr int kTries = 3;
  for (int tries = 1;; ++tries) {
    Result<ConfinedRun> run = runOnce(program, offered, wanted);
    const bool again = run && run->disturbed() && tries < kTries && !StopScope::stops(program.stop);
    if (!again) return run;
  }
}

}  // namespace ordo::sandbox
