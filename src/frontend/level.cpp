#include "frontend/level.h"

#include <string>
#include <vector>

#include "support/text.h"

namespace ordo::frontend {

std::string_view name(Level level) {
  switch (level) {
    case Level::kO0:
      return "O0";
    case Level::kO1:
      return "O1";
    case Level::kO2:
      return "O2";
    case Level::kO3:
      return "O3";
    case Level::kOs:
      return "Os";
    case Level::kOz:
      return "Oz";
  }
  return "unknown";
}

Result<Level> parseLevel(std::string_view text) {
  std::string_view word = text;
  if (word.starts_with('-')) word.remove_prefix(1);
  std::vector<std::string> names;
  for (Level level : kLevels) {
    if (name(level) == word) return level;
    names.emplace_back(name(level));
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("level", text, names));
}

int codegenLevel(Level level) {
  switch (level) {
    case Level::kO0:
      return 0;
    case Level::kO1:
      return 1;
    case Level::kO3:
      return 3;
    case Level::kO2:
    case Level::kOs:
    case Level::kOz:
      return 2;
  }
  return 2;
}

}  // namespace ordo::frontend
