// Reads program.toml. Every rule of docs/formats/program.md is one line of parseProgramToml(); what
// breaks one is reported with its place, its key and what would be right.

// toml++ 3.3 tells the optimiser to assume that a key begins well, and only then looks: "[^" is
// undefined. Without NDEBUG its assumptions are assertions, and what those do is for us to say.
#undef NDEBUG
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <cstdint>

#include "datasets/program.h"
#include "support/text.h"

namespace ordo::datasets {
namespace fs = std::filesystem;
namespace {

constexpr std::int64_t kFormat = 1;

std::string place(const fs::path& path, const toml::source_region& source) {
  return fmt::format("{}:{}:{}", path.string(), source.begin.line, source.begin.column);
}

// Takes typed values out of one table, and reports what is wrong with them or with it.
class Reader {
 public:
  Reader(const toml::table& table, const fs::path& path, std::string what)
      : table_(table), path_(path), what_(std::move(what)) {}

  template <typename... Args>
  tl::unexpected<Error> bad(std::string_view key, fmt::format_string<Args...> format, Args&&... args) const {
    const toml::node* node = table_.get(key);
    return fail(ErrorCode::kCorrupt, "{}: '{}' of {} {}",
                place(path_, node != nullptr ? node->source() : table_.source()), key, what_,
                fmt::format(format, std::forward<Args>(args)...));
  }

  Status onlyKeys(const std::vector<std::string>& known) const {
    for (const auto& [key, value] : table_) {
      if (std::find(known.begin(), known.end(), key.str()) != known.end()) continue;
      return fail(ErrorCode::kCorrupt, "{}: {}", place(path_, value.source()),
                  unknownName(fmt::format("key of {}", what_), key.str(), known));
    }
    return {};
  }

  Result<std::string> string(std::string_view key) const {
    return required<std::string>(key, "text in double quotes");
  }

  Result<std::int64_t> integer(std::string_view key) const {
    return required<std::int64_t>(key, "a whole number");
  }

  Result<double> number(std::string_view key) const {
    const toml::node* node = table_.get(key);
    if (node != nullptr && node->is_floating_point()) return node->as_floating_point()->get();
    ORDO_TRY_ASSIGN(const std::int64_t value, required<std::int64_t>(key, "a number"));
    return static_cast<double>(value);
  }

  // Absent is empty.
  Result<std::vector<std::string>> strings(std::string_view key) const {
    std::vector<std::string> values;
    const toml::node* node = table_.get(key);
    if (node == nullptr) return values;
    const toml::array* array = node->as_array();
    if (array == nullptr) return bad(key, "must be a list of texts, like [\"-std=c17\"]");
    for (const toml::node& item : *array) {
      const auto* text = item.as_string();
      if (text == nullptr) return bad(key, "must hold only texts in double quotes");
      if (text->get().find('\0') != std::string::npos) return bad(key, "must not contain a null character");
      values.push_back(text->get());
    }
    return values;
  }

  // A file in the program's folder: the folder can be moved, and no test reads what is not its own.
  Result<fs::path> file(std::string_view key) const {
    ORDO_TRY_ASSIGN(const std::string text, string(key));
    const fs::path path(text);
    const bool leaves = std::find(path.begin(), path.end(), "..") != path.end();
    if (text.empty() || text.find('\0') != std::string::npos || path.is_absolute() || leaves) {
      return bad(key, "must name a file inside the program's folder, without '..'");
    }
    return path;
  }

  bool has(std::string_view key) const { return table_.contains(key); }
  const toml::node* get(std::string_view key) const { return table_.get(key); }

 private:
  template <typename T>
  Result<T> required(std::string_view key, std::string_view wanted) const {
    const toml::node* node = table_.get(key);
    if (node == nullptr) return bad(key, "is missing; it must be {}", wanted);
    const toml::value<T>* value = node->as<T>();
    if (value == nullptr) return bad(key, "must be {}", wanted);
    return value->get();
  }

  const toml::table& table_;
  const fs::path& path_;
  std::string what_;
};

Result<toml::table> parse(std::string_view text, const fs::path& path) {
  // toml++ 3.3 runs into undefined behaviour on letters such as e-acute outside of texts, so it is not
  // shown any: they are written as \u00e9.
  const auto at =
      std::find_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= 0x80; });
  if (at != text.end()) {
    const auto line = std::count(text.begin(), at, '\n') + 1;
    return fail(ErrorCode::kCorrupt, "{}:{}: a character outside ASCII; write it as \\uXXXX inside a text",
                path.string(), line);
  }
  try {
    return toml::parse(text);
  } catch (const toml::parse_error& error) {
    return fail(ErrorCode::kCorrupt, "{}: not TOML: {}", place(path, error.source()), error.description());
  }
}

bool isName(std::string_view text) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), allowed);
}

Result<ProgramTest> readTest(const Reader& reader) {
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

Result<std::vector<ProgramTest>> readTests(const Reader& reader, const fs::path& path) {
  std::vector<ProgramTest> tests;
  const toml::node* node = reader.get("test");
  if (node == nullptr) return tests;
  const toml::array* array = node->as_array();
  if (array == nullptr) return reader.bad("test", "must be a list of tables; head each with [[test]]");
  for (const toml::node& item : *array) {
    const toml::table* table = item.as_table();
    if (table == nullptr) return reader.bad("test", "must be a list of tables; head each with [[test]]");
    const Reader entry(*table, path, fmt::format("test {}", tests.size() + 1));
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
  ORDO_TRY_ASSIGN(const toml::table table, parse(text, path));
  const Reader reader(table, path, "the program");

  // The format first: the keys of a newer one are unknown for a reason.
  ORDO_TRY_ASSIGN(const std::int64_t format, reader.integer("format"));
  if (format > kFormat) {
    return fail(ErrorCode::kUnsupported,
                "{}: format {} is newer than this Ordo, which reads up to {}; upgrade Ordo", path.string(),
                format, kFormat);
  }
  if (format < 1) return reader.bad("format", "is {}; the first format is 1", format);
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
