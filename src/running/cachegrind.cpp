// The file has lines `key: words`, then the counts of each source line, and at the end `summary:`, with
// numbers in the order of the names in `events:`. Both must be there once: a command line, which the file
// repeats, may hold anything.
#include "running/cachegrind.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <vector>

namespace ordo::running {
namespace {

struct Field {
  std::string_view name;
  std::int64_t Cachegrind::* value;
};

constexpr Field kFields[] = {
    {"Ir", &Cachegrind::ir},   {"I1mr", &Cachegrind::i1mr}, {"ILmr", &Cachegrind::ilmr},
    {"Dr", &Cachegrind::dr},   {"D1mr", &Cachegrind::d1mr}, {"DLmr", &Cachegrind::dlmr},
    {"Dw", &Cachegrind::dw},   {"D1mw", &Cachegrind::d1mw}, {"DLmw", &Cachegrind::dlmw},
    {"Bc", &Cachegrind::bc},   {"Bcm", &Cachegrind::bcm},   {"Bi", &Cachegrind::bi},
    {"Bim", &Cachegrind::bim},
};

std::vector<std::string_view> wordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = line.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(line.find(' ', at), line.size());
    words.push_back(line.substr(at, end - at));
    at = end;
  }
  return words;
}

// The rest of the only line that begins with `key`; nothing if there is none or another.
std::optional<std::string_view> onlyLine(std::string_view text, std::string_view key) {
  std::optional<std::string_view> found;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (!line.starts_with(key)) continue;
    if (found) return std::nullopt;
    found = line.substr(key.size());
  }
  return found;
}

std::optional<std::int64_t> numberOf(std::string_view word) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc() || end != word.data() + word.size() || value < 0) return std::nullopt;
  return value;
}

}  // namespace

Result<Cachegrind> parseCachegrind(std::string_view text) {
  const auto bad = [](std::string_view what) {
    return fail(ErrorCode::kCorrupt, "what cachegrind wrote cannot be read: {}", what);
  };
  const auto events = onlyLine(text, "events:"), summary = onlyLine(text, "summary:");
  if (!events || !summary) return bad("it must have one line 'events:' and one line 'summary:'");
  const std::vector<std::string_view> names = wordsOf(*events), numbers = wordsOf(*summary);
  if (names.size() != numbers.size()) return bad("it has another number of events than of counts");
  Cachegrind counts;
  for (const Field& field : kFields) {
    const auto name = std::find(names.begin(), names.end(), field.name);
    if (name == names.end()) return bad(fmt::format("it does not count {}", field.name));
    const std::string_view word = numbers[static_cast<std::size_t>(name - names.begin())];
    const std::optional<std::int64_t> value = numberOf(word);
    if (!value) return bad(fmt::format("its {} is no count", field.name));
    counts.*field.value = *value;
  }
  return counts;
}

sandbox::ConfinedProgram underCachegrind(sandbox::ConfinedProgram program, const std::string& valgrind) {
  ORDO_CHECK(program.executable.is_absolute(), "{} is not absolute", program.executable.string());
  // Valgrind looks it up by its name, which is then what the program itself sees, wherever it lies.
  std::erase_if(program.environment, [](const std::string& one) { return one.starts_with("PATH="); });
  program.environment.push_back(
      fmt::format("PATH={}:/usr/bin:/bin", program.executable.parent_path().string()));
  program.environment.push_back("TMPDIR=.");
  std::vector<std::string> argv{"valgrind",
                                "-q",
                                "--vgdb=no",
                                "--tool=cachegrind",
                                "--cache-sim=yes",
                                "--branch-sim=yes",
                                "--I1=32768,8,64",
                                "--D1=32768,8,64",
                                "--LL=8388608,16,64",
                                fmt::format("--cachegrind-out-file={}", kCachegrindFile),
                                program.executable.filename().string()};
  argv.insert(argv.end(), program.argv.begin() + 1, program.argv.end());
  program.argv = std::move(argv);
  program.executable = valgrind;
  return program;
}

}  // namespace ordo::running
