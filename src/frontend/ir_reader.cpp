// readIr() gives IR to opt, for the attributes of a level, or to llvm-as. A module that names no machine is
// read once more with the machine in place (machineOptions). forItsMachine() asks clang what it makes of the
// flags, of the triple, and of both: words for one machine differ, and clang knows them all.
#include "frontend/ir_reader.h"

#include <algorithm>

#include "frontend/driver.h"
#include "frontend/flags.h"
#include "frontend/ir_triple.h"
#include "frontend/tool.h"
#include "support/files.h"

namespace ordo::frontend {
namespace {

constexpr std::string_view kInput = "<stdin>:";  // as tools call what they are given

// Bitcode, bare or in the wrapper that Darwin uses.
bool isBitcode(std::string_view bytes) {
  return bytes.starts_with("BC\xC0\xDE") || bytes.starts_with("\xDE\xC0\x17\x0B");
}

// What clang puts on every function at this level for the passes to see, as options of opt.
std::vector<std::string> sizeAttributes(Level level) {
  if (level == Level::kOz) return {"-force-attribute=optsize", "-force-attribute=minsize"};
  if (level == Level::kOs) return {"-force-attribute=optsize"};
  return {};
}

// "5:22:" at the beginning of `text`, or "".
std::string_view placeIn(std::string_view text) {
  std::size_t end = 0;
  for (int numbers = 0; numbers < 2; ++numbers) {
    const std::size_t colon = text.find_first_not_of("0123456789", end);
    if (colon == std::string_view::npos || colon == end || text[colon] != ':') return {};
    end = colon + 1;
  }
  return text.substr(0, end);
}

// What a tool said, without its own name, which may come with a folder, before lines, and without the
// sentence that only repeats that there was something to say.
std::string wordsOf(std::string_view tool, std::string_view said) {
  const std::string name = fmt::format("{}: ", tool);
  std::string words;
  while (!said.empty()) {
    const std::size_t end = std::min(said.find('\n'), said.size());
    std::string_view line = said.substr(0, end);
    said.remove_prefix(std::min(end + 1, said.size()));
    const std::size_t at = line.find(name);
    if (at != std::string_view::npos && (at == 0 || line[at - 1] == '/'))
      line.remove_prefix(at + name.size());
    if (line == "-: error: input module is broken!" ||
        line == "assembly parsed, but does not verify as correct!")
      continue;
    (words += line) += '\n';
  }
  if (!words.empty()) words.pop_back();
  return words;
}

// What `tool` said of the IR in `path`, which it knows as its standard input.
Error unreadable(const std::string& path, bool text, std::string_view tool, std::string_view all) {
  const std::string words = wordsOf(tool, all);
  std::string_view said = words;
  std::string_view place;
  if (said.starts_with(kInput)) {
    said.remove_prefix(kInput.size());
    place = placeIn(said);
    said.remove_prefix(place.size());
    for (const std::string_view word : {" ", "error: "})
      if (said.starts_with(word)) said.remove_prefix(word.size());
  }
  if (place.empty()) {
    return {ErrorCode::kCorrupt,
            fmt::format("{} is not valid LLVM 22 {}: {}", path, text ? "IR" : "bitcode", said)};
  }
  // Bitcode is read by all later versions, text only by the one that wrote it.
  return {ErrorCode::kCorrupt,
          fmt::format("{}:{} not valid LLVM 22 IR: {}\nif another version of LLVM wrote it, let that one's "
                      "llvm-as make bitcode of it",
                      path, place, said)};
}

// `ir` by way of a tool that reads it from its standard input; kCorrupt if it does not.
Result<ProcessResult> readWith(std::vector<std::string> argv, const std::string& ir,
                               const std::string& path) {
  const std::string tool = argv[0];
  Result<ProcessResult> run = tryTool({std::move(argv), ir, {}, path});
  if (!run) {
    // Whatever crashes a reader is not what it claims to be.
    if (run.error().code == ErrorCode::kUnsupported) run.error().code = ErrorCode::kCorrupt;
    return run;
  }
  if (!run->ok()) return fail(unreadable(path, !isBitcode(ir), tool, run->err));
  return run;
}

// The layout that LLVM has for `triple`.
Result<std::string> layoutFor(const std::string& triple) {
  constexpr std::string_view kLayout = "target datalayout = \"";
  ORDO_TRY_ASSIGN(const ProcessResult run,
                  runTool({{"opt-22", "-mtriple=" + triple, "-passes=", "-S", "-", "-o", "-"},
                           "",
                           {},
                           "the data layout of " + triple}));
  const std::size_t at = run.out.find(kLayout);
  if (at == std::string::npos) return fail(ErrorCode::kUnsupported, "LLVM has no data layout for {}", triple);
  const std::size_t begin = at + kLayout.size();
  return run.out.substr(begin, run.out.find('"', begin) - begin);
}

// Whether every part of `layout` ("e", "m:o", "i64:64") is one of `whole`.
bool isPartOf(std::string_view layout, std::string_view whole) {
  const std::string parts = fmt::format("-{}-", whole);
  while (!layout.empty()) {
    const std::size_t end = std::min(layout.find('-'), layout.size());
    if (parts.find(fmt::format("-{}-", layout.substr(0, end))) == std::string::npos) return false;
    layout.remove_prefix(std::min(end + 1, layout.size()));
  }
  return true;
}

// Options of opt that put in what `module` does not say of its machine, which is that of the flags: triple,
// and a layout that leaves open what LLVM has come to write since (how names are mangled, at first).
Result<std::vector<std::string>> machineOptions(const Source& source, Level level,
                                                const ModuleTarget& module) {
  const bool whole = module.layout.empty() || module.layout.find("-m:") != std::string::npos;
  std::vector<std::string> options;
  if (!module.triple.empty() && whole) return options;
  std::string triple = module.triple;
  if (triple.empty()) {
    ORDO_TRY_ASSIGN(const CodegenFlags codegen, codegenFlags(source, level));
    triple = codegen.triple;
    options.push_back("-mtriple=" + triple);
  }
  if (module.layout.empty()) return options;
  ORDO_TRY_ASSIGN(const std::string layout, layoutFor(triple));
  if (layout != module.layout && isPartOf(module.layout, layout)) options.push_back("-data-layout=" + layout);
  return options;
}

// What readIr() makes of `ir` with `machine`, options of opt, in addition.
Result<Compiled> readAs(const Source& source, Level level, std::string ir,
                        const std::vector<std::string>& machine) {
  const std::string path = (source.dir / source.path).string();
  Compiled result;
  const auto opt = [&](std::string_view pass, const std::vector<std::string>& attributes) {
    std::vector<std::string> argv{"opt-22", fmt::format("-passes={}", pass)};
    argv.insert(argv.end(), machine.begin(), machine.end());
    argv.insert(argv.end(), attributes.begin(), attributes.end());
    result.commands = {argv};
    result.commands.back().push_back(asWord(source.path));
    argv.insert(argv.end(), {"-", "-o", "-"});
    return argv;
  };
  if (const std::vector<std::string> attributes = sizeAttributes(level); !attributes.empty()) {
    Result<ProcessResult> run = tryTool({opt("forceattrs", attributes), ir, {}, path});
    if (run && run->ok()) {
      result.bytes = std::move(run->out);
      return result;
    }
    // It is either no IR at all, or attributes that it has forbid these, upon which opt aborts.
    if (!run && run.error().code != ErrorCode::kUnsupported) return fail(std::move(run).error());
    ORDO_TRY(readWith({"opt-22", "-passes=verify", "-disable-output", "-"}, ir, path));
    result.commands.clear();
    result.notes.push_back(
        fmt::format("not every function of {} can be given the attributes of -{} (optnone forbids them); "
                    "the baseline is the pipeline of -{} on the IR as it is, which is weaker",
                    path, name(level), name(level)));
  }
  if (isBitcode(ir) && machine.empty() && !targetOf(ir).triple.empty()) {
    result.bytes = std::move(ir);
    return result;
  }
  // llvm-as changes nothing; `clang -x ir` would set the target and rewrite attributes. Of bitcode that says
  // nothing which can be followed, LLVM's own writer makes some that can be.
  const bool assemble = machine.empty() && !isBitcode(ir);
  std::vector<std::string> argv = opt("verify", {});
  if (assemble) {
    result.commands = {{"llvm-as-22", asWord(source.path)}};
    argv = {"llvm-as-22", "-", "-o", "-"};
  }
  ORDO_TRY_ASSIGN(ProcessResult run, readWith(std::move(argv), ir, path));
  result.bytes = std::move(run.out);
  result.warnings = std::move(run.err);
  return result;
}

// What clang makes of `flags` and nothing else, in its words.
Result<std::string> tripleBy(Source source, std::vector<std::string> flags) {
  source.flags = std::move(flags);
  ORDO_TRY_ASSIGN(CodegenFlags codegen, codegenFlags(source, Level::kO2));
  return std::move(codegen.triple);
}

}  // namespace

Result<Compiled> readIr(const Source& source, Level level) {
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  ORDO_TRY_ASSIGN(const std::string ir, readFile((source.dir / source.path).string()));
  ORDO_TRY_ASSIGN(Compiled result, readAs(source, level, ir, {}));
  ORDO_TRY_ASSIGN(const std::vector<std::string> machine,
                  machineOptions(source, level, targetOf(result.bytes)));
  if (!machine.empty()) {
    ORDO_TRY_ASSIGN(result, readAs(source, level, ir, machine));
  }
  result.notes.insert(result.notes.begin(), flags.notes.begin(), flags.notes.end());
  return result;
}

Result<Source> forItsMachine(Source source, std::string_view bitcode) {
  if (source.language != "ir") return source;
  const std::string triple = targetOf(bitcode).triple;
  if (triple.empty()) return source;
  const std::string flag = "--target=" + triple;
  // Not a failure yet: they may be for that machine alone (-mcpu=).
  const Result<std::string> asked = tripleBy(source, source.flags);
  if (asked && meansSame(triple, *asked)) return source;
  ORDO_TRY_ASSIGN(const std::string own, tripleBy(source, {flag}));
  if (asked && meansSame(own, *asked)) return source;
  // First, so that what else is said of the machine (-mcpu=, -march=) is said of this one.
  std::vector<std::string> flags = source.flags;
  flags.insert(flags.begin(), flag);
  ORDO_TRY_ASSIGN(const std::string made, tripleBy(source, flags));
  if (!meansSame(own, made)) {
    return fail(
        ErrorCode::kInvalidArgument,
        "{} is for {}, which it says itself, and the flags say {}: leave out --target=, -target and -m32",
        source.path.string(), triple, made);
  }
  source.flags = std::move(flags);
  return source;
}

}  // namespace ordo::frontend
