#include "cli/summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "cli/run_time.h"
#include "cli/terminal.h"
#include "support/rng.h"

namespace ordo::cli {
namespace {

double percentChange(double from, double to) { return from == 0 ? 0 : 100 * (to - from) / from; }

std::string meanWithInterval(const std::vector<double>& changes) {
  const auto mean = [](const std::vector<double>& values) {
    double sum = 0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
  };
  constexpr std::size_t kResamples = 2000;
  Rng rng(1);
  std::vector<double> means;
  std::vector<double> sample(changes.size());
  for (std::size_t i = 0; i < kResamples; ++i) {
    for (double& value : sample) value = changes[rng.below(changes.size())];
    means.push_back(mean(sample));
  }
  std::sort(means.begin(), means.end());
  return fmt::format("{:+.2f} % [{:+.2f}, {:+.2f}]", mean(changes), means[kResamples / 40],
                     means[kResamples - kResamples / 40 - 1]);
}

}  // namespace

std::string summaryTable(const std::vector<recipe::Recipe>& recipes, std::size_t failed) {
  if (recipes.empty()) return {};
  const recipe::Recipe& first = recipes.front();
  const std::string bare = "bare-" + first.baseline.substr(first.baseline.find('-') + 1);
  // Of run time only the baseline that was asked for is measured.
  const bool timed = first.timing.has_value();
  std::string text = fmt::format("{:16} {:>12} {:>12} {:>10}", metricText(first.objective), "tuned",
                                 first.baseline, "change");
  text += timed ? "  verdict\n" : fmt::format(" {:>12} {:>10}\n", bare, "change");
  std::vector<double> over_baseline(failed, 0.0), over_bare(failed, 0.0);
  for (const recipe::Recipe& recipe : recipes) {
    const recipe::Figure& figure = recipe.figures.front();
    text += fmt::format("{:16} {:>12} {:>12} {:>10}", recipe.program, figureText(figure.metric, figure.tuned),
                        figureText(figure.metric, figure.baseline), change(figure.baseline, figure.tuned));
    text += timed ? fmt::format("  {}\n", recipe.timing->verdict)
                  : fmt::format(" {:>12} {:>10}\n", figure.bare ? grouped(*figure.bare) : "",
                                figure.bare ? change(*figure.bare, figure.tuned) : "");
    over_baseline.push_back(percentChange(figure.baseline, figure.tuned));
    if (figure.bare) over_bare.push_back(percentChange(*figure.bare, figure.tuned));
  }
  // One says nothing of others.
  if (over_baseline.size() < 2) return text;
  text += fmt::format("mean of {} programs, 95 % interval: {} against {}", over_baseline.size(),
                      meanWithInterval(over_baseline), first.baseline);
  text += over_bare.size() < over_baseline.size()
              ? "\n"
              : fmt::format(", {} against {}\n", meanWithInterval(over_bare), bare);
  if (failed > 0) text += fmt::format("{} without a result count as no change\n", failed);
  return text;
}

}  // namespace ordo::cli
