#include "env/advisor_words.h"

#include <algorithm>
#include <filesystem>

#include "support/files.h"

namespace ordo::env {
namespace {

Status addWords(std::string_view text, bool is_file, std::vector<std::string>& words) {
  constexpr std::string_view kBetween = ", \t\r\n";
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(kBetween), text.size()));
    if (is_file && text.starts_with('#')) {
      text.remove_prefix(std::min(text.find('\n'), text.size()));
      continue;
    }
    const std::string_view word = text.substr(0, text.find_first_of(kBetween));
    text.remove_prefix(word.size());
    if (word.empty()) continue;
    if (!word.starts_with('@')) {
      words.emplace_back(word);
      continue;
    }
    if (is_file) return fail(ErrorCode::kInvalidArgument, "{}: '{}' in a file", kAdvisorsVariable, word);
    ORDO_TRY_ASSIGN(const std::string content, readFile(std::filesystem::path(word.substr(1))));
    ORDO_TRY(addWords(content, /*is_file=*/true, words));
  }
  return {};
}

}  // namespace

Result<std::vector<std::string>> advisorWords(std::string_view text) {
  std::vector<std::string> words;
  ORDO_TRY(addWords(text, /*is_file=*/false, words));
  return words;
}

}  // namespace ordo::env
