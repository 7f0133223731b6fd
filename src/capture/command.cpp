// parseCommand() puts each word where the first rule that fits says: the order of the rules is part of them.
// Flags that no table knows are kept, as part of the meaning. Only after the last word is it decided whether
// there is anything to capture. completeDependencies() then writes out the names that a compiler would take
// from the object's, because what it is told to make instead is bitcode under another name.
#include "capture/command.h"

#include <algorithm>
#include <array>

namespace ordo::capture {
namespace fs = std::filesystem;
namespace {

using Words = std::vector<std::string>;

template <std::size_t N>
bool isOneOf(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

template <std::size_t N>
bool startsWithOneOf(std::string_view word, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

// Flags whose value is the next word, if it is not attached.
constexpr std::array<std::string_view, 23> kTakesValue{
    "-o",      "-I",        "-D",           "-U",          "-include", "-imacros", "-isystem", "-idirafter",
    "-iquote", "-isysroot", "-iwithprefix", "-L",          "-l",       "-x",       "-MF",      "-MT",
    "-MQ",     "-Xclang",   "-Xlinker",     "-Xassembler", "-target",  "--param",  "-mllvm"};
constexpr std::array<std::string_view, 4> kLinkValue{"-u", "-z", "-T", "-e"};

// The command makes no object of a file of C or C++.
constexpr std::array<std::string_view, 8> kMakesNone{"-E",   "-S", "-M",       "-MM", "-fsyntax-only",
                                                     "-###", "-v", "--version"};
constexpr std::array<std::string_view, 3> kMakesNonePrefix{"-print-", "--print-", "-dump"};

// Left out of what bitcode is made with: the level, debug information, what depends on the host, what
// adds code of its own, and everything about messages and linking.
constexpr std::array<std::string_view, 34> kDropped{"-O",
                                                    "-g",
                                                    "-W",
                                                    "-w",
                                                    "-pedantic",
                                                    "-pipe",
                                                    "-save-temps",
                                                    "-flto",
                                                    "-ffat-lto",
                                                    "-fno-lto",
                                                    "-fuse-linker-plugin",
                                                    "-fprofile",
                                                    "-ftest-coverage",
                                                    "--coverage",
                                                    "-coverage",
                                                    "-fsanitize",
                                                    "-fno-sanitize",
                                                    "-fuse-ld",
                                                    "-fdiagnostics",
                                                    "-fno-diagnostics",
                                                    "-fcolor-diagnostics",
                                                    "-fno-color-diagnostics",
                                                    "-ffile-prefix-map",
                                                    "-fmacro-prefix-map",
                                                    "-fdebug-prefix-map",
                                                    "-frandom-seed",
                                                    "-static-lib",
                                                    "-march=native",
                                                    "-mtune=",
                                                    "-mcpu=native",
                                                    "-L",
                                                    "-l",
                                                    "-rdynamic",
                                                    "-shared"};

constexpr std::array<std::string_view, 10> kCodegen{
    "-fPIC", "-fpic", "-fPIE", "-fpie", "-fno-pic", "-fno-PIC", "-fno-pie", "-fno-PIE", "-mcmodel", "-m32"};

// What compilers used to accept and clang has made errors: old programs, and even more so what old
// configure scripts try, depend on it.
const Words& forgiving(bool cxx) {
  static const Words c{"-Wno-error=implicit-function-declaration",
                       "-Wno-error=implicit-int",
                       "-Wno-error=int-conversion",
                       "-Wno-error=incompatible-function-pointer-types",
                       "-Wno-error=incompatible-pointer-types",
                       "-Wno-error=return-mismatch"};
  static const Words cpp{"-Wno-register", "-Wno-error=c++11-narrowing",
                         "-Wno-error=reserved-user-defined-literal",
                         "-Wno-error=missing-template-arg-list-after-template-kw"};
  return cxx ? cpp : c;
}

std::string languageOf(std::string_view path) {
  const std::string suffix = fs::path(path).extension().string();
  if (suffix == ".c") return "c";
  constexpr std::array<std::string_view, 6> kCxx{".cc", ".cpp", ".cxx", ".C", ".c++", ".cp"};
  return isOneOf(suffix, kCxx) ? "c++" : "";
}

bool isProbe(std::string_view path) {
  const std::string name = fs::path(path).filename().string();
  // mktemp's tmp.XXXXXXXXXX: a source that is gone and has another name in each build.
  const bool temporary = name.starts_with("tmp.") && name.find('.', 4) == 14;
  return temporary || name.starts_with("conftest") || name.starts_with("_conftest") ||
         path.find("CMakeFiles/") != std::string_view::npos;
}

// `path` written relative to `base`, both absolute and normal.
bool isInside(const fs::path& path, const fs::path& base) {
  const fs::path relative = path.lexically_relative(base);
  return !relative.empty() && *relative.begin() != "..";
}

// Everything about dependency files that the compiler would derive from the name of the object.
void completeDependencies(Command& command) {
  Words& flags = command.dependencies;
  if (flags.empty()) return;
  const auto has = [&](std::string_view flag) {
    return std::find(flags.begin(), flags.end(), flag) != flags.end();
  };
  if (!has("-MD") && !has("-MMD")) {
    flags.clear();
    return;
  }
  if (!has("-MF")) {
    flags.push_back("-MF");
    flags.push_back(fs::path(command.object).replace_extension(".d").string());
  }
  if (!has("-MT") && !has("-MQ")) {
    flags.push_back("-MQ");
    flags.push_back(command.object);
  }
}

// -Wp,-MD,file and the like: the preprocessor's own spelling of -MD -MF file.
void addPreprocessorWords(std::string_view list, Command& command) {
  Words words;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.find(','), list.size());
    words.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (words[i] == "-MD" || words[i] == "-MMD") {
      command.dependencies.push_back(words[i]);
      if (i + 1 < words.size() && !words[i + 1].starts_with('-')) {
        command.dependencies.push_back("-MF");
        command.dependencies.push_back(words[++i]);
      }
    } else if (words[i].starts_with("-M")) {
      command.dependencies.push_back(words[i]);
    } else {
      command.meaning.push_back(words[i]);
    }
  }
}

}  // namespace

Command parseCommand(const Words& arguments) {
  Command command;
  bool compile_only = false;
  // Something else than C and C++ goes in, no object comes out, or a file of arguments says whatever, also
  // where it stands for the value of an option.
  bool other = std::ranges::any_of(arguments, [](const std::string& word) { return word.starts_with('@'); });
  std::string forced;  // by -x
  std::string object;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string& word = arguments[i];
    if (word == "-c") {
      compile_only = true;
    } else if (word == "-" || word.starts_with('@') || isOneOf(word, kMakesNone) ||
               startsWithOneOf(word, kMakesNonePrefix)) {
      other = true;
    } else if (word == "-x" && i + 1 < arguments.size()) {
      forced = arguments[++i];
      if (forced == "none") forced.clear();
    } else if (word == "-o" && i + 1 < arguments.size()) {
      object = arguments[++i];
    } else if (word.starts_with("-o") && word.size() > 2 && !word.starts_with("-object")) {
      object = word.substr(2);
    } else if (word.starts_with("-Wp,")) {
      addPreprocessorWords(std::string_view(word).substr(4), command);
    } else if (isOneOf(word, kTakesValue) && i + 1 < arguments.size()) {
      const std::string& value = arguments[++i];
      if (word.starts_with("-M")) {
        command.dependencies.insert(command.dependencies.end(), {word, value});
      } else if (word != "-L" && word != "-l" && word != "-Xlinker") {
        command.meaning.insert(command.meaning.end(), {word, value});
      }
    } else if (isOneOf(word, kLinkValue) && i + 1 < arguments.size()) {
      ++i;
    } else if (word.starts_with("-M")) {
      command.dependencies.push_back(word);
    } else if (isOneOf(word, kCodegen) || word.starts_with("-mcmodel")) {
      command.codegen.push_back(word);
      command.meaning.push_back(word);
    } else if (word.starts_with('-')) {
      if (!startsWithOneOf(word, kDropped)) command.meaning.push_back(word);
    } else {
      const std::string language = forced.empty() ? languageOf(word) : forced;
      if (language == "c" || language == "c++") {
        command.inputs.push_back({word, language});
      } else if (compile_only) {
        other = true;
      }
    }
  }
  const bool probe = std::any_of(command.inputs.begin(), command.inputs.end(),
                                 [](const Input& input) { return isProbe(input.path); });
  if (other || probe || (compile_only && command.inputs.size() > 1)) command.inputs.clear();
  if (compile_only && command.inputs.size() == 1) {
    command.object = !object.empty()
                         ? object
                         : fs::path(command.inputs[0].path).filename().replace_extension(".o").string();
    if (!command.object.ends_with('o') && command.object.starts_with("/dev/")) command.inputs.clear();
  }
  command.object.empty() ? command.dependencies.clear() : completeDependencies(command);
  return command;
}

