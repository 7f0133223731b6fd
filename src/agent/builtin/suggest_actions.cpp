// suggest_actions: what the small policy would do from here, and why.
#include <array>

#include "agent/answers.h"
#include "agent/foreign_text.h"
#include "agent/tool.h"
#include "env/metric.h"
#include "tune/critic.h"
#include "tune/retrace.h"

namespace ordo::agent {
namespace {

constexpr std::string_view kInstructions = env::kIrInstructions;
constexpr std::size_t kReasons = 3;

constexpr std::array kParameters{Parameter{.name = "count",
                                           .type = ParameterType::kInteger,
                                           .summary = "How many actions to name.",
                                           .absent = "5",
                                           .least = 1,
                                           .most = 20}};

// A session that the policy follows.
class Walk {
 public:
  Walk(env::Session& session, tune::Critic& critic) : session_(session), critic_(critic) {}

  // Goes on by these actions, and has the critic look. False where it cannot, or the action fails.
  Result<bool> go(std::vector<env::ActionIndex> actions) {
    env::StepRequest request;
    request.actions = actions;
    request.metrics = {std::string(kInstructions)};
    request.observations = critic_.observations();
    request.hash = true;
    request.verify = false;
    ORDO_TRY_ASSIGN(const env::StepReport report, session_.step(request));
    if (!report.outcome.ok() || !report.measurements.front().ok()) return false;
    changed_ = report.hash != hash_;
    hash_ = report.hash;
    so_far_.insert(so_far_.end(), actions.begin(), actions.end());
    return critic_.consider(so_far_, report.observations, report.measurements.front().value);
  }

  bool changed() const { return changed_; }
  const search::Sequence& soFar() const { return so_far_; }

 private:
  env::Session& session_;
  tune::Critic& critic_;
  search::Sequence so_far_;
  Hash128 hash_;
  bool changed_ = false;
};

// What it would do to the end: the likeliest action that does something, until it would rather stop.
Result<search::Sequence> followed(Walk& walk, tune::Critic& critic) {
  search::Sequence answer = walk.soFar();
  std::vector<env::ActionIndex> idle;  // since the last change
  while (answer.size() < OpenedProgram::kMaxLength) {
    std::optional<env::ActionIndex> next;
    for (const std::size_t choice : critic.ranking()) {
      const std::optional<env::ActionIndex> action = critic.actionOf(choice);
      if (!action) break;  // it stops
      if (std::ranges::find(idle, *action) != idle.end()) continue;
      next = action;
      break;
    }
    if (!next) break;
    ORDO_TRY_ASSIGN(const bool seen, walk.go({*next}));
    if (!seen) break;
    if (walk.changed()) {
      answer = walk.soFar();
      idle.clear();
    } else {
      idle.push_back(*next);
    }
    if (walk.soFar().size() >= OpenedProgram::kMaxLength) break;
  }
  return answer;
}

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  ORDO_TRY_ASSIGN(tune::Critic* const critic, call.program->critic());
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, call.program->session());
  Walk walk(*session, *critic);
  // The program as given is what it compares with.
  ORDO_TRY(walk.go({}));
  ORDO_TRY_ASSIGN(const bool seen, walk.go(sequence));
  if (!seen)
    return fail(ErrorCode::kUnsupported, "the policy cannot say: the sequence fails or is too long for it");
  Json choices = Json::array();
  for (const std::size_t choice : critic->ranking()) {
    if (choices.size() == static_cast<std::size_t>(call.arguments.integer("count"))) break;
    const tune::Opinion opinion = critic->opinion(choice);
    Json why = Json::array();
    for (const tune::Clue& clue : opinion.clues) {
      if (why.size() < kReasons)
        why.push_back(fmt::format("{} ({})", foreignText(clue.words, 200), tune::oddsFactor(clue.log_odds)));
    }
    choices.push_back({{"action", critic->name(choice)},
                       {"probability", fraction(opinion.probability)},
                       {"why", std::move(why)}});
  }
  ORDO_TRY_ASSIGN(const search::Sequence answer, followed(walk, *critic));
  return Json{{"choices", std::move(choices)}, {"answer", {{"sequence", call.program->names(answer)}}}};
}

}  // namespace

extern const Tool suggest_actions{
    .name = "suggest_actions",
    .title = "What the small policy would do",
    .summary =
        "What Ordo's small learned policy would do after a sequence: the likeliest next actions with what "
        "spoke for and against them (and the factor on their odds), and the whole sequence it would go "
        "on to. A good first guess: ask it about the empty sequence [] and measure its answer.",
    .price = "no compile; passes are run",
    .example = R"({"sequence": [], "count": 3})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
