// Options: as the drop-in compiler's list (builds/understood.h) has them, without those that say where the
// system's own files are or that write files. A path in an option, and each file that clang says it would
// read (frontend/dependencies.h), has to be below a root or be a header of the system. Assembly can name
// files that only an assembler opens (.incbin), and put such words together with macros, of pieces, and of
// names that operands stand for: so it may have no directives, and nothing that could become one. The front
// end assembles blocks of Microsoft's kind itself, and says what is wrong in files that they include: there
// are none.
#include "agent/permissions.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "builds/understood.h"
#include "datasets/dataset.h"
#include "frontend/dependencies.h"
#include "frontend/options.h"
#include "support/files.h"

namespace ordo::agent {
namespace {

namespace fs = std::filesystem;

// Of programs that come with Ordo, are generated, or were harvested by the user.
constexpr std::string_view kSuite = "suite";
constexpr auto kDatasets = std::to_array<std::string_view>({kSuite, "csmith", "llvm-stress", "debian"});

// Headers of the system and of compilers.
constexpr auto kSystem = std::to_array<std::string_view>(
    {"/usr/include", "/usr/local/include", "/usr/lib/gcc", "/usr/lib/llvm-22/lib/clang"});

// Options of builds/understood.h with a path, where it may only be below a root.
constexpr auto kPaths = std::to_array<std::string_view>(
    {"-I", "-include", "-imacros", "-isystem", "-iquote", "-idirafter", "-isystem-after", "-cxx-isystem"});

// Those that are not for clients: they move the system, read and write files, or hand words to other tools.
constexpr auto kRefused = std::to_array<std::string_view>({"-stdlib++-isystem",
                                                           "-iprefix",
                                                           "-iwithprefix",
                                                           "-iwithprefixbefore",
                                                           "-isysroot",
                                                           "-iwithsysroot",
                                                           "--sysroot=",
                                                           "--embed-dir=",
                                                           "-resource-dir=",
                                                           "-resource-dir",
                                                           "--gcc-toolchain=",
                                                           "--gcc-install-dir=",
                                                           "-B",
                                                           "-MD",
                                                           "-MMD",
                                                           "-MF",
                                                           "-MT",
                                                           "-MQ",
                                                           "-MP",
                                                           "-MV",
                                                           "-Wp,",
                                                           "-Wa,",
                                                           "-fdebug-compilation-dir=",
                                                           "-fdebug-prefix-map=",
                                                           "-ffile-compilation-dir=",
                                                           "-ffile-prefix-map=",
                                                           "-fmacro-prefix-map=",
                                                           "-frandom-seed=",
                                                           "--target=",
                                                           "-fasm-blocks",
                                                           "-fms-extensions",
                                                           "-fms-compatibility",
                                                           "-fms-compatibility-version=",
                                                           "-fno-integrated-as"});

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::ranges::find(words, word) != words.end();
}

// `path` is `folder` or below it. Both are canonical.
bool isBelow(const fs::path& path, const fs::path& folder) {
  const auto [end, other] = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
  static_cast<void>(other);
  return end == folder.end();
}

// What it is once links are resolved, as far as it exists.
fs::path resolved(const fs::path& path, const fs::path& dir) {
  std::error_code failed;
  fs::path whole = fs::weakly_canonical(path.is_absolute() ? path : fs::absolute(dir / path, failed), failed);
  return failed ? fs::path() : whole;
}

// Whether "suite/REST" is a program that came with Ordo. A folder "suite" below the current one goes before
// it, and may be anybody's.
bool isOfOwnSuite(std::string_view rest) {
  const fs::path name(rest);
  if (name.is_absolute() || std::ranges::find(name, fs::path("..")) != name.end()) return false;
  std::error_code failed;
  const fs::path here = fs::path(kSuite) / name;
  if (fs::symlink_status(here, failed).type() == fs::file_type::not_found) return true;
  const fs::path data = resolved(dataDir(), {});
  return std::ranges::any_of(std::to_array<fs::path>({data / kSuite, data.parent_path() / kSuite}),
                             [&](const auto& own) { return isBelow(resolved(here, {}), resolved(own, {})); });
}

// What it is made of and what its tests read, as it names them.
std::vector<fs::path> filesOf(const datasets::Program& program) {
  std::vector<fs::path> files = program.more_sources;
  files.push_back(program.source);
  for (const datasets::ProgramTest& test : program.tests) {
    files.push_back(test.expected);
    if (test.input) files.push_back(*test.input);
  }
  for (const datasets::TimedRun& run : program.runs) {
    for (const auto& file : {run.before, run.input, run.after}) {
      if (file) files.push_back(*file);
    }
  }
  return files;
}

std::vector<std::string> strings(const std::vector<fs::path>& paths) { return {paths.begin(), paths.end()}; }

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// What stands in quotes at the beginning of `text`, of IR as LLVM prints it: "\\0A" is a newline.
std::string unquoted(std::string_view text) {
  const std::string_view quoted = text.substr(1, text.find('"', 1) - 1);
  std::string result;
  for (std::size_t i = 0; i < quoted.size(); ++i) {
    int value = 0;
    const char* const digits = quoted.data() + i + 1;
    if (quoted[i] == '\\' && i + 2 < quoted.size() &&
        std::from_chars(digits, digits + 2, value, 16).ptr == digits + 2) {
      result += static_cast<char>(value);
      i += 2;
    } else {
      result += quoted[i];
    }
  }
  return result;
}

// Whether it has a directive, or something that becomes one: a dot that may be followed by letters once
// operands ("$0", "${0:P}") and alternatives ("$(att$|intel$)") are put in. A dot alone is the place itself.
bool hasDirective(std::string_view assembly) {
  constexpr std::string_view kHarmless = " \t\n;,+-)";
  for (std::size_t i = 0; i < assembly.size(); ++i) {
    const char next = i + 1 < assembly.size() ? assembly[i + 1] : '\n';
    if (assembly[i] == '.' && !isDigit(next) && kHarmless.find(next) == std::string_view::npos) return true;
    if (assembly.substr(i).starts_with("${:private}")) return true;  // ".L"
  }
  return false;
}

bool hasOperand(std::string_view assembly) {
  for (std::size_t i = 0; i + 1 < assembly.size(); ++i) {
    if (assembly[i] != '$') continue;
    if (isDigit(assembly[i + 1]) || assembly[i + 1] == '{') return true;
    ++i;
  }
  return false;
}

// Whether a line of IR has a symbol that an operand of assembly could write a directive with. What clang
// calls so itself is harmless, and private ones are ".Lname".
bool namesDirective(std::string_view line) {
  constexpr auto kDots = std::to_array<std::string_view>({"@.", "@\".", "@\"\\01."});
  constexpr auto kClangs = std::to_array<std::string_view>({".compoundliteral", ".omp"});
  const bool function = line.starts_with("define ") || line.starts_with("declare ");
  if (!function && !line.starts_with('@')) return false;
  for (const std::string_view dot : kDots) {
    for (std::size_t at = line.find(dot); at != std::string_view::npos; at = line.find(dot, at + 1)) {
      if (!function && at > 0) break;  // only the name
      const std::string_view name = line.substr(at + dot.size() - 1);
      if (std::ranges::any_of(kClangs, [&](const auto known) { return name.starts_with(known); })) continue;
      const bool quoted = dot[1] == '"';
      const std::size_t end = quoted ? name.find('"') + 1 : name.find(' ');
      constexpr std::string_view kPrivate = " = private ";
      if (function || end > name.size() || !name.substr(end).starts_with(kPrivate)) return true;
    }
  }
  return false;
}

constexpr std::string_view kAllowed =
    "allowed are -D, -U, -I and the like below the roots, -std=, -W, -g, -f and -m options that say what "
    "code is "
    "made";

}  // namespace

