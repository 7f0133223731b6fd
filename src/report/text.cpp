// Every sentence is made from Analysis anew, and the terminal, Markdown and HTML reports all take them from
// here, so that they say the same. The winner is the first row of a ranking, which Analysis has sorted;
// lead() decides how carefully it is called that: by whether there is an interval, and whether all of it is
// above zero. percent() writes what would round to nothing as 0.00, without a sign.
#include "report/text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "report/talks.h"
#include "support/table.h"
#include "support/text.h"

namespace ordo::report {

std::string percent(double fraction) {
  const double value = 100 * fraction;
  return std::abs(value) < 0.005 ? "0.00 %" : fmt::format("{:+.2f} %", value);
}

namespace {

std::string withInterval(std::string mean, const Estimate& estimate) {
  if (!estimate.interval) return mean;
  return fmt::format("{} [{:+.2f}, {:+.2f}]", mean, 100 * estimate.interval->low,
                     100 * estimate.interval->high);
}

// How much more the best method gained than the second.
std::string lead(const Estimate& difference, const std::string& second) {
  const std::string amount = points(difference);
  if (!difference.interval)
    return fmt::format(", {} points more than {} (of which no interval is known)", amount, second);
  if (difference.interval->low > 0) return fmt::format(", {} points more than {}", amount, second);
  return fmt::format(", which the interval does not tell from {} ({} points)", second, amount);
}

}  // namespace

std::string percent(const Estimate& estimate) { return withInterval(percent(estimate.mean), estimate); }

std::string points(const Estimate& estimate) {
  return withInterval(fmt::format("{:+.2f}", 100 * estimate.mean), estimate);
}

std::vector<std::string> headlines(const Analysis& analysis) {
  std::vector<std::string> lines;
  for (const std::string& objective : analysis.objectives()) {
    const Ranking& clang = analysis.ranking(objective, "clang-Oz");
    const Ranking& bare = analysis.ranking(objective, "bare-Oz");
    if (clang.rows.empty() || analysis.programs(objective).empty()) {
      lines.push_back(fmt::format("{}: nothing to compare yet", objective));
      continue;
    }
    const Row& best = clang.rows.front();
    const auto over_bare = std::ranges::find(bare.rows, best.method, &Row::method);
    std::string line =
        fmt::format("{}: {} won with {} over clang-Oz and {} over bare-Oz at {} compiles", objective,
                    best.method, percent(best.clamped.back()), percent(over_bare->clamped.back()),
                    grouped(static_cast<double>(analysis.budgets().back())));
    if (clang.rows.size() > 1) {
      const std::string& second = clang.rows[1].method;
      for (const Duel& duel : analysis.against(second, objective)) {
        if (duel.method != best.method) continue;
        line += lead(duel.by_budget.back().difference, second);
      }
    }
    lines.push_back(line + ".");
  }
  return lines;
}

std::string scope(const Analysis& analysis, const std::string& objective) {
  const std::vector<const study::Program*> programs = analysis.programs(objective);
  std::set<std::string> suites;
  for (const study::Program* program : programs) suites.insert(program->suite);
  std::string text = fmt::format("{} programs of {} suites, {} methods, {} seeds", programs.size(),
                                 suites.size(), analysis.methods().size(), analysis.seeds(objective));
  if (const std::size_t left_out = analysis.leftOut(objective); left_out > 0)
    text += fmt::format("; {} runs are left out because another method has no counterpart yet", left_out);
  return text;
}

std::string panelTitle(const std::vector<std::string>& outside) {
  return fmt::format("With {}", fmt::join(outside, ", "));
}

std::vector<std::string> definitions(const Analysis& analysis) {
  std::vector<std::string> lines{
      "Improvement is (baseline - value) / baseline: more is better. clang-Oz is what clang-22 -Oz makes of "
      "the "
      "program, bare-Oz the weaker research convention: default<Oz> on IR without size attributes. Programs "
      "of LLVM IR get "
      "the attributes minsize and optsize first, as source has them from clang.",
      "A mean is the unweighted mean over suites of the mean over a suite's programs of the mean over seeds; "
      "its "
      "95 % interval is a bootstrap over the programs of each suite and the seeds of each program. Where "
      "each "
      "suite has one program, with one seed or the same result for each, no interval is known, and none is "
      "given.",
      "A compile is one sequence evaluated, from memory or not, wherever the method asked for it. The "
      "baseline and "
      "the untouched program are evaluated first in every run and count as the first two.",
      "Clamped is what ordo tune returns: the better of the method's best and those two, so never worse than "
      "clang-Oz. Unclamped is the method's own best alone; it is 0 where the method found nothing valid.",
      "Smaller budgets are read off the same run. The best at each budget is replayed in a fresh session "
      "without "
      "caches, and that value counts; curves show values as the search saw them.",
      "A run or a program that failed counts as no improvement. Nothing is dropped from a mean."};
  for (const std::string& objective : analysis.objectives()) {
    std::map<std::string, std::size_t> suites;
    for (const study::Program* program : analysis.programs(objective)) ++suites[program->suite];
    const auto alone = std::ranges::count(suites, 1u, [](const auto& suite) { return suite.second; });
    if (alone > 0) {
      lines.push_back(
          fmt::format("{} of {} suites of {} have one program: they add no width to an interval, which is "
                      "too narrow by that.",
                      alone, suites.size(), objective));
    }
    if (analysis.seeds(objective) < 3)
      lines.push_back(
          fmt::format("{} has fewer than 3 seeds: its intervals say little of chance.", objective));
  }
  return lines;
}

std::string timeDefinition(const Analysis& analysis) {
  return fmt::format(
      "Clamped, as the search saw it, when a run had used so much processor time: passes, "
      "measuring and thinking. A run ends after {} compiles and keeps what it had then.",
      grouped(static_cast<double>(analysis.budgets().back())));
}

std::string costDefinition(const std::vector<Cost>& costs) {
  std::string text =
      "Per run, but for the last three columns, which are about all runs. Known: compiles answered from "
      "memory. "
      "Failed: sequences that crashed, ran out of time or memory, or broke the program when first tried. "
      "Thinking: share of the processor time that is the method's own. Harness: share that is ours "
      "(bookkeeping, "
      "messages, waiting without sleep); the rest is passes, verifying and measuring in workers.";
  std::string starts;
  for (const Cost& cost : costs) {
    if (cost.start_s > 0)
      starts += fmt::format("{} {} {:.2f} s", starts.empty() ? "" : ",", cost.method, cost.start_s);
  }
  if (!starts.empty()) text += fmt::format(" Part of it is the start of a process:{}.", starts);
  return text;
}

std::string correlationSentence(const Analysis& analysis) {
  const Correlation correlation = analysis.correlation();
  if (correlation.pairs < 3) {
    return fmt::format("{} results do not tell how instructions and text bytes correlate.",
                       correlation.pairs);
  }
  return fmt::format(
      "Over {} results, instructions and text bytes, both relative to clang-Oz, correlate with {:.2f} "
      "(Pearson) and "
      "{:.2f} (Spearman).",
      correlation.pairs, correlation.pearson, correlation.spearman);
}

std::string terminalReport(const Analysis& analysis) {
  std::string text;
  for (const std::string& line : headlines(analysis)) text += line + "\n";
  for (const std::string& objective : analysis.objectives()) {
    if (analysis.programs(objective).empty()) continue;
    const Ranking& clang = analysis.ranking(objective, "clang-Oz");
    const Ranking& bare = analysis.ranking(objective, "bare-Oz");
    Table out;
    out.columns = {objective};
    for (const std::uint64_t budget : analysis.budgets())
      out.columns.push_back(grouped(static_cast<double>(budget)));
    const std::string largest = grouped(static_cast<double>(analysis.budgets().back()));
    out.columns.push_back("unclamped");
    out.columns.push_back("bare-Oz, " + largest);
    for (const Row& row : clang.rows) {
      std::vector<std::string> cells{row.method};
      for (const Estimate& estimate : row.clamped) cells.push_back(percent(estimate));
      cells.push_back(percent(row.own.back().mean));
      cells.push_back(percent(std::ranges::find(bare.rows, row.method, &Row::method)->clamped.back()));
      out.rows.push_back(std::move(cells));
    }
    out.right.assign(out.columns.size(), true);
    out.right[0] = false;
    text += fmt::format("\n{}: improvement over clang-Oz by compiles\n{}", scope(analysis, objective),
                        format(out));
    if (Table talks = talkTable(analysis.study(), objective); !talks.rows.empty()) {
      talks.right.assign(talks.columns.size(), true);
      talks.right[0] = false;
      text += "\ndialogues of language models\n" + format(talks);
    }
  }
  if (const std::size_t failed = analysis.failures().size(); failed > 0)
    text += fmt::format("\n{} runs failed and count as no improvement; --markdown lists them\n", failed);
  return text;
}

}  // namespace ordo::report
