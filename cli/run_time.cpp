#include "cli/run_time.h"

#include <fmt/ranges.h>
#include <wordexp.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/terminal.h"
#include "engine/limits.h"
#include "env/metric.h"
#include "support/process.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

constexpr double kGrown = 1.1;  // of the text; less is not worth a word

// Whether a shell that is told `word` would run something.
bool runs(const std::string& word) {
  return word.find('/') == std::string::npos ? findProgram({word}).has_value()
                                             : std::filesystem::is_regular_file(word);
}

}  // namespace

Result<timing::Input> parseRun(const std::string& text, const std::string& stdin_file,
                               const std::vector<std::string>& names) {
  wordexp_t words{};
  const int problem = ::wordexp(text.c_str(), &words, WRDE_NOCMD | WRDE_UNDEF);
  timing::Input input;
  input.input = stdin_file;
  input.exit = 0;
  std::string program;
  if (problem == 0 && words.we_wordc > 0) program = words.we_wordv[0];
  for (std::size_t i = 1; problem == 0 && i < words.we_wordc; ++i) input.args.emplace_back(words.we_wordv[i]);
  const bool empty = problem == 0 && words.we_wordc == 0;
  if (problem == 0 || problem == WRDE_NOSPACE) ::wordfree(&words);
  if (problem == 0 && !empty) {
    if (std::ranges::find(names, std::filesystem::path(program).filename().string()) != names.end())
      return input;
    return fail(
        ErrorCode::kInvalidArgument,
        "--run '{}': {}; what is timed is the program that is made, by itself, so write './{} ARGUMENTS', "
        "and --stdin FILE for its standard input",
        text,
        runs(program) ? fmt::format("{} is another program than {}", program, names.front())
                      : fmt::format("there is no {}, and what is made is {}", program, names.front()),
        names.front());
  }
  return fail(
      ErrorCode::kInvalidArgument,
      "--run '{}': {}; write the program and its arguments, './prog -9 big.txt', and --stdin FILE for "
      "its standard input",
      text, empty ? "there is no program in it" : "it is run without a shell");
}

std::string figureText(std::string_view metric, double value) {
  if (!env::isExperiment(metric)) return grouped(value);
  return value < 1 ? fmt::format("{:.2f} ms", 1e3 * value) : fmt::format("{:.3f} s", value);
}

std::string_view metricText(std::string_view metric) {
  return metric.find('=') == std::string_view::npos ? metric : "weighted";
}

std::string limitsText(const recipe::Recipe& recipe) {
  std::string text;
  for (const std::string& asked : recipe.limits) {
    const Result<engine::AskedLimit> limit = engine::parseLimit(asked);
    for (const recipe::Figure& figure : recipe.figures) {
      if (!limit || figure.metric != limit->metric) continue;
      if (std::isinf(limit->amount)) {
        text += fmt::format("  {:16} {}\n", "limit", asked);
        continue;
      }
      const double most = limit->most(figure.baseline);
      text += fmt::format("  {:16} {}: at most {}, the result has {} ({} of that)\n", "limit", asked,
                          grouped(most), grouped(figure.tuned), change(most, figure.tuned));
    }
  }
  return text;
}

std::string growthText(const recipe::Recipe& recipe) {
  for (const recipe::Figure& figure : recipe.figures) {
    if (figure.metric != env::kTextBytes || figure.tuned <= kGrown * figure.baseline) continue;
    return fmt::format(
        "  {:16} the text is {:.2g} times as large ({}); --limit text_bytes=+10% bounds that\n",
        "at the price of", figure.tuned / figure.baseline, change(figure.baseline, figure.tuned));
  }
  return "";
}

std::string timingText(const recipe::Timing& timing) {
  std::string verdict = timing.verdict;
  if (timing.speedup)
    verdict += fmt::format(": {:.4f} x [{:.4f}, {:.4f}]", timing.speedup->value, timing.speedup->low,
                           timing.speedup->high);
  if (timing.p < 1) verdict += fmt::format(", p = {:.1g}", timing.p);
  if (timing.verdict != "faster") verdict += "; the result is the baseline";
  const auto row = [](std::string_view label, std::string_view text) {
    return fmt::format("  {:16} {}\n", label, text);
  };
  std::string runs;
  for (const recipe::Run& run : timing.runs) {
    runs += row(runs.empty() ? "run as" : "", fmt::format("{}: {}{}{}", run.name, fmt::join(run.args, " "),
                                                          run.input.empty() ? "" : " < ", run.input));
  }
  return row("verdict", verdict) + row("because", timing.why) +
         row("timed", fmt::format("{} candidates, {} refused; {} trials", timing.candidates, timing.refused,
                                  timing.trials)) +
         row("compared", timing.checked) + runs;
}

}  // namespace ordo::cli