Result<Permissions> Permissions::within(const std::vector<fs::path>& roots) {
  Permissions permissions;
  permissions.everything_ = false;
  for (const fs::path& root : roots) {
    std::error_code failed;
    const fs::path canonical = fs::canonical(root, failed);
    if (failed || !fs::is_directory(canonical, failed))
      return fail(ErrorCode::kNotFound, "the root {} is no folder", root.string());
    permissions.roots_.push_back(canonical);
  }
  return permissions;
}

Permissions Permissions::narrowedTo(const std::vector<fs::path>& others) const {
  Permissions narrowed;
  narrowed.everything_ = false;
  for (const fs::path& other : others) {
    std::error_code failed;
    const fs::path canonical = fs::canonical(other, failed);
    if (failed || !fs::is_directory(canonical, failed)) continue;
    if (everything_ || inside(canonical)) {
      narrowed.roots_.push_back(canonical);
      continue;
    }
    std::ranges::copy_if(roots_, std::back_inserter(narrowed.roots_),
                         [&](const fs::path& root) { return isBelow(root, canonical); });
  }
  return narrowed;
}

// Relative ones are looked for in each root, then in the current folder; what is nowhere would be below a
// root.
fs::path Permissions::located(const std::string& file) const {
  std::error_code failed;
  if (!fs::path(file).is_absolute()) {
    for (const fs::path& root : roots_) {
      if (fs::exists(root / file, failed)) return resolved(file, root);
    }
    const fs::path here = resolved(file, {});
    if (!roots_.empty() && !(inside(here) && fs::exists(here, failed))) return resolved(file, roots_.front());
    return here;
  }
  return resolved(file, {});
}

