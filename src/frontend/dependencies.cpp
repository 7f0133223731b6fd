// clang writes the rule for make (-M). In it a space in a name is "\ ", a '#' is "\#" and a '$' is "$$"; a
// backslash before a newline joins lines.
#include "frontend/dependencies.h"

#include <algorithm>

#include "frontend/flags.h"
#include "frontend/tool.h"

namespace ordo::frontend {
namespace {

// The one message of clang's that says what is to be done and quotes nothing: which file is missing.
std::string missingFile(std::string_view errors) {
  constexpr std::string_view kNotFound = "' file not found";
  const std::size_t end = errors.find(kNotFound);
  if (end == std::string_view::npos) return "";
  const std::size_t begin = errors.rfind('\'', end - 1);
  if (begin == std::string_view::npos) return "";
  return std::string(errors.substr(begin + 1, end - begin - 1));
}

}  // namespace

std::vector<std::filesystem::path> parseRule(std::string_view rule) {
  std::vector<std::filesystem::path> files;
  const std::size_t colon = rule.find(':');
  if (colon == std::string_view::npos) return files;
  std::string name;
  const auto finish = [&] {
    if (!name.empty()) files.emplace_back(std::move(name));
    name.clear();
  };
  const std::string_view text = rule.substr(colon + 1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\n';
    if (text[i] == '\\' && next == '\n') {
      finish();
      ++i;
    } else if ((text[i] == '\\' && (next == ' ' || next == '#')) || (text[i] == '$' && next == '$')) {
      name += next;
      ++i;
    } else if (text[i] == ' ' || text[i] == '\n' || text[i] == '\t') {
      finish();
    } else {
      name += text[i];
    }
  }
  finish();
  return files;
}

Result<std::vector<std::filesystem::path>> dependencies(const Source& source) {
  ORDO_TRY_ASSIGN(const Flags flags, checkFlags(source.flags, source.language));
  std::vector<std::filesystem::path> units = source.more;
  units.insert(units.begin(), source.path);
  std::vector<std::filesystem::path> files;
  for (const std::filesystem::path& unit : units) {
    std::vector<std::string> argv{source.language.starts_with("c++") ? "clang++-22" : "clang-22"};
    argv.insert(argv.end(), flags.kept.begin(), flags.kept.end());
    // All messages are errors' own: a warning of a file that nobody may see would say what is in it.
    argv.insert(argv.end(), {"-w", "-fno-caret-diagnostics", "-x", source.language, "-M", "-MT", "x", "-c",
                             asWord(unit)});
    ORDO_TRY_ASSIGN(const ProcessResult run, tryTool({std::move(argv), "", source.dir, unit.string()}));
    if (!run.ok()) {
      const std::string missing = missingFile(run.err);
      return fail(ErrorCode::kInvalidArgument, "clang cannot preprocess {}{}", unit.string(),
                  missing.empty() ? "" : fmt::format(": it does not find '{}'", missing));
    }
    std::ranges::move(parseRule(run.out), std::back_inserter(files));
  }
  return files;
}

}  // namespace ordo::frontend
