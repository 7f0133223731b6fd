// The optimisation levels of clang that serve as baselines.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "support/error.h"

namespace ordo::frontend {

enum class Level : std::uint8_t { kO0, kO1, kO2, kO3, kOs, kOz };

inline constexpr std::array kLevels{Level::kO0, Level::kO1, Level::kO2, Level::kO3, Level::kOs, Level::kOz};

// "O0", "O1", "O2", "O3", "Os", "Oz"
std::string_view name(Level level);

// Accepts "Oz" and "-Oz". kInvalidArgument that lists the levels.
Result<Level> parseLevel(std::string_view text);

// How hard clang's code generator tries at `level`, 0 to 3: -Os and -Oz generate code as -O2 does.
int codegenLevel(Level level);

}  // namespace ordo::frontend
