#include "check/check.h"

#include <algorithm>

#include "frontend/alive.h"

namespace ordo::check {
namespace {

using differ::FunctionReport;

Result<Check> checkIr(engine::Engine& engine, const engine::Input& input, const std::string& optimized) {
  env::SessionSpec spec{input.program.uri, optimized, {}, input.settings()};
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(spec)));
  ORDO_TRY_ASSIGN(const env::Measurement verdict, session->verify());
  return verdict.ok() ? passed("ir", "LLVM's verifier accepts it") : failed("ir", verdict.detail);
}

Check checkWithAlive(const std::string& original, const std::string& optimized, double seconds) {
  const Result<std::optional<frontend::AliveReport>> asked = frontend::askAlive(original, optimized, seconds);
  if (!asked) return skipped("alive", asked.error().message);
  if (!*asked) return skipped("alive", "alive-tv (Alive2) is not installed");
  const frontend::AliveReport& report = **asked;
  const std::string counts = fmt::format("{} functions proved, {} refuted, {} not decided", report.correct,
                                         report.incorrect, report.unknown);
  if (report.incorrect > 0) return failed("alive", fmt::format("{}: {}", counts, report.first));
  return report.correct > 0 ? passed("alive", counts) : skipped("alive", counts);
}

const Check* find(const std::vector<Check>& checks, std::string_view name) {
  const auto found =
      std::find_if(checks.begin(), checks.end(), [&](const Check& check) { return check.name == name; });
  return found == checks.end() ? nullptr : &*found;
}

}  // namespace

bool Checked::ok() const {
  return std::none_of(checks.begin(), checks.end(),
                      [](const Check& check) { return check.verdict == Verdict::kFailed; });
}

std::string Checked::assurance() const {
  const Check* output = find(checks, "output");
  if (output != nullptr && output->verdict != Verdict::kSkipped) return "ran and compared";
  if (functions && functions->count(FunctionReport::Verdict::kSkipped) < functions->functions.size())
    return fmt::format("functions compared ({} of {}, {} % of blocks)",
                       functions->functions.size() - functions->count(FunctionReport::Verdict::kSkipped),
                       functions->functions.size(),
                       functions->blocks == 0 ? 0 : functions->reached * 100 / functions->blocks);
  return "verified IR only";
}

Check checkFunctions(const std::string& original, const std::string& optimized, const CheckOptions& options,
                     std::optional<differ::Report>& report) {
  differ::Request request;
  request.original = original;
  request.optimized = optimized;
  request.seconds = options.seconds;
  request.limit_s = options.limit_s;
  request.seed = options.seed;
  Result<differ::Report> compared = differ::compare(request);
  if (!compared) return skipped("functions", compared.error().message);
  report = *std::move(compared);
  if (const FunctionReport* wrong = report->wrong()) {
    return failed("functions", fmt::format("{}{}{}", report->summary(), wrong->input.empty() ? "" : " for ",
                                           wrong->input));
  }
  const bool any = report->count(FunctionReport::Verdict::kEqual) > 0;
  return any ? passed("functions", report->summary()) : skipped("functions", report->summary());
}

Result<Checked> check(engine::Engine& engine, const engine::Input& input, const std::string& optimized,
                      const std::vector<env::Action>& actions, const CheckOptions& options) {
  Checked result;
  ORDO_TRY_ASSIGN(Check of_ir, checkIr(engine, input, optimized));
  const bool valid = of_ir.verdict == Verdict::kPassed;
  result.checks.push_back(std::move(of_ir));
  if (!valid) return result;
  if (options.run) {
    ORDO_TRY_ASSIGN(const Behaviour reference,
                    observeBehaviour(input.program, input.source, input.baseline.level));
    ORDO_TRY_ASSIGN(Check of_output, checkOutput(reference, optimized, actions, options.retries));
    result.checks.push_back(std::move(of_output));
    ORDO_TRY_ASSIGN(Check of_address, checkAddress(reference, optimized, options.retries));
    result.checks.push_back(std::move(of_address));
    result.checks.push_back(reference.source_check);
  }
  result.checks.push_back(
      input.toolchain->runsHere(input)
          ? checkFunctions(input.compiled.bytes, optimized, options, result.functions)
          : skipped("functions", "they are run and compared for this machine's programs only"));
  result.checks.push_back(checkWithAlive(input.compiled.bytes, optimized, options.alive_seconds));
  return result;
}

}  // namespace ordo::check
