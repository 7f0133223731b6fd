#include "frontend/alive.h"

#include <cstdlib>

#include "support/files.h"
#include "support/process.h"

namespace ordo::frontend {
namespace {

// The number before `what` in alive-tv's summary; 0 if it says nothing of the kind.
std::int64_t countOf(std::string_view out, std::string_view what) {
  const std::size_t at = out.rfind(what);
  if (at == std::string_view::npos) return 0;
  const std::size_t line = out.rfind('\n', at);
  return std::atoll(std::string(out.substr(line == std::string_view::npos ? 0 : line + 1)).c_str());
}

}  // namespace

Result<std::optional<AliveReport>> askAlive(std::string_view original, std::string_view optimized,
                                            double seconds) {
  const std::optional<std::string> alive = findProgram({"alive-tv"});
  if (!alive) return std::nullopt;
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  ORDO_TRY(writeFile(dir.path() / "original.bc", original));
  ORDO_TRY(writeFile(dir.path() / "optimized.bc", optimized));
  ProcessOptions options;
  options.timeout_s = seconds;
  // Inputs that are undefined say nothing to us either.
  ORDO_TRY_ASSIGN(const ProcessResult result,
                  runProcess({*alive, "--disable-undef-input", "--disable-poison-input",
                              (dir.path() / "original.bc").string(), (dir.path() / "optimized.bc").string()},
                             options));
  if (result.timed_out) return fail(ErrorCode::kDeadlineExceeded, "alive-tv {}", result.ending());
  AliveReport report;
  report.correct = countOf(result.out, " correct transformations");
  report.incorrect = countOf(result.out, " incorrect transformations");
  report.unknown =
      countOf(result.out, " failed-to-prove transformations") + countOf(result.out, " Alive2 errors");
  if (report.correct + report.incorrect + report.unknown == 0)
    return fail(ErrorCode::kUnavailable, "alive-tv {}: {}", result.ending(), result.err.substr(0, 300));
  if (const std::size_t at = result.out.find("ERROR: "); report.incorrect > 0 && at != std::string::npos)
    report.first = result.out.substr(at + 7, result.out.find('\n', at) - at - 7);
  return report;
}

}  // namespace ordo::frontend
