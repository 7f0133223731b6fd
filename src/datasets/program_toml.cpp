// Reads program.toml. Every rule of docs/formats/program.md is one line of parseProgramToml(); what
// breaks one is reported with its place, its key and what would be right.

#include <algorithm>
#include <cstdint>

#include "datasets/program.h"
#include "datasets/toml_reader.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kFormat = 1;

bool isName(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

Result<ProgramTest> readTest(const TomlReader& reader) {
  ORDO_TRY(reader.onlyKeys({"name", "args", "stdin", "stdout", "exit", "timeout_s"}));
  ProgramTest test;
  ORDO_TRY_ASSIGN(test.name, reader.string("name"));
  if (!isName(test.name)) return reader.bad("name", "must be made of a-z, 0-9, '_' and '-'");
  ORDO_TRY_ASSIGN(test.args, reader.strings("args"));
  if (reader.has("stdin")) {
    ORDO_TRY_ASSIGN(test.input, reader.file("stdin"));
  }
  ORDO_TRY_ASSIGN(test.expected, reader.file("stdout"));
  if (reader.has("exit")) {
    ORDO_TRY_ASSIGN(const std::int64_t exit, reader.integer("exit"));
    if (exit < 0 || exit > 255) return reader.bad("exit", "is {}; an exit status is from 0 to 255", exit);
    test.exit = static_cast<int>(exit);
  }
  if (reader.has("timeout_s")) {
    ORDO_TRY_ASSIGN(test.timeout_s, reader.number("timeout_s"));
    // Written so that NaN fails it too.
    if (!(test.timeout_s > 0 && test.timeout_s <= 3600)) {
      return reader.bad("timeout_s", "is {}; it must be more than 0 and at most 3600 seconds",
                        test.timeout_s);
    }
  }
  return test;
}

Result<std::vector<ProgramTest>> readTests(const TomlReader& reader, const fs::path& path) {
  std::vector<ProgramTest> tests;
  ORDO_TRY_ASSIGN(const std::vector<const toml::table*> tables, reader.tables("test"));
  for (const toml::table* table : tables) {
    const TomlReader entry(*table, path, fmt::format("test {}", tests.size() + 1));
    ORDO_TRY_ASSIGN(ProgramTest test, readTest(entry));
    for (const ProgramTest& other : tests) {
      if (other.name == test.name)
        return entry.bad("name", "is '{}' as in another test; names must differ", test.name);
    }
    tests.push_back(std::move(test));
  }
  return tests;
}

}  // namespace

Result<Program> parseProgramToml(std::string_view text, const fs::path& path) {
  ORDO_TRY_ASSIGN(const toml::table table, parseToml(text, path));
  const TomlReader reader(table, path, "the program");

  // The format first: the keys of a newer one are unknown for a reason.
  ORDO_TRY(reader.checkFormat(kFormat));
  ORDO_TRY(reader.onlyKeys({"format", "name", "summary", "language", "source", "cflags", "ldflags", "test"}));

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
  ORDO_TRY_ASSIGN(program.source, reader.file("source"));
  ORDO_TRY_ASSIGN(program.cflags, reader.strings("cflags"));
  ORDO_TRY_ASSIGN(program.ldflags, reader.strings("ldflags"));
  ORDO_TRY_ASSIGN(program.tests, readTests(reader, path));
  return program;
}

}  // namespace ordo::datasets
