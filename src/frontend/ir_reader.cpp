#include "frontend/ir_reader.h"

#include <algorithm>

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

}  // namespace

Result<Compiled> readIr(const Source& source, Level level) {
  Compiled result;
  const std::string path = (source.dir / source.path).string();
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  result.notes = std::move(flags.notes);
  ORDO_TRY_ASSIGN(std::string ir, readFile(path));
  if (const std::vector<std::string> options = sizeAttributes(level); !options.empty()) {
    std::vector<std::string> argv{"opt-22", "-passes=forceattrs"};
    argv.insert(argv.end(), options.begin(), options.end());
    result.commands = {argv};
    result.commands.back().push_back(asWord(source.path));
    argv.insert(argv.end(), {"-", "-o", "-"});
    Result<ProcessResult> run = tryTool({std::move(argv), ir, {}, path});
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
  if (isBitcode(ir)) {
    result.bytes = std::move(ir);
    return result;
  }
  // llvm-as changes nothing; `clang -x ir` would set the target and rewrite attributes.
  result.commands = {{"llvm-as-22", asWord(source.path)}};
  ORDO_TRY_ASSIGN(ProcessResult run, readWith({"llvm-as-22", "-", "-o", "-"}, ir, path));
  result.bytes = std::move(run.out);
  result.warnings = std::move(run.err);
  return result;
}

Status checkIrTarget(const Source& source, std::string_view bitcode, std::string_view target) {
  if (source.language != "ir") return {};
  const std::string triple = tripleOf(bitcode);
  if (triple.empty() || meansSame(triple, target)) return {};
  return fail(
      ErrorCode::kUnsupported,
      "{} is for {}, and code is to be made for {}; say --target={} behind --, with the -mcpu=, -march= and "
      "-mabi= that it was made with",
      source.path.string(), triple, target, triple);
}

}  // namespace ordo::frontend
