// The flags of a source go through checkFlags(). compile() runs the front end on one file, compileAndLink()
// on several and then llvm-link, and emission() is the command that makes code of bitcode. Tools write to
// standard output where they can; there are temporary files only for what is linked. The commands that are
// told to the user have lasting names in their place. Bitcode is made at the level itself with LLVM's passes
// off (kToBitcode), so that it is marked as that level marks it.
#include "frontend/clang.h"

#include "frontend/flags.h"
#include "frontend/ir_reader.h"
#include "frontend/ir_triple.h"
#include "frontend/tool.h"
#include "support/files.h"

namespace ordo::frontend {
namespace {

const std::vector<std::string> kToBitcode{"-Xclang", "-disable-llvm-passes", "-emit-llvm"};

std::string driver(const Source& source) {
  return source.language.starts_with("c++") ? "clang++-22" : "clang-22";
}

void append(std::vector<std::string>& to, const std::vector<std::string>& from) {
  to.insert(to.end(), from.begin(), from.end());
}

// Compiles the source file with `mode` in front of the input.
Result<Compiled> compile(const Source& source, Level level, const std::vector<std::string>& mode) {
  Compiled result;
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  result.notes = std::move(flags.notes);
  std::vector<std::string> command{driver(source), fmt::format("-{}", name(level))};
  append(command, flags.kept);
  append(command, mode);
  append(command, {"-c", asWord(source.path)});
  result.commands = {command};
  append(command, {"-o", "-"});
  ORDO_TRY_ASSIGN(ProcessResult run,
                  runTool({std::move(command), "", source.dir, (source.dir / source.path).string()}));
  result.bytes = std::move(run.out);
  result.warnings = std::move(run.err);
  return result;
}

// The bitcode of all translation units of `source`, linked.
Result<Compiled> compileAndLink(const Source& source, Level level) {
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  Compiled result;
  std::vector<std::string> compile_all, link{"llvm-link-22"}, argv = link;
  for (std::size_t i = 0; i <= source.more.size(); ++i) {
    Source unit = source;
    unit.more.clear();
    if (i > 0) unit.path = source.more[i - 1];
    ORDO_TRY_ASSIGN(Compiled compiled, compile(unit, level, kToBitcode));
    const std::filesystem::path file = temp.path() / fmt::format("{}.bc", i);
    ORDO_TRY(writeFile(file, compiled.bytes));
    argv.push_back(file.string());
    link.push_back(unit.path.stem().string() + ".bc");
    result.warnings += compiled.warnings;
    if (i == 0) {
      result.notes = std::move(compiled.notes);
      compile_all = std::move(compiled.commands.front());
    } else {
      compile_all.push_back(asWord(unit.path));
    }
  }
  result.commands = {std::move(compile_all), std::move(link)};
  append(argv, {"-o", "-"});
  ORDO_TRY_ASSIGN(ProcessResult run,
                  runTool({std::move(argv), "", {}, fmt::format("the modules of {}", source.dir.string())}));
  result.bytes = std::move(run.out);
  return result;
}

// What `flags` say of the target, in the user's words; "" if nothing.
std::string tripleIn(const std::vector<std::string>& flags) {
  constexpr std::string_view kTarget = "--target=";
  std::string triple;
  for (std::size_t i = 0; i < flags.size(); ++i) {
    if (flags[i].starts_with(kTarget)) triple = flags[i].substr(kTarget.size());
    if (flags[i] == "-target" && i + 1 < flags.size()) triple = flags[i + 1];
  }
  return triple;
}

// Flags for headers and languages mean nothing to IR, hence -Qunused-arguments; -w because clang
// would warn about what it already said when it made the bitcode.
Result<std::vector<std::string>> emission(Level level, const Source& source, std::string_view form) {
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  std::vector<std::string> argv{"clang-22", fmt::format("-{}", name(level))};
  append(argv, flags.kept);
  append(argv,
         {"-Qunused-arguments", "-w", "-Xclang", "-disable-llvm-passes", "-x", "ir", std::string(form)});
  return argv;
}

Result<std::string> emit(std::string_view bitcode, Level level, const Source& source, std::string_view form) {
  ORDO_TRY_ASSIGN(std::vector<std::string> argv, emission(level, source, form));
  append(argv, {"-", "-o", "-"});
  const std::string subject = fmt::format("the tuned bitcode of {}", source.path.string());
  ORDO_TRY_ASSIGN(ProcessResult run, runTool({std::move(argv), std::string(bitcode), source.dir, subject}));
  return std::move(run.out);
}

}  // namespace

Result<Compiled> compileStock(const Source& source, Level level) {
  if (source.more.empty()) return compile(source, level, {});
  ORDO_TRY_ASSIGN(Compiled linked, compileAndLink(source, level));
  ORDO_TRY_ASSIGN(const TempDir temp, TempDir::create());
  Source whole = source;
  whole.path = temp.path() / "linked.bc";
  ORDO_TRY(writeFile(whole.path, linked.bytes));
  ORDO_TRY_ASSIGN(Compiled object, compile(whole, level, {"-Qunused-arguments", "-w", "-x", "ir"}));
  append(linked.commands.back(), {"-o", "linked.bc"});
  object.commands.back().back() = "linked.bc";
  object.commands.insert(object.commands.begin(), linked.commands.begin(), linked.commands.end());
  object.warnings = std::move(linked.warnings);
  return object;
}

Result<Compiled> compileToBitcode(const Source& source, Level level) {
  if (!source.more.empty()) return compileAndLink(source, level);
  return source.language == "ir" ? readIr(source, level) : compile(source, level, kToBitcode);
}

Result<std::string> compileToText(const Source& source, Level level) {
  std::vector<std::string> mode = kToBitcode;
  append(mode, {"-Qunused-arguments", "-S"});  // of -S and -c it is the first that counts
  std::vector<std::filesystem::path> units = source.more;
  units.insert(units.begin(), source.path);
  std::string text;
  for (const std::filesystem::path& path : units) {
    Source unit = source;
    unit.path = path;
    unit.more.clear();
    ORDO_TRY_ASSIGN(const Compiled compiled, compile(unit, level, mode));
    text += compiled.bytes;
  }
  return text;
}

Result<std::string> emitObject(std::string_view bitcode, Level level, const Source& source) {
  return emit(bitcode, level, source, "-c");
}

Result<std::string> emitAssembly(std::string_view bitcode, Level level, const Source& source) {
  return emit(bitcode, level, source, "-S");
}

Result<std::vector<std::string>> emitCommand(Level level, const Source& source,
                                             const std::filesystem::path& in,
                                             const std::filesystem::path& out) {
  ORDO_TRY_ASSIGN(std::vector<std::string> argv, emission(level, source, "-c"));
  append(argv, {in.string(), "-o", out.string()});
  return argv;
}

Status linkExecutable(std::string_view object, const Source& source, const std::vector<std::string>& ldflags,
                      const std::filesystem::path& out, std::size_t shift) {
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  ORDO_TRY_ASSIGN(TempDir temp, TempDir::create());
  const std::filesystem::path file = temp.path() / "program.o";
  ORDO_TRY(writeFile(file, object));
  // IR may come from C++, so it is linked with that library; C programs lose nothing by it.
  std::vector<std::string> argv{source.language == "ir" ? "clang++-22" : driver(source),
                                "-Qunused-arguments"};
  if (shift > 0) {
    // "R": kept though nobody refers to it, also where the program is linked with --gc-sections.
    const std::filesystem::path pad = temp.path() / "shift.s";
    ORDO_TRY(writeFile(pad, fmt::format(".section .text.shift, \"axR\", @progbits\n.skip {}\n"
                                        ".section .note.GNU-stack, \"\", @progbits\n",
                                        shift)));
    argv.push_back(pad.string());
  }
  // This machine's linker may know no other machine.
  const std::string triple = tripleIn(flags.kept);
  const bool foreign = !triple.empty() && !runsHere(triple);
  if (foreign) argv.emplace_back("-fuse-ld=lld");
  append(argv, {file.string(), "-o", std::filesystem::absolute(out).string()});
  append(argv, flags.kept);
  append(argv, flags.link);
  append(argv, ldflags);
  Result<ProcessResult> linked =
      runTool({std::move(argv), "", source.dir, fmt::format("the object of {}", source.path.string())});
  if (linked) return {};
  Error error = std::move(linked).error();
  if (foreign && error.code == ErrorCode::kInvalidArgument)
    error.message += fmt::format(
        "\nlinking for {} takes that system's libraries, which --sysroot= or -isysroot name behind "
        "'--'; an object takes none: --emit obj",
        triple);
  else if (error.message.find("undefined reference") != std::string::npos ||
           error.message.find("undefined symbol") != std::string::npos)
    error.message += "\nlibraries that it is linked with go behind '--', as for clang: ordo tune … -- -lm";
  return fail(std::move(error));
}

}  // namespace ordo::frontend
