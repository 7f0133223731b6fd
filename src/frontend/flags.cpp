// checkFlags() cuts the flags into arguments (options.h), and Checker::take() decides about one: refuse()
// comes first, then what is left out, and the rest is kept, for linking only if a table says so. Flags that
// no table knows are kept. Tables have one spelling of each flag: spelled() makes it of the others, without
// values that are words of their own. The flag behind -Xarch_host is judged by a Checker of its own, and kept
// together with it or not at all.
#include "frontend/flags.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <utility>

#include "frontend/options.h"

namespace ordo::frontend {
namespace {

// Ordo says what is made and where, so these mean nothing here.
constexpr std::string_view kDecidedHere[] = {"-c", "-S", "-emit-llvm", "-o"};

// The linker's, whole or as the beginning of a flag.
constexpr std::string_view kLinks[] = {
    "-z",     "-T", "-u", "-e", "-s", "-rdynamic", "-shared", "-nostdlib", "-nostartfiles", "-nodefaultlibs",
    "-nolibc"};
constexpr std::string_view kLinkPrefixes[] = {"-l", "-L", "-Wl,", "-Xlinker", "-fuse-ld=", "-static-lib"};

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

// An argument as it is mostly written, without values that are words of their own: "-O2" for "--optimize=2".
std::string spelled(const Argument& argument, const std::string& word) {
  if (argument.option == nullptr) return word;
  const std::string name(argument.option->canonical);
  return argument.words == 1 ? fmt::format("{}{}", name, fmt::join(argument.values, ",")) : name;
}

// What --baseline takes for a level, as clang reads it.
std::string baselineOf(std::string_view flag) {
  const std::string_view level = flag.substr(2);
  if (level.empty() || level == "g") return "clang-O1";
  if (level == "fast") return "clang-O3";
  const bool number = level.find_first_not_of("0123456789") == std::string_view::npos;
  if (number && (level.size() > 1 || level[0] > '3')) return "clang-O3";
  return fmt::format("clang-O{}", level);
}

// What becomes of one argument, which is `words`.
class Checker {
 public:
  explicit Checker(std::string_view language) : language_(language) {}

  Status take(const Argument& argument, std::span<const std::string> words) {
    const std::string& word = words.front();
    if (argument.option != nullptr && !argument.complete)
      return fail(kBad, "the flag '{}' needs a value after it", word);
    if (argument.isInput() || argument.is("--")) {
      return fail(kBad, "'{}' among clang's flags is another input; give one file, and only flags after '--'",
                  word);
    }
    if (argument.is("-Xarch_host")) return takeHosts(argument, words);
    const std::string flag = spelled(argument, word);
    ORDO_TRY(refuse(argument, flag, word));
    if (argument.is("-x") || contains(kDecidedHere, flag) || argument.is("-o")) return {};
    if (writesMoreFiles(argument)) {
      result_.notes.push_back(fmt::format("left out '{}': it would write more files than the object", word));
      return {};
    }
    if (flag.starts_with("-O") && !flag.starts_with("-Obj")) {
      result_.notes.push_back(fmt::format(
          "left out '{}': the baseline sets the level, --baseline {} this one", word, baselineOf(flag)));
      if (flag == "-Ofast") result_.notes.back() += "; add '-ffast-math' to keep that part of -Ofast";
      return {};
    }
    const bool links =
        contains(kLinks, flag) || startsWithOne(flag, kLinkPrefixes) || isLinkersWithValue(argument);
    std::vector<std::string>& list = links ? result_.link : result_.kept;
    list.insert(list.end(), words.begin(), words.end());
    return {};
  }

  Flags take() && { return std::move(result_); }

 private:
  static constexpr ErrorCode kBad = ErrorCode::kInvalidArgument;

  // Linker options of which the value may be in the same word: -T, -u.
  static bool isLinkersWithValue(const Argument& argument) {
    return argument.option != nullptr && contains(kLinks, argument.option->canonical);
  }

  // "-Xarch_host FLAG" is FLAG, for the code of this machine.
  Status takeHosts(const Argument& argument, std::span<const std::string> words) {
    Checker inner(language_);
    ORDO_TRY(inner.take(readArgument(argument.values), argument.values));
    result_.notes.insert(result_.notes.end(), inner.result_.notes.begin(), inner.result_.notes.end());
    if (!inner.result_.kept.empty()) result_.kept.insert(result_.kept.end(), words.begin(), words.end());
    if (!inner.result_.link.empty()) result_.link.insert(result_.link.end(), words.begin(), words.end());
    return {};
  }

  // Whether it may be there at all.
  Status refuse(const Argument& argument, const std::string& flag, const std::string& word) const {
    if (argument.is("-x") && argument.values[0] != language_) {
      return fail(kBad,
                  "'-x {}' does not fit: by its name the input is '{}'; leave -x out or rename the file",
                  argument.values[0], language_);
    }
    if (contains(kNoObject, flag)) return fail(kBad, "'{}' makes no object; leave it out", word);
    if (flag == "-flto" || flag.starts_with("-flto=") || flag.starts_with("-fembed-")) {
      return fail(kBad, "'{}' puts bitcode where an object is tuned; leave it out", word);
    }
    if (needsPass(flag)) {
      return fail(ErrorCode::kUnsupported,
                  "'{}' relies on an optimisation pass that a search may leave out; tune without it", word);
    }
    if (flag == "-fno-integrated-as") {
      return fail(ErrorCode::kUnsupported,
                  "'{}' asks for another assembler, which Ordo does not run; leave it out", word);
    }
    return {};
  }

  std::string_view language_;
  Flags result_;
};

}  // namespace

Result<Flags> checkFlags(const std::vector<std::string>& flags, std::string_view language) {
  Checker checker(language);
  for (std::span<const std::string> rest = flags; !rest.empty();) {
    const Argument argument = readArgument(rest);
    ORDO_TRY(checker.take(argument, rest.first(argument.words)));
    rest = rest.subspan(argument.words);
  }
  return std::move(checker).take();
}

}  // namespace ordo::frontend
