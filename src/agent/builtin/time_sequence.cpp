// time_sequence: the run time of what a sequence makes, beside the baseline's, as an experiment.
#include <array>
#include <cmath>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "agent/tool.h"
#include "runtime/built_field.h"
#include "runtime/immediate.h"
#include "runtime/timing.h"
#include "support/clock.h"
#include "timing/field_experiment.h"

namespace ordo::agent {
namespace {

constexpr double kMostTimesBaseline = 4;  // longer runs of a candidate are ended

constexpr std::array kParameters{Parameter{.name = "seconds",
                                           .type = ParameterType::kNumber,
                                           .summary = "How long to measure, about.",
                                           .absent = "20",
                                           .least = 2,
                                           .most = 300}};

std::string_view name(env::Verdict verdict) {
  switch (verdict) {
    case env::Verdict::kBetter:
      return "faster";
    case env::Verdict::kWorse:
      return "slower";
    case env::Verdict::kNoDifference:
      return "no difference shown";
    case env::Verdict::kVoid:
      break;
  }
  return "void";
}

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  OpenedProgram& program = *call.program;
  std::vector<timing::Input> inputs = runtime::timingInputs(program.input().program);
  if (inputs.empty())
    return fail(ErrorCode::kUnsupported,
                "nothing says how the program is run: it needs a program.toml with tests or runs");
  // What fails is not to be run.
  ORDO_TRY(program.measure(sequence));
  timing::RigOptions rig;
  rig.dir = program.input().program.dir;
  rig.stop = program.stop();
  rig.most_times_baseline = kMostTimesBaseline;
  ORDO_TRY_ASSIGN(TempDir dir, TempDir::create());
  runtime::BuiltField field(program.engine(), program.input(), program.spec(), program.baseline(),
                            std::move(inputs), std::move(rig), program.seed(), std::move(dir));
  ORDO_TRY(field.prepare());
  ORDO_TRY_ASSIGN(const runtime::Added added, field.add(sequence));
  if (added.code == runtime::Added::Code::kNone)
    return fail(ErrorCode::kUnsupported, "what the sequence makes cannot be built into a program");
  if (added.code == runtime::Added::Code::kBaselines)
    return Json{{"verdict", name(env::Verdict::kNoDifference)},
                {"speedup", 1},
                {"why", "its code is the baseline's, byte for byte"}};
  const SteadyClock clock;
  timing::TrialOptions trial;
  trial.stop = program.stop();
  timing::FieldExperiment experiment(field, clock, trial);
  env::Allowance allowance;
  allowance.budget_s = call.arguments.number("seconds");
  allowance.seed = program.seed();
  allowance.on_progress = [&](unsigned done, unsigned planned) {
    call.progress(done, planned, "running both");
  };
  ORDO_TRY_ASSIGN(const env::Claim claim, experiment.ask(0, allowance));
  Json reply{{"verdict", name(claim.verdict)}};
  if (claim.effect) {
    reply["speedup"] = fraction(std::exp(claim.effect->value));
    reply["low"] = fraction(std::exp(claim.effect->low));
    reply["high"] = fraction(std::exp(claim.effect->high));
    reply["p"] = claim.effect->p;
  }
  reply["why"] = foreignText(claim.why, 400);
  return reply;
}

}  // namespace

extern const Tool time_sequence{
    .name = "time_sequence",
    .title = "Run time of a candidate",
    .summary =
        "Builds what a sequence makes and what the baseline makes, runs both in turns on the program's own "
        "inputs, and says whether one is faster, with an interval. Only for programs that say how they are "
        "run.",
    .price = "1 compile, none if it was measured before, and the seconds that are asked for",
    .example = R"({"seconds": 10})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