std::string relativeInput(const std::string& path, const Places& places) {
  const fs::path given(path);
  if (!given.is_absolute()) return path;
  const fs::path normal = given.lexically_normal();
  if (!isInside(normal, places.root) || !isInside(places.cwd, places.root)) return path;
  return normal.lexically_relative(places.cwd).string();
}

Words bitcodeArguments(const Command& command, const Input& input, const Places& places,
                       const std::string& out) {
  Words words = command.meaning;
  words.insert(words.end(), command.dependencies.begin(), command.dependencies.end());
  // The level marks functions and sets macros as -O2 does; -O0 would make them noinline and optnone.
  words.insert(words.end(), {"-O2", "-Xclang", "-disable-llvm-passes", "-g0", "-w", "-fno-ident",
                             "-emit-llvm", "-ffile-prefix-map=" + places.root.string() + "=."});
  if (!places.sysroot.empty()) {
    words.push_back("-ffile-prefix-map=" + places.sysroot.string() + "=");
    words.push_back("--sysroot=" + places.sysroot.string());
  }
  const Words& forgive = forgiving(input.language == "c++");
  words.insert(words.end(), forgive.begin(), forgive.end());
  words.insert(words.end(), {"--no-default-config", "-Qunused-arguments", "-x", input.language, "-c",
                             relativeInput(input.path, places), "-o", out});
  return words;
}

Words objectArguments(const Command& command, const std::string& bitcode, const std::string& out) {
  Words words = command.codegen;
  words.insert(words.end(), {"-O0", "-w", "-Qunused-arguments", "--no-default-config", "-x", "ir", "-c",
                             bitcode, "-o", out});
  return words;
}

Words plainArguments(const Words& arguments, bool cxx, const Places& places) {
  Words words;
  for (const std::string& word : arguments) {
    // The code must run on any machine, and link time optimisation would only take time.
    if (word == "-march=native" || word == "-mtune=native" || word.starts_with("-flto") ||
        word.starts_with("-fuse-ld") || word == "-ffat-lto-objects") {
      continue;
    }
    words.push_back(word);
  }
  if (!places.sysroot.empty()) words.push_back("--sysroot=" + places.sysroot.string());
  const Words& forgive = forgiving(cxx);
  words.insert(words.end(), forgive.begin(), forgive.end());
  words.insert(words.end(), {"--no-default-config", "-fuse-ld=lld", "-Qunused-arguments"});
  return words;
}

}  // namespace ordo::capture