bool Permissions::inside(const fs::path& path) const {
  return !path.empty() && std::ranges::any_of(roots_, [&](const auto& root) { return isBelow(path, root); });
}

Status Permissions::checkFlags(const std::vector<std::string>& flags, const fs::path& dir) const {
  using builds::Meaning;
  std::span<const std::string> rest = flags;
  while (!rest.empty()) {
    const frontend::Argument argument = frontend::readArgument(rest);
    const std::string& word = rest.front();
    const std::optional<Meaning> meaning = builds::meaningOf(argument);
    const bool level = meaning == Meaning::kLevel;  // the baseline's counts
    if (!level && meaning != Meaning::kFrontEnd && meaning != Meaning::kCode)
      return fail(ErrorCode::kInvalidArgument, "the flag '{}' is not allowed here: {}", word, kAllowed);
    const std::string_view name = argument.option->canonical;
    if (isOneOf(name, kRefused))
      return fail(ErrorCode::kInvalidArgument, "the flag '{}' is not allowed here: {}", word, kAllowed);
    if (isOneOf(name, kPaths)) {
      for (const std::string& value : argument.values) {
        // "=dir" is below the system's root, "-include x.h" is looked for in the folders of -I, too.
        const fs::path path = resolved(value, dir);
        if (value.starts_with('=') || !inside(path))
          return fail(ErrorCode::kInvalidArgument, "the flag '{}' leaves the roots of the client", word);
      }
    }
    rest = rest.subspan(argument.words);
  }
  return {};
}

Status Permissions::checkInputs(const datasets::Program& program, const std::vector<std::string>& flags,
                                const fs::path& own) const {
  frontend::Source source{program.source, program.language, flags, program.dir, program.more_sources};
  ORDO_TRY_ASSIGN(const std::vector<fs::path> inputs, frontend::dependencies(source));
  for (const fs::path& input : inputs) {
    const fs::path path = resolved(input, program.dir);
    const bool system =
        std::ranges::any_of(kSystem, [&](const auto& folder) { return isBelow(path, folder); });
    if (!system && !inside(path) && (own.empty() || !isBelow(path, own)))
      return fail(ErrorCode::kInvalidArgument, "{} reads {}, which is outside of the roots of the client",
                  program.name, input.string());
  }
  return {};
}

