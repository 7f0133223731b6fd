// The functions only arrange what Analysis has worked out, as cells of finished text; how a table looks is
// for those who print it. Rows keep its order, which in a ranking is the best first; so winnersTable() may
// take the first of equal ones. Failures are gathered by program and reason in a map, so that a reason that
// many runs share is one row. A cell is empty where a method has no value.
#include "report/tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "report/text.h"
#include "support/text.h"

namespace ordo::report {
namespace {

std::vector<std::string> budgetColumns(const Analysis& analysis, std::string first) {
  std::vector<std::string> columns{std::move(first)};
  for (const std::uint64_t budget : analysis.budgets())
    columns.push_back(grouped(static_cast<double>(budget)) + " compiles");
  return columns;
}

std::string score(std::size_t wins, std::size_t ties, std::size_t losses) {
  return fmt::format("{} / {} / {}", wins, ties, losses);
}

std::string share(double fraction) { return fmt::format("{:.1f} %", 100 * fraction); }

}  // namespace

Table winnersTable(const Analysis& analysis) {
  Table table{budgetColumns(analysis, "highest mean"), {}};
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    for (const std::string& baseline : Analysis::baselines()) {
      const std::vector<Row>& rows = analysis.ranking(objective, baseline).rows;
      if (rows.empty()) continue;
      std::vector<std::string> cells{fmt::format("{} over {}", objective, baseline)};
      for (std::size_t budget = 0; budget < analysis.budgets().size(); ++budget) {
        const Row& winner = *std::ranges::max_element(
            rows, {}, [budget](const Row& row) { return row.clamped[budget].mean; });
        cells.push_back(fmt::format("{} {}", winner.method, percent(winner.clamped[budget])));
      }
      table.rows.push_back(std::move(cells));
    }
  }
  return table;
}

Table rankingTable(const Analysis& analysis, const Ranking& ranking) {
  Table table{budgetColumns(analysis, "method"), {}};
  table.columns.push_back("wins / ties / losses");
  for (const Row& row : ranking.rows) {
    std::vector<std::string> clamped{row.method}, own{row.method + ", unclamped"};
    for (const Estimate& estimate : row.clamped) clamped.push_back(percent(estimate));
    for (const Estimate& estimate : row.own) own.push_back(percent(estimate));
    clamped.emplace_back();
    own.push_back(score(row.wins, row.ties, row.losses));
    table.rows.push_back(std::move(clamped));
    table.rows.push_back(std::move(own));
  }
  return table;
}

Table timeTable(const TimeRanking& ranking) {
  Table table{{"method"}, {}};
  for (const double limit : ranking.seconds) table.columns.push_back(fmt::format("{:g} CPU s", limit));
  for (const TimeRanking::Row& row : ranking.rows) {
    std::vector<std::string> cells{row.method};
    for (const Estimate& estimate : row.clamped) cells.push_back(percent(estimate));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table duelTable(const Analysis& analysis, const std::vector<Duel>& duels) {
  Table table{budgetColumns(analysis, "method"), {}};
  table.columns.push_back("wins / ties / losses");
  for (const Duel& duel : duels) {
    std::vector<std::string> cells{duel.method};
    for (const Comparison& comparison : duel.by_budget) {
      cells.push_back(points(comparison.difference));
      if (comparison.p)
        cells.back() += *comparison.p < 0.001 ? ", p < 0.001" : fmt::format(", p = {:.3f}", *comparison.p);
    }
    cells.push_back(score(duel.wins, duel.ties, duel.losses));
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table groupTable(const Analysis& analysis, const std::string& what,
                 const std::vector<Analysis::Group>& groups) {
  Table table{{what, "programs"}, {}};
  table.columns.insert(table.columns.end(), analysis.methods().begin(), analysis.methods().end());
  for (const Analysis::Group& group : groups) {
    std::vector<std::string> cells{group.name, std::to_string(group.programs)};
    for (const std::string& method : analysis.methods()) {
      const auto value = group.values.find(method);
      cells.push_back(value == group.values.end() ? "" : percent(value->second));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table programTable(const Analysis& analysis, const std::string& objective) {
  Table table{{"program", "clang-Oz", "bare-Oz"}, {}};
  table.columns.insert(table.columns.end(), analysis.methods().begin(), analysis.methods().end());
  for (const Analysis::Group& group : analysis.byProgram(objective, "clang-Oz")) {
    const study::Program& program = *analysis.study().program(group.name);
    std::vector<std::string> cells{program.uri};
    for (const std::string& baseline : Analysis::baselines())
      cells.push_back(grouped(study::valueOf(program, baseline, objective).value_or(0)));
    for (const std::string& method : analysis.methods()) {
      const auto value = group.values.find(method);
      cells.push_back(value == group.values.end() ? "" : percent(value->second.mean));
    }
    table.rows.push_back(std::move(cells));
  }
  return table;
}

Table costTable(const std::vector<Cost>& costs) {
  Table table{{"method", "compiles", "passes", "CPU s", "wall s", "known", "failed", "thinking", "harness",
               "peak MiB", "workers died", "differed in replay"},
              {}};
  for (const Cost& cost : costs) {
    table.rows.push_back({cost.method, grouped(cost.evaluations), grouped(cost.passes),
                          fmt::format("{:.2f}", cost.cpu_s), fmt::format("{:.2f}", cost.wall_s),
                          share(cost.known_share), share(cost.failed_share), share(cost.method_share),
                          share(cost.harness_share), fmt::format("{:.0f}", cost.peak_bytes / (1 << 20)),
                          std::to_string(cost.workers_died),
                          fmt::format("{} of {}", cost.divergences, cost.runs)});
  }
  return table;
}

Table failureTable(const Analysis& analysis) {
  std::map<std::pair<std::string, std::string>, std::pair<std::set<std::string>, std::size_t>> reasons;
  for (const study::Run* run : analysis.failures()) {
    auto& [methods, count] = reasons[{run->key.program, run->failure}];
    methods.insert(run->key.method);
    ++count;
  }
  Table table{{"program", "runs", "methods", "reason"}, {}};
  for (const auto& [what, who] : reasons) {
    table.rows.push_back({what.first, std::to_string(who.second),
                          who.first.size() == 1 ? *who.first.begin() : std::to_string(who.first.size()),
                          what.second});
  }
  return table;
}

Table provenanceTable(const study::Study& study) {
  const study::Settings& settings = study.settings;
  Table table{
      {},
      {{"study file", fmt::format("XXH3-128 {}{}", study.file_hash,
                                  study.in_progress ? " (unfinished: it will change)" : "")},
       {"made by", fmt::format("Ordo {}, {}, {}", settings.ordo_version, settings.backend, settings.target)},
       {"actions", fmt::format("space {}, hash {}; sequences of up to {}", settings.space,
                               settings.space_hash, settings.max_length)}}};
  for (const auto& [key, value] : study.notes) table.rows.push_back({key, value});
  return table;
}

}  // namespace ordo::report
