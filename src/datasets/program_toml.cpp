// Reads program.toml. Every rule of docs/formats/program.md is one line of parseProgramToml(); what
// breaks one is reported with its place, its key and what would be right.

#include <algorithm>
#include <cstdint>
#include <set>

#include "datasets/dataset.h"
#include "datasets/program.h"
#include "datasets/toml_reader.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kProgramFormat = 1;
constexpr std::int64_t kMostRepeats = 1'000'000;

bool isName(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

Result<std::optional<fs::path>> optionalFile(const TomlReader& reader, std::string_view key) {
  if (!reader.has(key)) return std::optional<fs::path>();
  return reader.file(key);
}

// One translation unit, or several.
Status readSources(const TomlReader& reader, Program& program) {
  if (!reader.has("sources")) {
    ORDO_TRY_ASSIGN(program.source, reader.file("source"));
    return {};
  }
  if (reader.has("source")) return reader.bad("sources", "stands beside 'source'; keep one of them");
  ORDO_TRY_ASSIGN(const std::vector<fs::path> files, reader.files("sources"));
  if (files.empty()) return reader.bad("sources", "is empty; a program has a source");
  std::set<fs::path> stems;
  for (const fs::path& file : files) {
    if (stems.insert(file.stem()).second) continue;
    return reader.bad("sources", "has two files named {}; the bitcode of both would be called {}.bc",
                      file.stem().string(), file.stem().string());
  }
  program.source = files.front();
  program.more_sources.assign(files.begin() + 1, files.end());
  return {};
}

// What tests and timed runs have in common.
template <typename Entry>
Status readCommon(const TomlReader& reader, Entry& entry) {
  ORDO_TRY_ASSIGN(entry.name, reader.string("name"));
  if (!isName(entry.name)) return reader.bad("name", "must be made of a-z, 0-9, '_' and '-'");
  ORDO_TRY_ASSIGN(entry.args, reader.strings("args"));
  ORDO_TRY_ASSIGN(entry.input, optionalFile(reader, "stdin"));
  if (reader.has("exit")) {
    ORDO_TRY_ASSIGN(const std::int64_t exit, reader.integer("exit"));
    if (exit < 0 || exit > 255) return reader.bad("exit", "is {}; an exit status is from 0 to 255", exit);
    entry.exit = static_cast<int>(exit);
  }
  if (reader.has("timeout_s")) {
    ORDO_TRY_ASSIGN(entry.timeout_s, reader.number("timeout_s"));
    // Written so that NaN fails it too.
    if (!(entry.timeout_s > 0 && entry.timeout_s <= 3600)) {
      return reader.bad("timeout_s", "is {}; it must be more than 0 and at most 3600 seconds",
                        entry.timeout_s);
    }
  }
  return {};
}

Result<ProgramTest> readTest(const TomlReader& reader) {
  ORDO_TRY(reader.onlyKeys({"name", "args", "stdin", "stdout", "exit", "timeout_s"}));
  ProgramTest test;
  ORDO_TRY(readCommon(reader, test));
  ORDO_TRY_ASSIGN(test.expected, reader.file("stdout"));
  return test;
}

Result<TimedRun> readRun(const TomlReader& reader) {
  ORDO_TRY(reader.onlyKeys(
      {"name", "args", "before", "stdin", "repeat", "after", "stdout_xxh128", "exit", "timeout_s"}));
  TimedRun run;
  ORDO_TRY(readCommon(reader, run));
  for (const char* key : {"before", "repeat", "after"}) {
    if (reader.has(key) && !run.input) return reader.bad(key, "goes with 'stdin', which is missing");
  }
  ORDO_TRY_ASSIGN(run.before, optionalFile(reader, "before"));
  ORDO_TRY_ASSIGN(run.after, optionalFile(reader, "after"));
  if (reader.has("repeat")) {
    ORDO_TRY_ASSIGN(const std::int64_t repeat, reader.integer("repeat"));
    if (repeat < 1 || repeat > kMostRepeats)
      return reader.bad("repeat", "is {}; it must be from 1 to {}", repeat, kMostRepeats);
    run.repeat = static_cast<std::size_t>(repeat);
  }
  ORDO_TRY_ASSIGN(const std::string hash, reader.string("stdout_xxh128"));
  const std::optional<Hash128> expected = Hash128::fromHex(hash);
  if (!expected) return reader.bad("stdout_xxh128", "must be 32 hexadecimal digits in lower case");
  run.expected = *expected;
  return run;
}

// The entries of [[kind]], each with a name of its own.
template <typename Entry>
Result<std::vector<Entry>> readAll(const TomlReader& reader, const fs::path& path, std::string_view kind,
                                   Result<Entry> (*read)(const TomlReader&)) {
  std::vector<Entry> entries;
  ORDO_TRY_ASSIGN(const std::vector<const toml::table*> tables, reader.tables(kind));
  for (const toml::table* table : tables) {
    const TomlReader one(*table, path, fmt::format("{} {}", kind, entries.size() + 1));
    ORDO_TRY_ASSIGN(Entry entry, read(one));
    for (const Entry& other : entries) {
      if (other.name == entry.name)
        return one.bad("name", "is '{}' as in another {}; names must differ", entry.name, kind);
    }
    entries.push_back(std::move(entry));
  }
  return entries;
}

// Words of qemu's, which end up on its command line.
bool isMachine(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '_' || c == '.';
  };
  return !text.empty() && text.front() != '-' && std::all_of(text.begin(), text.end(), allowed);
}

