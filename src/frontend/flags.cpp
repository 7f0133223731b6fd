#include "frontend/flags.h"

#include <algorithm>
#include <span>

namespace ordo::frontend {
namespace {

// Options whose value may be the next word. Without this list a value would look like an input.
// clang-format off
constexpr std::string_view kTakesValue[] = {
    "-D", "-I", "-L", "-U", "-F", "-T", "-u", "-z", "-e", "-l", "-o", "-x", "-B", "-A", "-MF", "-MJ", "-MQ",
    "-MT", "-Xassembler", "-Xclang", "-Xlinker", "-Xpreprocessor", "-Xanalyzer", "-mllvm", "-arch", "-target",
    "-isystem", "-iquote", "-idirafter", "-iprefix", "-iwithprefix", "-iwithprefixbefore", "-isysroot",
    "-include", "-imacros", "-include-pch", "--param", "--sysroot", "-resource-dir", "-working-directory"};
// clang-format on

// Ordo says what is made and where, so these mean nothing here.
constexpr std::string_view kDecidedHere[] = {"-c", "-S", "-emit-llvm", "-o"};

// The linker's, whole or as the beginning of a flag.
constexpr std::string_view kLinks[] = {
    "-z",     "-T", "-u", "-e", "-s", "-rdynamic", "-shared", "-nostdlib", "-nostartfiles", "-nodefaultlibs",
    "-nolibc"};
constexpr std::string_view kLinkPrefixes[] = {"-l", "-L", "-Wl,", "-Xlinker", "-fuse-ld=", "-static-lib"};

// These write files beside the output, which is not where the user expects it.
constexpr std::string_view kWritesFiles[] = {
    "-MD", "-MMD", "-MF", "-MT", "-MQ", "-MP", "-MG", "-MJ", "-save-temps", "-ftime-trace", "-gsplit-dwarf"};

// These make clang stop before there is an object, or print instead of compiling.
constexpr std::string_view kNoObject[] = {"-E",        "-M",   "-MM",       "-fsyntax-only",
                                          "--analyze", "-###", "-emit-ast", "--version"};

// Optimisation passes put these in; the captured pipeline has them, another sequence may not.
constexpr std::string_view kInstruments[] = {
    "-fprofile-",         "-fcs-profile-",          "-fauto-profile",
    "-fcoverage-mapping", "-finstrument-functions", "-fsanitize-coverage",
    "-fmemory-profile",   "-fxray-instrument"};

// The sanitizers that the front end alone puts in.
// clang-format off
constexpr std::string_view kFrontEndSanitizers[] = {
    "undefined", "alignment", "bool", "bounds", "array-bounds", "enum", "float-cast-overflow",
    "float-divide-by-zero", "function", "integer", "integer-divide-by-zero", "null", "pointer-overflow",
    "return", "shift", "signed-integer-overflow", "unreachable", "unsigned-integer-overflow", "vla-bound",
    "vptr"};
// clang-format on

bool startsWithOne(std::string_view flag, std::span<const std::string_view> prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return flag.starts_with(prefix); });
}

bool contains(std::span<const std::string_view> words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "-save-temps=obj" is spelled "-save-temps".
std::string_view spelling(std::string_view flag) { return flag.substr(0, flag.find('=')); }

bool needsPass(std::string_view flag) {
  constexpr std::string_view kSanitize = "-fsanitize=";
  if (flag == "-pg") return true;
  if (startsWithOne(flag, kInstruments)) return true;
  if (!flag.starts_with(kSanitize)) return false;
  for (std::string_view list = flag.substr(kSanitize.size()); !list.empty();) {
    const std::size_t comma = std::min(list.find(','), list.size());
    if (!contains(kFrontEndSanitizers, list.substr(0, comma))) return true;
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  return false;
}

}  // namespace

Result<Flags> checkFlags(const std::vector<std::string>& flags, std::string_view language) {
  constexpr ErrorCode kBad = ErrorCode::kInvalidArgument;
  Flags result;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    const std::string& flag = flags[i];
    const bool separate = contains(kTakesValue, flag);
    if (separate && i + 1 == flags.size()) return fail(kBad, "the flag '{}' needs a value after it", flag);
    const std::string value = separate ? flags[++i] : "";

    if (!flag.starts_with('-') || flag == "-" || flag == "--") {
      return fail(kBad, "'{}' among clang's flags is another input; give one file, and only flags after '--'",
                  flag);
    }
    if (flag.starts_with("-x")) {
      const std::string given = separate ? value : flag.substr(2);
      if (given == language) continue;
      return fail(kBad,
                  "'-x {}' does not fit: by its name the input is '{}'; leave -x out or rename the file",
                  given, language);
    }
    if (contains(kNoObject, flag)) return fail(kBad, "'{}' makes no object; leave it out", flag);
    if (flag == "-flto" || flag.starts_with("-flto=") || flag.starts_with("-fembed-")) {
      return fail(kBad, "'{}' puts bitcode where an object is tuned; leave it out", flag);
    }
    if (needsPass(flag)) {
      return fail(ErrorCode::kUnsupported,
                  "'{}' relies on an optimisation pass that a search may leave out; tune without it", flag);
    }
    if (flag == "-fno-integrated-as" || flag == "-no-integrated-as") {
      return fail(ErrorCode::kUnsupported,
                  "'{}' asks for another assembler, which Ordo does not run; leave it out", flag);
    }
    if (contains(kDecidedHere, flag)) continue;
    if (contains(kWritesFiles, spelling(flag))) {
      result.notes.push_back(fmt::format("left out '{}': it would write more files than the object", flag));
      continue;
    }
    if (flag.starts_with("-O")) {
      result.notes.push_back(fmt::format("left out '{}': the baseline sets the level", flag));
      if (flag == "-Ofast") result.notes.back() += "; add '-ffast-math' to keep that part of -Ofast";
      continue;
    }
    const bool links = contains(kLinks, flag) || startsWithOne(flag, kLinkPrefixes);
    std::vector<std::string>& list = links ? result.link : result.kept;
    list.push_back(flag);
    if (separate) list.push_back(value);
  }
  return result;
}

}  // namespace ordo::frontend
