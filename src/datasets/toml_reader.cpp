#include "datasets/toml_reader.h"

namespace ordo::datasets {
namespace fs = std::filesystem;

std::string place(const fs::path& path, const toml::source_region& source) {
  return fmt::format("{}:{}:{}", path.string(), source.begin.line, source.begin.column);
}

Result<toml::table> parseToml(std::string_view text, const fs::path& path) {
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

}  // namespace ordo::datasets
