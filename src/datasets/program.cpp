// loadPath() goes on to loadFolder() or loadFile(). A file is what its extension says (kExtensions), unless
// its first bytes are those of bitcode, which count more; kLooks knows by them what people name by mistake,
// and what to tell them. loadFolder() has program.toml parsed (program_toml.cpp), and then looks whether all
// files that it names are there and whether the inputs of timed runs are small enough to be made.
#include "datasets/program.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <system_error>

#include "support/files.h"
#include "support/text.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kDescription = "program.toml";
constexpr std::uintmax_t kMostInputBytes = std::uintmax_t{256} << 20;  // of a timed run

struct Extension {
  std::string_view extension;
  ProgramKind kind;
  std::string_view language;
};

constexpr std::array<Extension, 10> kExtensions{{
    {".c", ProgramKind::kSource, "c"},
    {".cc", ProgramKind::kSource, "c++"},
    {".cpp", ProgramKind::kSource, "c++"},
    {".cxx", ProgramKind::kSource, "c++"},
    {".C", ProgramKind::kSource, "c++"},
    {".i", ProgramKind::kSource, "cpp-output"},
    {".ii", ProgramKind::kSource, "c++-cpp-output"},
    {".ll", ProgramKind::kIrText, "ir"},
    {".bc", ProgramKind::kBitcode, "ir"},
    {".mlir", ProgramKind::kKernel, "mlir"},
}};

// What people name in place of bitcode, by its first bytes.
struct Look {
  std::string_view begin;
  std::string_view what;  // with what to do
};

constexpr std::array<Look, 8> kLooks{{
    {"\177ELF", "an object or a program; name the bitcode or the source that it was made from"},
    {"!<ar", "an archive; take the bitcode out of it with llvm-ar-22 x"},
    {"!<th", "a thin archive; name the files that it lists"},
    {std::string_view("\0asm", 4), "WebAssembly; name the bitcode or the source that it was made from"},
    {"CPCH", "a precompiled header; name a source that uses it"},
    {"\xcf\xfa\xed\xfe", "an object or a program of a Mac; name the source that it was made from"},
    {"\x1f\x8b", "compressed; unpack it first"},
    {"BZh", "compressed; unpack it first"},
}};

// ": it is an archive; …", or "".
std::string looksLike(std::string_view head) {
  for (const Look& look : kLooks) {
    if (head.starts_with(look.begin)) return fmt::format(": it is {}", look.what);
  }
  return "";
}

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

// What is in the folder where `path` should have been, for the suggestion in a message.
std::vector<std::string> neighbours(const fs::path& path) {
  std::vector<std::string> names;
  std::error_code error;
  const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
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

std::uintmax_t inputBytes(const fs::path& dir, const TimedRun& run) {
  const auto size = [&](const std::optional<fs::path>& file) -> std::uintmax_t {
    std::error_code error;
    const std::uintmax_t bytes = file ? fs::file_size(dir / *file, error) : 0;
    return error ? 0 : bytes;
  };
  return size(run.before) + run.repeat * size(run.input) + size(run.after);
}

Result<Program> loadFolder(const fs::path& dir) {
  const fs::path description = dir / kDescription;
  std::error_code ignored;
  if (!fs::exists(description, ignored)) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is a folder without {}; name a file, or a folder with {} (docs/formats/program.md)",
                dir.string(), kDescription, kDescription);
  }
  ORDO_TRY_ASSIGN(const std::string text, readFile(description));
  ORDO_TRY_ASSIGN(Program program, parseProgramToml(text, description));
  std::vector<fs::path> files = program.more_sources;
  files.push_back(program.source);
  for (const ProgramTest& test : program.tests) {
    files.push_back(test.expected);
    if (test.input) files.push_back(*test.input);
  }
  for (const TimedRun& run : program.runs) {
    for (const auto& file : {run.before, run.input, run.after})
      if (file) files.push_back(*file);
  }
  for (const fs::path& file : files) {
    if (fs::is_regular_file(dir / file, ignored)) continue;
    return fail(ErrorCode::kNotFound,
                "{} names {}, which is not a file in its folder; add it or correct the name",
                description.string(), file.string());
  }
  for (const TimedRun& run : program.runs) {
    const std::uintmax_t bytes = inputBytes(dir, run);
    if (bytes <= kMostInputBytes) continue;
    return fail(ErrorCode::kCorrupt,
                "{}: run '{}' has {} bytes of input; at most {} are made: lower 'repeat'",
                description.string(), run.name, bytes, kMostInputBytes);
  }
  return program;
}

Result<Program> loadFile(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) {
    return fail(ErrorCode::kInvalidArgument, "{} is neither a file nor a folder; copy it to a file first",
                path.string());
  }
  ORDO_TRY_ASSIGN(const std::string start, head(path));
  if (start.empty())
    return fail(ErrorCode::kInvalidArgument, "{} is empty; there is nothing to tune", path.string());
  Program program;
  program.name = path.stem().string();
  program.source = path;
  const std::string extension = path.extension().string();
  for (const Extension& known : kExtensions) {
    if (known.extension != extension) continue;
    program.kind = known.kind;
    program.language = known.language;
  }
  const std::string looks = looksLike(start);
  if (startsLikeBitcode(start)) {
    program.kind = ProgramKind::kBitcode;
    program.language = "ir";
  } else if (program.kind == ProgramKind::kBitcode) {
    return fail(ErrorCode::kCorrupt, "{} is not bitcode{}", path.string(),
                looks.empty() ? ": it does not start with 'BC'; make it with clang-22 -emit-llvm -c" : looks);
  } else if (program.language.empty()) {
    return fail(ErrorCode::kInvalidArgument,
                "{} is of no kind that Ordo can tune{}; it takes C and C++ (.c .cc .cpp .cxx .C .i .ii), "
                "LLVM IR (.ll), bitcode (.bc), kernels of MLIR (.mlir) and folders with {}",
                path.string(), looks, kDescription);
  }
  if (program.kind == ProgramKind::kIrText && !looks.empty())
    return fail(ErrorCode::kCorrupt, "{} is not LLVM IR{}", path.string(), looks);
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
    case ProgramKind::kKernel:
      return "kernel";
  }
  return "unknown";
}

fs::path tidy(std::string_view path) {
  fs::path tidied = fs::path(path).lexically_normal();
  if (!tidied.has_filename() && tidied.has_relative_path()) tidied = tidied.parent_path();
  return tidied;
}

bool hasProgramExtension(const fs::path& path) {
  const std::string extension = path.extension().string();
  return std::any_of(kExtensions.begin(), kExtensions.end(),
                     [&](const Extension& known) { return known.extension == extension; });
}

bool isProgramFolder(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path / kDescription, ignored);
}

Result<Program> loadPath(const fs::path& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return notFound(path);
  if (fs::is_directory(path, ignored)) return loadFolder(path);
  if (path.filename() == kDescription) return loadFolder(path.parent_path());
  return loadFile(path);
}

}  // namespace ordo::datasets
