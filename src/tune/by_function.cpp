#include "tune/by_function.h"

#include <algorithm>
#include <array>
#include <set>

#include "engine/objective.h"
#include "engine/reach.h"
#include "env/metric.h"
#include "notation/action.h"
#include "notation/function_sequence.h"

namespace ordo::tune {
namespace {

constexpr const char* kNames = "function_names";

// The observation that says of each function what `objective` says of all.
const char* partsOf(const std::string& objective) {
  if (objective == env::kIrInstructions) return "function_instructions";
  if (objective == env::kTextBytes || objective == env::kCodeBytes) return "function_bytes";
  return nullptr;
}

std::vector<double> asDoubles(const env::Observation& observation) {
  std::vector<double> numbers;
  for (const std::int64_t number : observation.int64s()) numbers.push_back(static_cast<double>(number));
  return numbers;
}

std::vector<std::string> namesIn(std::string_view text) {
  std::vector<std::string> names;
  while (!text.empty()) {
    names.emplace_back(text.substr(0, text.find('\0')));
    text.remove_prefix(std::min(names.back().size() + 1, text.size()));
  }
  return names;
}

// The state that `choices` make of a program.
class Emitter {
 public:
  Emitter(engine::Engine& engine, const engine::Input& input, const std::string& program)
      : engine_(engine), input_(input), program_(program) {}

  // Nothing: a pass fails on it, or it is not valid.
  Result<std::unique_ptr<env::Session>> session(const env::Choices& choices) {
    env::SessionSpec spec{input_.program.uri, program_, {env::choose(choices)}, input_.settings()};
    ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, engine_.backend().open(std::move(spec)));
    const std::array<env::ActionIndex, 1> all{0};
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all));
    if (!outcome.ok()) return nullptr;
    ORDO_TRY_ASSIGN(const env::Measurement verdict, session->verify());
    return verdict.ok() ? std::move(session) : nullptr;
  }

 private:
  engine::Engine& engine_;
  const engine::Input& input_;
  const std::string& program_;
};

Result<std::optional<double>> wholeOf(env::Session* session, const std::string& objective) {
  if (session == nullptr) return std::nullopt;
  ORDO_TRY_ASSIGN(const env::Measurement value, session->measure(objective));
  return value.ok() ? std::optional(value.value) : std::nullopt;
}

}  // namespace

bool choosesByFunction(const env::BackendInfo& backend, const std::string& objective) {
  const char* const parts = partsOf(objective);
  return parts != nullptr && std::ranges::find(backend.observations, kNames, &env::ObservationInfo::name) !=
                                 backend.observations.end();
}

std::vector<std::string> functionSequences(std::span<const env::Action> actions,
                                           std::span<const search::Sequence> coreset) {
  std::vector<std::string> all{"-minsize", "-minsize,-optsize", "+optsize,+minsize"};
  for (const search::Sequence& sequence : coreset) {
    std::string attributes, passes;
    for (const env::ActionIndex index : sequence) {
      const env::Action& action = actions[index];
      if (action.kind == notation::kAttribute) (attributes += action.text) += ',';
      if (const auto inside = notation::functionPasses(action)) (passes += *inside) += ',';
    }
    if (passes.empty()) continue;
    passes.pop_back();
    all.push_back(passes);
    // What a sequence gives and takes back again is of no use here.
    if (!attributes.empty() && attributes.find('+') == std::string::npos) all.push_back(attributes + passes);
  }
  for (const env::Action& action : actions)
    if (const auto inside = notation::functionPasses(action)) all.emplace_back(*inside);
  std::set<std::string> seen;
  std::erase_if(all, [&](const std::string& text) { return !seen.insert(text).second; });
  return all;
}

Result<ByFunction> chooseByFunction(engine::Engine& engine, const engine::Input& input, const std::string& program,
                                    const ByFunctionOptions& options) {
  const char* const parts = partsOf(options.objective);
  if (parts == nullptr)
    return fail(ErrorCode::kNotFound, "{} is not measured by function", options.objective);
  Emitter emitter(engine, input, program);
  ByFunction result;
  ORDO_TRY_ASSIGN(std::unique_ptr<env::Session> session, emitter.session(result.choices));
  if (session == nullptr) return result;  // a function is optnone, or the state is none
  ORDO_TRY_ASSIGN(const std::optional<double> before, wholeOf(session.get(), options.objective));
  if (!before) return result;
  result.before = result.after = *before;
  ORDO_TRY_ASSIGN(const env::Observation listed, session->observe(kNames));
  const std::vector<std::string> names = namesIn(listed.text());
  ORDO_TRY_ASSIGN(const env::Observation measured, session->observe(parts));
  const std::vector<double> sizes = asDoubles(measured);
  std::vector<search::FunctionSearch::Function> functions;
  for (std::size_t i = 0; i < names.size(); ++i) {
    const bool told = names[i].find(':') == std::string::npos && !names[i].empty();
    functions.push_back({names[i], told ? sizes[i] : -1});
  }

  search::FunctionSearch search(std::move(functions), options.sequences, options.seed);
  while (!options.done()) {
    const std::optional<env::Choices> asked = search.next();
    if (!asked) break;
    ORDO_TRY_ASSIGN(session, emitter.session(*asked));
    std::optional<std::vector<double>> came;
    if (session != nullptr) {
      if (const Result<env::Observation> observed = session->observe(parts)) came = asDoubles(*observed);
    }
    search.learn(came);
  }
  result.emissions = search.emissions();
  const env::Choices best = search.best();
  if (best.functions.empty()) return result;
  ORDO_TRY_ASSIGN(session, emitter.session(best));
  ORDO_TRY_ASSIGN(const std::optional<double> after, wholeOf(session.get(), options.objective));
  if (!after || *after >= *before) return result;
  result.choices = best;
  result.after = *after;
  for (const auto& [name, saved] : search.savedBy()) result.saved.emplace_back(name, saved);
  std::ranges::sort(result.saved, [](const auto& a, const auto& b) { return a.second > b.second; });
  return result;
}

}  // namespace ordo::tune
