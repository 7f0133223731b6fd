#include "cli/output.h"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <system_error>
#include <vector>

#include "cli/terminal.h"
#include "engine/replay.h"
#include "engine/stock.h"
#include "frontend/clang.h"
#include "support/files.h"
#include "support/process.h"
#include "support/streams.h"
#include "support/text.h"

namespace ordo::cli {
namespace fs = std::filesystem;
namespace {

const std::vector<std::string> kForms{"obj", "bc", "ll", "asm", "exe"};

std::string extension(std::string_view emit) {
  if (emit == "obj") return ".o";
  if (emit == "asm") return ".s";
  return emit == "exe" ? "" : "." + std::string(emit);
}

Status checkFolder(const fs::path& folder, bool create) {
  std::error_code error;
  const fs::path path = folder.empty() ? "." : folder;
  if (create) fs::create_directories(path, error);
  if (!fs::is_directory(path, error)) {
    return fail(ErrorCode::kNotFound, "there is no folder {} to write to", path.string());
  }
  if (::access(path.c_str(), W_OK) != 0) {
    return fail(ErrorCode::kUnavailable, "the folder {} is not writable; choose another with --output",
                path.string());
  }
  return {};
}

Status checkPlace(const std::string& place, bool several) {
  if (place == "-") {
    if (several)
      return fail(ErrorCode::kInvalidArgument,
                  "several results do not fit on standard output; name a folder");
    return {};
  }
  if (several) return checkFolder(place, true);
  std::error_code error;
  if (fs::is_directory(place, error)) return checkFolder(place, false);
  if (fs::exists(place, error) && !fs::is_regular_file(place, error)) return {};  // a device or a pipe
  return checkFolder(fs::path(place).parent_path(), false);
}

std::string placed(const std::string& place, const std::string& file, bool several) {
  std::error_code error;
  // A name that begins like an option is none for those who are told of it.
  if (place.empty()) return file.starts_with('-') ? "./" + file : file;
  if (several || (place != "-" && fs::is_directory(place, error))) return (fs::path(place) / file).string();
  return place;
}

}  // namespace

Status checkOutput(const OutputOptions& options) {
  if (std::find(kForms.begin(), kForms.end(), options.emit) == kForms.end()) {
    return fail(ErrorCode::kInvalidArgument, "{}", unknownName("form for --emit", options.emit, kForms));
  }
  ORDO_TRY(checkPlace(options.out, options.several));
  return checkPlace(options.recipe, options.several);
}

std::string outputPath(const OutputOptions& options, std::string_view name) {
  return placed(options.out, std::string(name) + extension(options.emit), options.several);
}

std::string recipePath(const OutputOptions& options, std::string_view name) {
  const std::string file = std::string(name) + ".ordo.json";
  const fs::path own = fs::path(file).filename();
  if (!options.recipe.empty()) return placed(options.recipe, file, options.several);
  if (options.out.empty() || options.out == "-") return placed("", file, options.several);
  const fs::path out = outputPath(options, name);
  std::error_code error;
  if (fs::exists(out, error) && !fs::is_regular_file(out, error)) return file;  // a device
  return placed("", (out.parent_path() / own).string(), false);
}

Status writeResult(engine::Engine& engine, const engine::Input& input, const frontend::Source& source,
                   std::string_view bitcode, std::string_view object, std::string_view emit,
                   const std::string& path) {
  if (emit == "obj") return writeOutput(path, object);
  if (emit == "bc") return writeOutput(path, bitcode);
  if (emit == "ll") {
    ORDO_TRY_ASSIGN(const std::string text, engine::textualIr(engine, input, bitcode));
    return writeOutput(path, text);
  }
  if (emit == "asm") {
    ORDO_TRY_ASSIGN(const std::string text, frontend::emitAssembly(bitcode, input.baseline.level, source));
    return writeOutput(path, text);
  }
  ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
  const fs::path linked = dir.path() / "program";
  ORDO_TRY(frontend::linkExecutable(object, source, input.program.ldflags, linked));
  ORDO_TRY_ASSIGN(const std::string executable, readFile(linked));
  ORDO_TRY(writeOutput(path, executable));
  std::error_code ignored;
  if (path != "-") fs::permissions(path, fs::status(linked).permissions(), ignored);
  return {};
}

void noteWhatIrLacks(const std::vector<env::Action>& actions, std::string_view emit) {
  if (emit != "bc" && emit != "ll") return;
  const frontend::Source chosen = engine::emissionSource({}, actions);
  if (chosen.flags.empty()) return;
  note(fmt::format("IR does not hold what the code generator is to do: compile it with {}",
                   shellQuote(chosen.flags)));
}

Status writeOutput(const std::string& path, std::string_view content) {
  if (path != "-") return writeFile(path, content);
  std::fwrite(content.data(), 1, content.size(), stdout);
  if (const std::string problem = outputProblem(true); !problem.empty())
    return fail(ErrorCode::kUnavailable, "cannot write to standard output: {}", problem);
  return {};
}

}  // namespace ordo::cli