// What is different for an image that a machine boots: nobody gives it arguments, or times it.
Status readMachine(const TomlReader& reader, Program& program) {
  if (!reader.has("machine")) return {};
  ORDO_TRY_ASSIGN(program.machine, reader.string("machine"));
  if (!isMachine(program.machine))
    return reader.bad("machine", "is '{}'; it must be one that qemu names: mps2-an386", program.machine);
  for (const ProgramTest& test : program.tests) {
    if (!test.args.empty())
      return reader.bad("machine", "boots the program, which test '{}' gives arguments; use 'stdin'",
                        test.name);
  }
  if (!program.runs.empty()) return reader.bad("machine", "stands beside a [[run]]; emulators are not timed");
  return {};
}

}  // namespace

Result<Program> parseProgramToml(std::string_view text, const fs::path& path) {
  ORDO_TRY_ASSIGN(const toml::table table, parseToml(text, path));
  const TomlReader reader(table, path, "the program");

  // The format first: the keys of a newer one are unknown for a reason.
  ORDO_TRY(reader.checkFormat(kProgramFormat));
  ORDO_TRY(reader.onlyKeys({"format", "name", "summary", "language", "source", "sources", "cflags", "ldflags",
                            "split", "machine", "test", "run"}));

  Program program;
  program.kind = ProgramKind::kSuite;
  program.dir = path.parent_path();
  ORDO_TRY_ASSIGN(program.name, reader.string("name"));
  if (!isName(program.name)) return reader.bad("name", "must be made of a-z, 0-9, '_' and '-'");
  const std::string folder = fs::absolute(path).lexically_normal().parent_path().filename().string();
  if (program.name != folder)
    return reader.bad("name", "is '{}' but the folder is '{}'; make them equal", program.name, folder);
  ORDO_TRY_ASSIGN(program.summary, reader.string("summary"));
  ORDO_TRY_ASSIGN(program.language, reader.string("language"));
  if (program.language != "c" && program.language != "c++") {
    return reader.bad("language", "is '{}'; it must be \"c\" or \"c++\"", program.language);
  }
  ORDO_TRY(readSources(reader, program));
  if (reader.has("split")) {
    ORDO_TRY_ASSIGN(const std::string split, reader.string("split"));
    const Result<Split> known = parseSplit(split);
    if (!known || *known == Split::kAll)
      return reader.bad("split", "is '{}'; it must be \"train\", \"validation\" or \"test\"", split);
    program.split = *known;
  }
  ORDO_TRY_ASSIGN(program.cflags, reader.strings("cflags"));
  ORDO_TRY_ASSIGN(program.ldflags, reader.strings("ldflags"));
  ORDO_TRY_ASSIGN(program.tests, readAll(reader, path, "test", readTest));
  ORDO_TRY_ASSIGN(program.runs, readAll(reader, path, "run", readRun));
  ORDO_TRY(readMachine(reader, program));
  return program;
}

}  // namespace ordo::datasets
