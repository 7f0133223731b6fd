// parseCommand() puts each argument, as clang's own table has it (frontend/options.h), where the first rule
// that fits says: the order of the rules is part of them. Flags that nobody knows are kept, as part of the
// meaning. Only after the last word is it decided whether there is anything to capture.
// completeDependencies() then writes out the names that a compiler would take from the object's, because what
// it is told to make instead is bitcode under another name.
#include "capture/command.h"

#include <algorithm>
#include <array>
#include <span>

#include "frontend/options.h"
#include "frontend/sources.h"

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

// Beside what makes no object (frontend::makesNoObject): the command only tells something.
constexpr std::array<std::string_view, 3> kTells{"-print-", "--print-", "-dump"};

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

// The same, of which others are beginnings: -undef.
constexpr std::array<std::string_view, 5> kLink{"-Xlinker", "-u", "-z", "-T", "-e"};

// How a dependency file is written. -MJ asks for another file, with the very command that is run.
constexpr std::array<std::string_view, 8> kDependencies{"-MD", "-MMD", "-MF", "-MT",
                                                        "-MQ", "-MP",  "-MG", "-MV"};

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
void addPreprocessorWords(const Words& words, Command& command) {
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
  const auto addInput = [&](const std::string& name) {
    const std::string language = forced.empty() ? frontend::languageOf(name) : forced;
    if (name == "-") {
      other = true;
    } else if (language == "c" || language == "c++") {
      command.inputs.push_back({name, language});
    } else if (compile_only) {
      other = true;
    }
  };
  for (std::size_t i = 0; i < arguments.size();) {
    const frontend::Argument argument = frontend::readArgument(std::span(arguments).subspan(i));
    const std::span<const std::string> words = std::span(arguments).subspan(i, argument.words);
    i += argument.words;
    const std::string& word = words.front();
    const std::string_view name =
        argument.option == nullptr ? std::string_view(word) : argument.option->canonical;
    const std::string value = argument.values.empty() ? "" : argument.values.back();
    if (argument.isInput() || argument.is("--")) {
      for (const std::string& path : argument.values) addInput(path);
    } else if (argument.is("-c")) {
      compile_only = true;
    } else if (frontend::makesNoObject(argument) || argument.is("-v") || argument.is("-MJ") ||
               startsWithOneOf(word, kTells)) {
      other = true;
    } else if (argument.is("-x")) {
      forced = value == "none" ? "" : value;
    } else if (argument.is("-o")) {
      object = value;
    } else if (argument.is("-Wp,")) {
      addPreprocessorWords(argument.values, command);
    } else if (isOneOf(name, kDependencies)) {
      command.dependencies.emplace_back(name);
      if (!argument.values.empty()) command.dependencies.push_back(value);
    } else if (isOneOf(word, kCodegen) || word.starts_with("-mcmodel")) {
      command.codegen.push_back(word);
      command.meaning.push_back(word);
    } else if (!isOneOf(name, kLink) && !startsWithOneOf(name, kDropped) &&
               !startsWithOneOf(word, kDropped)) {
      command.meaning.insert(command.meaning.end(), words.begin(), words.end());
    }
  }
  const bool probe = std::any_of(command.inputs.begin(), command.inputs.end(),
                                 [](const Input& input) { return frontend::isProbe(input.path); });
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
