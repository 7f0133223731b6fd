#include "engine/reach.h"

#include "env/preference.h"

namespace ordo::engine {

Result<std::unique_ptr<env::Session>> walk(Engine& engine, const Input& input, std::string_view program,
                                           const std::vector<env::Action>& actions) {
  env::SessionSpec spec{input.program.uri, std::string(program), actions, input.settings()};
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, engine.backend().open(std::move(spec)));
  std::vector<env::ActionIndex> all(actions.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<env::ActionIndex>(i);
  ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all));
  if (!outcome.ok()) return fail(ErrorCode::kInternal, "{}: {}", env::name(outcome.status), outcome.detail);
  return session;
}

Result<State> reach(Engine& engine, const Input& input, std::string_view program,
                    const std::vector<env::Action>& actions) {
  State state;
  ORDO_TRY_ASSIGN(state.session, walk(engine, input, program, actions));
  ORDO_TRY_ASSIGN(const env::Measurement verdict, state.session->verify());
  if (!verdict.ok()) return fail(ErrorCode::kInternal, "{}: {}", env::name(verdict.status), verdict.detail);
  ORDO_TRY_ASSIGN(const env::Observation made, state.session->observe(engine.info().program));
  state.bitcode = made.text();
  ORDO_TRY_ASSIGN(state.hash, state.session->stateHash());
  return state;
}

Result<double> measured(const State& state, std::string_view objective) {
  ORDO_TRY_ASSIGN(const env::Preference preference, env::parsePreference(objective));
  ORDO_TRY_ASSIGN(const env::Measurement measurement, preference.measure(*state.session));
  if (!measurement.ok()) {
    return fail(ErrorCode::kUnsupported, "measuring {}: {}: {}", objective, env::name(measurement.status),
                measurement.detail);
  }
  return measurement.value;
}

}  // namespace ordo::engine
