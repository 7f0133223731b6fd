// A pass pipeline printed by clang is not the whole truth. `-print-pipeline-passes` leaves out the
// parameters of some passes, which get their defaults when the text is read back:
//
// - `always-inline` at -O0 adds no lifetime markers. At -O3 `inline` has a threshold of 250 and
//   `loop-unroll-full` one of 300 (sudoku.c: 4371 bytes by clang, 4499 by the printed text). The alias
//   `default<O3>` builds the passes with their parameters. It is not always clang's pipeline: at -Oz
//   clang runs the SLP vectorizer and the alias does not. So the alias stands for the text wherever opt
//   prints the same for it, and the text stands for itself elsewhere.
// - Where clang does not unroll, at -O1 and with -fno-unroll-loops, both unrollers act only on loops
//   with a pragma (sheet.cpp at -O1: 61037 bytes by clang, 61797 by the printed text).
//   The text is made to say so, as far as it can.
#include "frontend/driver.h"

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <map>
#include <mutex>

#include "frontend/flags.h"
#include "frontend/ir_triple.h"
#include "frontend/tool.h"

namespace ordo::frontend {
namespace {

// What the driver is given to compile: as little as there is in C and C++.
constexpr std::string_view kProbe = "typedef int ordo_probe;\n";

// What the driver said, by directory, PATH and command: it does not depend on any program, and thousands of
// programs have the same flags. Failures are not kept.
class Answers {
 public:
  Result<ProcessResult> of(ToolRun run) {
    const char* const path = std::getenv("PATH");
    std::vector<std::string> key{run.dir.string(), path == nullptr ? "" : path};
    key.insert(key.end(), run.argv.begin(), run.argv.end());
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = answers_.find(key); found != answers_.end()) return found->second;
    }
    ORDO_TRY_ASSIGN(ProcessResult answer, runTool(std::move(run)));
    const std::lock_guard lock(mutex_);
    return answers_.emplace(std::move(key), std::move(answer)).first->second;
  }

 private:
  std::mutex mutex_;
  std::map<std::vector<std::string>, ProcessResult> answers_;
};

// Runs clang's driver on the probe with `mode` in front, as far as to `form`: -c, an object, or -S, which
// needs no assembler and no linker of that machine's.
Result<ProcessResult> probe(const Source& source, Level level, const std::vector<std::string>& mode,
                            const char* form) {
  ORDO_TRY_ASSIGN(Flags flags, checkFlags(source.flags, source.language));
  const bool cxx = source.language.starts_with("c++");
  std::vector<std::string> argv{cxx ? "clang++-22" : "clang-22", fmt::format("-{}", name(level))};
  argv.insert(argv.end(), flags.kept.begin(), flags.kept.end());
  argv.insert(argv.end(), mode.begin(), mode.end());
  for (const char* word :
       {"-Qunused-arguments", "-w", "-x", cxx ? "c++" : "c", form, "-", "-o", "/dev/null"}) {
    argv.emplace_back(word);
  }
  static Answers answers;
  return answers.of(
      {std::move(argv), std::string(kProbe), source.dir, "the flags of " + source.path.string()});
}

std::string trimmed(std::string_view text) {
  constexpr std::string_view kSpace = " \t\r\n";
  const std::size_t begin = text.find_first_not_of(kSpace);
  if (begin == std::string_view::npos) return "";
  return std::string(text.substr(begin, text.find_last_not_of(kSpace) - begin + 1));
}

// Removes the pass `name` from a list of passes, wherever it stands alone between commas.
bool removePass(std::string& text, std::string_view name) {
  const std::string list = "," + text + ",";
  const std::size_t at = list.find(fmt::format(",{},", name));
  if (at == std::string::npos) return false;
  text = list.substr(0, at) + list.substr(at + name.size() + 1);
  text = text.size() > 1 ? text.substr(1, text.size() - 2) : "";
  return true;
}

// Whether clang unrolls loops that have no pragma.
bool unrolls(const std::vector<std::string>& flags, Level level) {
  const auto last = std::find_if(flags.rbegin(), flags.rend(), [](const std::string& flag) {
    return flag == "-funroll-loops" || flag == "-fno-unroll-loops";
  });
  if (last != flags.rend()) return *last == "-funroll-loops";
  return level != Level::kO0 && level != Level::kO1;
}

// Limits unrolling to loops with a pragma, all of them by the later unroller.
std::string withoutUnrolling(std::string text) {
  constexpr std::string_view kEarly = ",loop-unroll-full", kLate = "loop-unroll<";
  if (const std::size_t at = text.find(kEarly); at != std::string::npos) text.erase(at, kEarly.size());
  if (const std::size_t at = text.find(kLate); at != std::string::npos) {
    text.insert(text.find('>', at), ";no-partial;no-peeling;no-runtime;no-upperbound;full-unroll-max=0");
  }
  return text;
}

