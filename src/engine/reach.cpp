#include "engine/reach.h"

#include <algorithm>

#include "engine/worker_only.h"
#include "env/preference.h"
#include "notation/action.h"

namespace ordo::engine {
namespace {

// Says whether calls have to be inlined before anything is made of a state, where a backend has such states.
constexpr std::string_view kMustInline = "must_inline";

// What has to come behind the actions that led to where `session` stands: nothing, for the most part.
Result<std::vector<env::Action>> finishing(const Engine& engine, env::Session& session) {
  const std::vector<env::ObservationInfo>& known = engine.info().observations;
  if (std::ranges::find(known, kMustInline, &env::ObservationInfo::name) == known.end())
    return std::vector<env::Action>{};
  ORDO_TRY_ASSIGN(const env::Observation calls, session.observe(kMustInline));
  if (calls.int64s()[0] == 0) return std::vector<env::Action>{};
  return std::vector<env::Action>{{"always-inline", notation::kPipeline, "always-inline"}};
}

}  // namespace

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

Result<State> halfway(Engine& engine, const Input& input, std::string_view program,
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

Result<State> reach(Engine& engine, const Input& input, std::string_view program,
                    const std::vector<env::Action>& actions) {
  ORDO_TRY_ASSIGN(State state, halfway(engine, input, program, actions));
  ORDO_TRY_ASSIGN(std::vector<env::Action> finish, finishing(engine, *state.session));
  if (finish.empty()) return state;
  std::vector<env::Action> all = actions;
  all.insert(all.end(), finish.begin(), finish.end());
  ORDO_TRY_ASSIGN(state, halfway(engine, input, program, all));
  state.finish = std::move(finish);
  return state;
}

Result<std::vector<env::Action>> finished(Engine& engine, const Input& input, std::string_view program,
                                          std::vector<env::Action> actions) {
  // Where there are no such calls at first there are none later, and most programs are done with here.
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, walk(engine, input, program, {}));
  ORDO_TRY_ASSIGN(std::vector<env::Action> finish, finishing(engine, *session));
  if (finish.empty()) return actions;
  ORDO_TRY_ASSIGN(session, walk(engine, input, program, actions));
  ORDO_TRY_ASSIGN(finish, finishing(engine, *session));
  actions.insert(actions.end(), finish.begin(), finish.end());
  return actions;
}

Result<std::string> compilable(Engine& engine, std::string_view name, std::string_view bitcode) {
  Input input;
  input.toolchain = engine.workerOnly() ? &workerOnly() : &stockLlvm();
  input.program.uri = name;
  ORDO_TRY_ASSIGN(State state, reach(engine, input, bitcode, {}));
  return std::move(state.bitcode);
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