Result<datasets::Program> Permissions::program(const std::string& file,
                                               const std::vector<std::string>& flags) const {
  if (everything_) return datasets::loadProgram(file);
  ORDO_TRY_ASSIGN(const datasets::Uri uri, datasets::parseUri(file));
  const bool suite = uri.dataset->name == kSuite;
  if (isOneOf(uri.dataset->name, kDatasets) && (!suite || isOfOwnSuite(uri.rest))) {
    ORDO_TRY_ASSIGN(datasets::Program program, datasets::loadProgram(file));
    ORDO_TRY(checkFlags(flags, program.dir));
    // Headers that flags name may include others.
    if (!flags.empty() && program.language != "ir") {
      std::vector<std::string> all = program.cflags;
      all.insert(all.end(), flags.begin(), flags.end());
      ORDO_TRY(checkInputs(program, all, resolved(program.dir, {})));
    }
    return program;
  }
  // A folder of a client's may have the name of the suite.
  const bool is_file = uri.dataset->name == "file" && !file.starts_with("file:");
  if (!suite && !is_file)
    return fail(ErrorCode::kInvalidArgument,
                "'{}' is not allowed here: it has to be a file, or of one of the datasets {}", file,
                fmt::join(kDatasets, ", "));
  const fs::path path = located(file);
  if (!inside(path))
    return fail(ErrorCode::kInvalidArgument, "{} is outside of the roots of the client ({})", file,
                roots_.empty() ? "there are none" : fmt::format("{}", fmt::join(strings(roots_), ", ")));
  std::error_code failed;
  if (!fs::exists(path, failed))
    return fail(ErrorCode::kNotFound, "no such file: {} (below the roots of the client: {})", file,
                fmt::join(strings(roots_), ", "));
  // A message would quote one that leads elsewhere.
  if (!inside(resolved(path / "program.toml", {})))
    return fail(ErrorCode::kInvalidArgument, "{} is outside of the roots of the client",
                (path / "program.toml").string());
  ORDO_TRY_ASSIGN(datasets::Program program, datasets::loadProgram(path.string()));
  // Who links gets at everything: a program.toml may name libraries, and no more.
  for (const std::string& flag : program.ldflags) {
    const bool library = flag.starts_with("-l") && flag.find_first_of("/:") == std::string::npos;
    if (!library && flag != "-pthread")
      return fail(ErrorCode::kInvalidArgument, "'{}' in its ldflags is not allowed here: allowed are -lNAME",
                  flag);
  }
  std::vector<std::string> all = program.cflags;
  all.insert(all.end(), flags.begin(), flags.end());
  ORDO_TRY(checkFlags(all, program.dir));
  for (const fs::path& read : filesOf(program)) {
    if (!inside(resolved(read, program.dir)))
      return fail(ErrorCode::kInvalidArgument, "{} is outside of the roots of the client", read.string());
  }
  if (program.language != "ir") ORDO_TRY(checkInputs(program, all, {}));
  return program;
}

bool Permissions::mayQuote(const datasets::Program& program) const {
  if (everything_ || (program.tests.empty() && program.runs.empty())) return true;
  const Result<datasets::Uri> uri = datasets::parseUri(program.uri);
  return uri && isOneOf(uri->dataset->name, kDatasets) &&
         (uri->dataset->name != kSuite || isOfOwnSuite(uri->rest));
}

Status Permissions::checkAssembly(std::string_view ir) const {
  if (everything_) return {};
  constexpr auto kWords =
      std::to_array<std::string_view>({"sideeffect ", "alignstack ", "inteldialect ", "unwind "});
  constexpr std::string_view kAsm = "asm ";
  bool operands = false, names = false;
  for (std::size_t begin = 0; begin < ir.size();) {
    const std::size_t end = std::min(ir.find('\n', begin), ir.size());
    const std::string_view line = ir.substr(begin, end - begin);
    begin = end + 1;
    names = names || namesDirective(line);
    if (line.starts_with('@') || line.starts_with('!')) continue;  // data
    for (std::size_t at = line.find(kAsm); at != std::string_view::npos; at = line.find(kAsm, at + 1)) {
      std::string_view text = line.substr(at + kAsm.size());
      for (const std::string_view word : kWords) {
        if (text.starts_with(word)) text.remove_prefix(word.size());
      }
      if (!text.starts_with('"')) continue;  // part of a name or of a string
      const std::string assembly = unquoted(text);
      operands = operands || hasOperand(assembly);
      if (hasDirective(assembly))
        return fail(
            ErrorCode::kInvalidArgument,
            "it has assembly with directives, which could read files outside of the roots of the client");
    }
  }
  if (operands && names)
    return fail(ErrorCode::kInvalidArgument,
                "it has assembly with operands, and a symbol whose name begins with a dot: together they can "
                "be a directive, which could read files outside of the roots of the client");
  return {};
}

Result<fs::path> Permissions::folder(const std::string& path) const {
  std::error_code failed;
  const fs::path canonical = fs::canonical(path, failed);
  if (failed || !fs::is_directory(canonical, failed))
    return fail(ErrorCode::kNotFound, "{} is no folder", path);
  if (!everything_ && !inside(canonical))
    return fail(ErrorCode::kInvalidArgument, "{} is outside of the roots of the client", path);
  return canonical;
}

}  // namespace ordo::agent
