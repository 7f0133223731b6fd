// The tables of a report, whatever it is written in. Their first columns are text, the others figures.
#pragma once

#include <string>

#include "report/analysis.h"
#include "support/table.h"

namespace ordo::report {

// A row for each objective over each baseline: the method with the highest mean at each budget, clamped; of
// equal ones the better at the largest budget.
Table winnersTable(const Analysis& analysis);

// Two rows for each method, clamped and unclamped, over all budgets.
Table rankingTable(const Analysis& analysis, const Ranking& ranking);

// A row for each method over all limits of processor time.
Table timeTable(const TimeRanking& ranking);

// A row for each method but the rival: differences at every budget.
Table duelTable(const Analysis& analysis, const std::vector<Duel>& duels);

// A row for each group, a column for each method. `what` heads the first column.
Table groupTable(const Analysis& analysis, const std::string& what,
                 const std::vector<Analysis::Group>& groups);

// A row for each program: what the baselines make of it, and each method's mean over seeds.
Table programTable(const Analysis& analysis, const std::string& objective);

Table costTable(const std::vector<Cost>& costs);

// A row for each program and reason, with how many runs ended so.
Table failureTable(const Analysis& analysis);

// What the study was made of, in two columns.
Table provenanceTable(const study::Study& study);

}  // namespace ordo::report
