// explain_sequence: what each action of a sequence contributes.
#include "agent/answers.h"
#include "agent/tool.h"

namespace ordo::agent {
namespace {

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  ORDO_TRY_ASSIGN(const search::Evaluation evaluation, call.program->measure(sequence));
  ORDO_TRY_ASSIGN(const std::vector<search::Contribution> contributions, call.program->explain(evaluation));
  Json parts = Json::array();
  for (const search::Contribution& part : contributions) {
    Json entry{{"at", part.index}, {"action", call.program->actions()[part.action].name}};
    if (part.status == env::StepStatus::kOk)
      entry["saves"] = number(part.delta);
    else
      entry["needed"] = env::name(part.status);
    parts.push_back(std::move(entry));
  }
  return Json{{"value", number(evaluation.value)},
              {"parts", std::move(parts)},
              {"left_out", sequence.size() - contributions.size()}};
}

}  // namespace

extern const Tool explain_sequence{
    .name = "explain_sequence",
    .title = "What each action contributes",
    .summary =
        "Leaves out each action of a sequence in turn and says what that costs, in the objective's unit. 0 "
        "is an action that does nothing here, below 0 one that does harm. Actions that work together "
        "share their effect.",
    .price = "as many compiles as the sequence has actions",
    .example = R"({"sequence": ["sroa", "gvn", "simplifycfg"]})",
    .on_sequence = true,
    .run = run};

}  // namespace ordo::agent
