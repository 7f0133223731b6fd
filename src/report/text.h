// Figures as people read them, and the report that a terminal shows.
#pragma once

#include <string>
#include <vector>

#include "report/analysis.h"

namespace ordo::report {

// "+5.93 %" of 0.0593: an improvement has a sign, and more is better.
std::string percent(double fraction);
// "+5.93 % [+4.82, +7.10]"; the mean alone where no interval is known.
std::string percent(const Estimate& estimate);
// A difference between percentages, likewise: "+0.95 [+0.35, +1.68]".
std::string points(const Estimate& estimate);

// One sentence for each objective: which method won at the largest budget, by how much over both
// baselines, and whether the interval tells it from the second.
std::vector<std::string> headlines(const Analysis& analysis);

// What was compared: programs, suites, methods, seeds, and what is missing.
std::string scope(const Analysis& analysis, const std::string& objective);

// Who is compared in `analysis`, of Panel::kAll, that the main tables leave out: "with a and b".
std::string panelTitle(const std::vector<std::string>& outside);

// How the numbers are made, one sentence each.
std::vector<std::string> definitions(const Analysis& analysis);

// What a table of equal processor times means.
std::string timeDefinition(const Analysis& analysis);

// What the columns of a table of costs mean, and how long methods take to start that are processes.
std::string costDefinition(const std::vector<Cost>& costs);

// How closely the two metrics go together.
std::string correlationSentence(const Analysis& analysis);

// The headlines, and for each objective a table over both baselines at every budget.
std::string terminalReport(const Analysis& analysis);

}  // namespace ordo::report
