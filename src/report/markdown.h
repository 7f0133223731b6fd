// Reports as Markdown.
#pragma once

#include <string>

#include "report/analysis.h"

namespace ordo::report {

// Everything but the curves. Duels are against `rival`, one of the study's methods.
std::string markdownReport(const Analysis& analysis, const std::string& rival);

// The ranking alone, as docs/leaderboard.md has it.
std::string leaderboard(const Analysis& analysis);

// What won and how that depends on the size of programs, as docs/results.md has it.
std::string summary(const Analysis& analysis);

}  // namespace ordo::report
