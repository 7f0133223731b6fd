#include "web/states.h"

#include <algorithm>

#include "engine/stock.h"
#include "frontend/clang.h"

namespace ordo::web {
namespace {

constexpr const char* kInstructions = "ir_instructions";
constexpr const char* kFeatures = "autophase";
constexpr std::size_t kKnown = 20000;
constexpr std::size_t kTextBytes = std::size_t{64} << 20;  // of each kind of text

}  // namespace

States::States(agent::OpenedProgram& program)
    : program_(program), preference_(*env::parsePreference(program.objective())), sessions_(program) {
  Result<tune::Critic*> critic = program.critic();
  if (critic)
    critic_ = *critic;
  else
    no_policy_ = critic.error().message;
}

env::StepRequest States::request() const {
  env::StepRequest request;
  request.hash = true;
  request.metrics = {kInstructions};
  if (critic_ != nullptr) request.observations = critic_->observations();
  request.observations.emplace_back(kFeatures);
  request.spin = false;
  return request;
}

bool States::consider(std::span<const env::ActionIndex> sequence, const env::StepReport& report) {
  return critic_ != nullptr &&
         critic_->consider(sequence, std::span(report.observations).first(critic_->observations().size()),
                           report.measurements.front().value);
}

Result<const State*> States::look(std::span<const env::ActionIndex> sequence) {
  search::Sequence key(sequence.begin(), sequence.end());
  if (const auto found = known_.find(key); found != known_.end()) return &found->second;
  const std::span<const env::ActionIndex> before = sequence.first(sequence.empty() ? 0 : sequence.size() - 1);
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, sessions_.take(before));
  env::StepRequest step = request();
  step.actions.assign(sequence.begin() + static_cast<std::ptrdiff_t>(before.size()), sequence.end());
  ORDO_TRY_ASSIGN(const env::StepReport report, session->step(step));
  State state;
  state.status = report.outcome.status;
  state.detail = report.outcome.detail;
  state.hash = report.hash;
  if (state.ok() && !report.measurements.front().ok()) {
    state.status = report.measurements.front().status;
    state.detail = report.measurements.front().detail;
  }
  if (state.ok()) {
    state.instructions = report.measurements.front().value;
    const std::span<const std::int64_t> features = report.observations.back().int64s();
    state.features.assign(features.begin(), features.end());
    if (consider(sequence, report)) {
      for (const std::size_t choice : critic_->ranking()) {
        const tune::Critic& critic = *critic_;
        const std::optional<env::ActionIndex> action = critic.actionOf(choice);
        state.preferred.push_back(
            {action ? program_.actions()[*action].name : "stop", critic.probability(choice)});
      }
    }
    ORDO_TRY_ASSIGN(const env::Measurement value, preference_.measure(*session));
    state.value = value.value;
    state.status = value.status;
    state.detail = value.detail;
  }
  if (state.ok()) sessions_.leave(key, std::move(session));
  return &known_.emplace(std::move(key), std::move(state)).first->second;
}

Result<std::vector<const State*>> States::along(const search::Sequence& sequence) {
  // Not while what is returned is in use.
  if (known_.size() > kKnown) known_.clear();
  std::vector<const State*> states;
  for (std::size_t i = 0; i <= sequence.size(); ++i) {
    ORDO_TRY_ASSIGN(const State* const state, look(std::span(sequence).first(i)));
    states.push_back(state);
    if (!state->ok()) break;
  }
  return states;
}

Result<tune::Opinion> States::opinion(const search::Sequence& sequence, const std::string& action) {
  if (critic_ == nullptr) return fail(ErrorCode::kUnsupported, "{}", no_policy_);
  ORDO_TRY(along({}));  // what it compares with
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, sessions_.take(sequence));
  ORDO_TRY_ASSIGN(const env::StepReport report, session->step(request()));
  if (!report.outcome.ok() || !consider(sequence, report))
    return fail(ErrorCode::kUnsupported, "the policy cannot say: the sequence is too long for it");
  for (const std::size_t choice : critic_->ranking()) {
    const std::optional<env::ActionIndex> named = critic_->actionOf(choice);
    if ((named ? program_.actions()[*named].name : "stop") != action) continue;
    tune::Opinion opinion = critic_->opinion(choice);
    sessions_.leave(sequence, std::move(session));
    return opinion;
  }
  return fail(ErrorCode::kUnsupported, "the policy does not know '{}', or would not consider it here",
              action);
}

const std::string& States::keep(Texts& texts, const search::Sequence& sequence, std::string text) {
  std::size_t bytes = text.size();
  for (const auto& [of, kept] : texts) bytes += kept.size();
  if (bytes > kTextBytes) texts.clear();
  return texts[sequence] = std::move(text);
}

Result<std::string> States::ir(const search::Sequence& sequence) {
  if (const auto found = ir_.find(sequence); found != ir_.end()) return found->second;
  ORDO_TRY(along(sequence));
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, sessions_.take(sequence));
  ORDO_TRY_ASSIGN(const env::Observation view, session->observe("ir"));
  std::string text(view.text());
  sessions_.leave(sequence, std::move(session));
  return keep(ir_, sequence, std::move(text));
}

Result<std::string> States::assembly(const search::Sequence& sequence) {
  if (const auto found = assembly_.find(sequence); found != assembly_.end()) return found->second;
  ORDO_TRY_ASSIGN(const engine::State state, program_.reach(sequence));
  const frontend::Source source =
      engine::emissionSource(program_.input().source, program_.actionsOf(sequence));
  ORDO_TRY_ASSIGN(std::string text,
                  frontend::emitAssembly(state.bitcode, program_.input().baseline.level, source));
  return keep(assembly_, sequence, std::move(text));
}

}  // namespace ordo::web