// What opt says `alias` stands for on that machine ("": this one), less the verifier that only opt adds.
Result<std::string> expand(const std::string& alias, const std::string& triple) {
  std::vector<std::string> argv{"opt-22", "-passes=" + alias, "-print-pipeline-passes", "-disable-output",
                                "-"};
  if (!triple.empty()) argv.push_back("-mtriple=" + triple);
  ORDO_TRY_ASSIGN(ProcessResult run, runTool({std::move(argv), "", {}, alias}));
  std::string text = trimmed(run.out);
  removePass(text, "verify");
  return text;
}

// The words that cc1 is called with, from the quoted line that `clang -###` prints.
std::vector<std::string> cc1Arguments(std::string_view printed) {
  std::vector<std::string> words;
  const std::size_t line = printed.find("\"-cc1\"");
  if (line == std::string_view::npos) return words;
  printed = printed.substr(line, printed.find('\n', line) - line);
  for (std::size_t i = 0; i < printed.size(); ++i) {
    if (printed[i] != '"') continue;
    std::string& word = words.emplace_back();
    for (++i; i < printed.size() && printed[i] != '"'; ++i) {
      if (printed[i] == '\\' && i + 1 < printed.size()) ++i;
      word += printed[i];
    }
  }
  return words;
}

// cc1 options that reach the code generator by another way than the IR and CodegenFlags. What
// functions carry as attributes (-target-cpu, -mframe-pointer, ...) is not among them.
// clang-format off
constexpr std::string_view kUnmodelled[] = {
    "-ffp-contract=fast", "-ffp-contract=off", "-femulated-tls", "-fbasic-block-sections",
    "-fsplit-machine-functions", "-fno-unique-section-names", "-funique-basic-block-section-names",
    "-mrelax-relocations=no", "-mrelax-all", "-mthread-model", "-falign-loops=", "-fno-use-init-array",
    "-mtls-size=", "-ffat-lto-objects"};
// clang-format on

bool isUnmodelled(std::string_view word) {
  return std::any_of(std::begin(kUnmodelled), std::end(kUnmodelled),
                     [&](std::string_view prefix) { return word.starts_with(prefix); });
}

}  // namespace

Result<Pipeline> capturePipeline(const Source& source, Level level) {
  ORDO_TRY_ASSIGN(ProcessResult run, probe(source, level, {"-mllvm", "-print-pipeline-passes"}, "-S"));
  std::string text = trimmed(run.out);
  if (!unrolls(source.flags, level)) text = withoutUnrolling(std::move(text));
  if (text.empty()) return fail(ErrorCode::kInternal, "clang-22 printed no pipeline for -{}", name(level));

  std::string passes = text;
  // Prepares debug information; the alias lacks it, and it may as well run first.
  const bool assignments = removePass(passes, "declare-to-assign");
  const std::string alias = fmt::format("default<{}>", name(level));
  const Pipeline by_name{(assignments ? "function(declare-to-assign)," : "") + alias, {}};
  ORDO_TRY_ASSIGN(std::string expanded, expand(alias, ""));
  if (passes == expanded) return by_name;
  // Targets add passes of their own.
  ORDO_TRY_ASSIGN(const CodegenFlags codegen, codegenFlags(source, level));
  ORDO_TRY_ASSIGN(expanded, expand(alias, codegen.triple));
  if (passes == expanded) return by_name;
  if (level != Level::kO3) return Pipeline{text, {}};
  return Pipeline{text,
                  {"-inlinedefault-threshold=250", "-locally-hot-callsite-threshold=525",
                   "-unroll-threshold-default=300"}};
}

Result<CodegenFlags> codegenFlags(const Source& source, Level level) {
  ORDO_TRY_ASSIGN(ProcessResult run, probe(source, level, {"-###"}, "-c"));
  const std::vector<std::string> words = cc1Arguments(run.err);
  if (words.empty()) return fail(ErrorCode::kInternal, "clang-22 -### printed no cc1 command:\n{}", run.err);
  CodegenFlags result;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const std::string next = i + 1 < words.size() ? words[i + 1] : "";
    constexpr std::string_view kCodeModel = "-mcmodel=";
    if (word == "-triple") result.triple = next;
    if (word == "-mrelocation-model") result.relocation = next;
    if (word.starts_with(kCodeModel)) result.code_model = word.substr(kCodeModel.size());
    if (word == "-ffunction-sections") result.function_sections = true;
    if (word == "-fdata-sections") result.data_sections = true;
    if (word == "-mllvm") result.llvm_flags.push_back(next);
    if (isUnmodelled(word)) result.unmodelled.push_back(word);
    if (word == "-target-abi") result.abi = next;
    if (word == "-mfloat-abi") result.float_abi = next;
    if (word == "-enable-tlsdesc") result.tlsdesc = true;
    if (word == "-target-cpu") result.cpu = next;
    // clang's own word to itself is not the code generator's.
    if (word == "-target-feature" && next != "+soft-float-abi")
      result.features += (result.features.empty() ? "" : ",") + next;
  }
  // There the attributes of functions are all that counts, and what a recipe says stays as it was.
  if (isX86(result.triple)) {
    result.cpu.clear();
    result.features.clear();
  }
  return result;
}

}  // namespace ordo::frontend
