// measure_sequence: what a sequence is worth.
#include "agent/answers.h"
#include "agent/tool.h"

namespace ordo::agent {
namespace {

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  ORDO_TRY_ASSIGN(const search::Evaluation evaluation, call.program->measure(sequence));
  return measuredJson(*call.program, evaluation);
}

}  // namespace

extern const Tool measure_sequence{
    .name = "measure_sequence",
    .title = "Measure a sequence",
    .summary =
        "Applies a sequence of actions to the unoptimised program and measures the objective. The gain is "
        "over the baseline, as a fraction: 0.05 is 5 % less, and below 0 it is worse. The baseline's own "
        "pipeline is one action (\"clang-Oz\") and may stand in a sequence.",
    .price = "1 compile, none if it was measured before",
    .example = R"({"sequence": ["sroa", "instcombine<no-verify-fixpoint>", "simplifycfg", "clang-Oz"]})",
    .on_sequence = true,
    .run = run};

}  // namespace ordo::agent
