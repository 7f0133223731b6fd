// A report as one HTML page that needs nothing else: style and plots are in it. It prints.
#pragma once

#include <string>

#include "report/analysis.h"

namespace ordo::report {

// Duels are against `rival`, one of the study's methods.
std::string htmlReport(const Analysis& analysis, const std::string& rival);

}  // namespace ordo::report
