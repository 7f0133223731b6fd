#include "datasets/program.h"

#include <unistd.h>

#include <array>
#include <fstream>
#include <system_error>

#include "support/files.h"
#include "support/text.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kDescription = "program.toml";

struct Extension {
  std::string_view extension;
  ProgramKind kind;
  std::string_view language;
};

constexpr std::array<Extension, 9> kExtensions{{
    {".c", ProgramKind::kSource, "c"},
    {".cc", ProgramKind::kSource, "c++"},
    {".cpp", ProgramKind::kSource, "c++"},
    {".cxx", ProgramKind::kSource, "c++"},
    {".C", ProgramKind::kSource, "c++"},
    {".i", ProgramKind::kSource, "cpp-output"},
    {".ii", ProgramKind::kSource, "c++-cpp-output"},
    {".ll", ProgramKind::kIrText, "ir"},
    {".bc", ProgramKind::kBitcode, "ir"},
}};

bool startsLikeBitcode(std::string_view head) {
  return head.starts_with("BC\xC0\xDE") || head.starts_with("\xDE\xC0\x17\x0B");
}

// The first four bytes, fewer if the file is shorter; kUnavailable if it cannot be read.
Result<std::string> head(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return fail(ErrorCode::kUnavailable, "cannot read {}: {}; check its permissions", path.string(),
                std::error_code(errno, std::generic_category()).message());
  }
  std::string bytes(4, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  return bytes;
}

// Where `path` is: seen from the current directory or, for programs of the suite, beside Ordo's data
// or in the checkout that the data of a build folder is linked from. Only those are looked for
// elsewhere, because a misspelt file must not become another one.
std::optional<fs::path> find(const fs::path& path) {
  std::error_code ignored;
  if (fs::exists(path, ignored)) return path;
  if (path.is_absolute() || *path.begin() != "suite") return std::nullopt;
  const fs::path data = dataDir();
  for (const fs::path& root : {data, fs::weakly_canonical(data, ignored).parent_path()}) {
    if (fs::exists(root / path, ignored)) return root / path;
  }
  return std::nullopt;
}

// What is in the folder where `path` should have been, for the suggestion in a message.
std::vector<std::string> neighbours(const fs::path& path) {
  std::vector<std::string> names;
  const auto folder = find(path.has_parent_path() ? path.parent_path() : fs::path("."));
  std::error_code error;
  if (!folder) return names;
  for (fs::directory_iterator at(*folder, error), end; !error && at != end; at.increment(error)) {
    names.push_back(at->path().filename().string());
  }
  return names;
}

tl::unexpected<Error> notFound(const fs::path& path) {
  std::string message = fmt::format("there is no file or folder {}", path.string());
  const std::string guess = nearest(path.filename().string(), neighbours(path));
  if (!guess.empty()) message += fmt::format("; did you mean {}?", (path.parent_path() / guess).string());
  return fail({ErrorCode::kNotFound, message});
}

Result<Program> loadFolder(const fs::path& dir, std::string_view uri) {
  const fs::path description = dir / kDescription;
  std::error_code ignored;
  if (!fs::exists(description, ignored)) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is a folder without {}; name a file, or a folder with {} (docs/formats/program.md)",
                dir.string(), kDescription, kDescription);
  }
  ORDO_TRY_ASSIGN(const std::string text, readFile(description));
  ORDO_TRY_ASSIGN(Program program, parseProgramToml(text, description));
  std::vector<fs::path> files{program.source};
  for (const ProgramTest& test : program.tests) {
    files.push_back(test.expected);
    if (test.input) files.push_back(*test.input);
  }
  for (const fs::path& file : files) {
    if (fs::is_regular_file(dir / file, ignored)) continue;
    return fail(ErrorCode::kNotFound,
                "{} names {}, which is not a file in its folder; add it or correct the name",
                description.string(), file.string());
  }
  program.uri = uri;
  return program;
}

Result<Program> loadFile(const fs::path& path, std::string_view uri) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return fail(ErrorCode::kInvalidArgument, "{} is neither a file nor a folder; copy it to a file first",
                path.string());
  }
  ORDO_TRY_ASSIGN(const std::string start, head(path));
  if (start.empty())
    return fail(ErrorCode::kInvalidArgument, "{} is empty; there is nothing to tune", path.string());
  Program program;
  program.uri = uri;
  program.name = path.stem().string();
  program.source = path;
  const std::string extension = path.extension().string();
  for (const Extension& known : kExtensions) {
    if (known.extension != extension) continue;
    program.kind = known.kind;
    program.language = known.language;
  }
  if (startsLikeBitcode(start)) {
    program.kind = ProgramKind::kBitcode;
    program.language = "ir";
  } else if (program.kind == ProgramKind::kBitcode) {
    return fail(ErrorCode::kCorrupt,
                "{} is not bitcode: it does not start with 'BC'; make it with clang-22 -emit-llvm -c",
                path.string());
  } else if (program.language.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is of no kind that Ordo can tune; it takes C and C++ (.c .cc .cpp .cxx .C .i .ii), "
                "LLVM IR (.ll), bitcode (.bc) and folders with {}",
                path.string(), kDescription);
  }
  return program;
}

}  // namespace

std::string_view name(ProgramKind kind) {
  switch (kind) {
    case ProgramKind::kSource:
      return "source";
    case ProgramKind::kIrText:
      return "ir";
    case ProgramKind::kBitcode:
      return "bitcode";
    case ProgramKind::kSuite:
      return "suite";
  }
  return "unknown";
}

Result<Program> loadProgram(std::string_view path_or_uri) {
  constexpr std::string_view kFile = "file:";
  std::string_view text = path_or_uri;
  if (text.starts_with(kFile)) text.remove_prefix(kFile.size());
  if (text.empty())
    return fail(ErrorCode::kInvalidArgument, "the name of a program is empty; name a file or a folder");
  // Without the slash that a shell completes: suite/sha256/ is suite/sha256.
  fs::path named = fs::path(text).lexically_normal();
  if (!named.has_filename() && named.has_relative_path()) named = named.parent_path();
  const std::optional<fs::path> path = find(named);
  if (!path) return notFound(named);
  std::error_code ignored;
  if (fs::is_directory(*path, ignored)) return loadFolder(*path, path_or_uri);
  if (path->filename() == kDescription) return loadFolder(path->parent_path(), path_or_uri);
  return loadFile(*path, path_or_uri);
}

}  // namespace ordo::datasets
