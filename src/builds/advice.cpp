#include "builds/advice.h"

#include <filesystem>
#include <vector>

#include "env/advisor_words.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/regular_file.h"

namespace ordo::builds {
namespace {

namespace fs = std::filesystem;

bool isPlain(std::string_view word) {
  return word == "usual" || word == "race" || word == "random" || word.starts_with("random:") ||
         word.starts_with("log=");
}

}  // namespace

Result<std::string> adviceOf(std::string_view text) {
  ORDO_TRY_ASSIGN(const std::vector<std::string> words, env::advisorWords(text));
  std::string advice;
  for (const std::string& word : words) {
    advice += '\n' + word;
    if (isPlain(word)) continue;
    const fs::path file = word.ends_with(".safetensors")
                              ? fs::path(word)
                              : dataDir() / "advisors" / fmt::format("{}.safetensors", word);
    std::error_code ignored;
    if (!fs::exists(file, ignored))
      return fail(ErrorCode::kNotFound, "{}: there is no '{}' ({})", env::kAdvisorsVariable, word,
                  file.string());
    ORDO_TRY_ASSIGN(const std::string weights, readRegularFile(file));
    advice += ' ' + hashBytes(weights).hex();
  }
  return advice;
}

}  // namespace ordo::builds
