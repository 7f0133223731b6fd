// ordo report: what a study says. Not called report.cpp, because cli::report() is how errors are said.
#include <algorithm>

#include "cli/command.h"
#include "cli/terminal.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/text.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string study;
  std::string markdown, html;
  std::string rival;
  bool leaderboard = false;
  bool summary = false;
};

// The method that others are compared with: as asked for, or random search, the bar any other must clear.
Result<std::string> chooseRival(const Options& options, const std::vector<std::string>& methods) {
  if (methods.empty())
    return fail(ErrorCode::kInvalidArgument, "{} has no finished run yet; let 'ordo eval' go on",
                options.study);
  const auto known = [&](std::string_view name) { return std::ranges::find(methods, name) != methods.end(); };
  if (options.rival.empty()) return known("random") ? "random" : methods.front();
  if (known(options.rival)) return options.rival;
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("method", options.rival, methods));
}

Status write(const Options& options) {
  ORDO_TRY_ASSIGN(const study::Study study, study::readStudy(options.study));
  const report::Analysis analysis(study);
  ORDO_TRY_ASSIGN(const std::string rival, chooseRival(options, analysis.methods()));
  if (!options.markdown.empty())
    ORDO_TRY(writeFile(options.markdown, report::markdownReport(analysis, rival)));
  if (!options.html.empty()) ORDO_TRY(writeFile(options.html, report::htmlReport(analysis, rival)));
  fmt::print("{}", options.leaderboard ? report::leaderboard(analysis)
                   : options.summary   ? report::summary(analysis)
                                       : report::terminalReport(analysis));
  return {};
}

}  // namespace

extern const CommandInfo study_report{
    .name = "report",
    .summary = "say what a study of 'ordo eval' found",
    .examples =
        "  ordo report s.sqlite\n"
        "  ordo report s.sqlite --html s.html --markdown s.md --against random\n"
        "  ordo report s.sqlite --leaderboard > docs/leaderboard.md\n",
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("STUDY", options->study, "a file of 'ordo eval', finished or not")->required();
      app.add_option("--markdown", options->markdown, "where to write the report as Markdown");
      app.add_option("--html", options->html, "where to write it as one page with plots");
      app.add_option("--against", options->rival, "the method that others are compared with [random]");
      app.add_flag("--leaderboard", options->leaderboard, "print the ranking as Markdown");
      app.add_flag("--summary", options->summary, "print what won, by size of program, as Markdown");
      return [options](const std::vector<std::string>&) {
        const Status written = write(*options);
        return written ? kOk : report(written.error());
      };
    }};

}  // namespace ordo::cli
