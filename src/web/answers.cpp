#include "web/answers.h"

#include <algorithm>
#include <map>

#include "engine/reach.h"
#include "engine/stock.h"
#include "policy/attribution.h"
#include "search/catalog/catalog.h"
#include "shell/ir_diff.h"
#include "support/symbol.h"
#include "web/assembly.h"
#include "web/calls.h"

namespace ordo::web {
namespace {

constexpr std::size_t kNamed = 12;  // preferred actions that are named with each state

std::string unitOf(Bench& bench) {
  for (const env::MetricInfo& metric : bench.host->engine().info().metrics) {
    if (metric.name == bench.program.objective()) return metric.unit;
  }
  return "";
}

Json recipeJson(const recipe::Recipe& recipe) {
  Json reasons = Json::array(), figures = Json::array(), functions = Json::array();
  for (const recipe::Reason& reason : recipe.reasons)
    reasons.push_back({{"action", reason.action}, {"saves", reason.saves}});
  for (const recipe::FunctionSaving& saving : recipe.functions)
    functions.push_back({{"function", saving.function}, {"saves", saving.saves}});
  for (const recipe::Figure& figure : recipe.figures)
    figures.push_back({{"metric", figure.metric},
                       {"baseline", figure.baseline},
                       {"bare", figure.bare ? Json(*figure.bare) : Json()},
                       {"tuned", figure.tuned}});
  return {{"objective", recipe.objective},     {"searcher", recipe.searcher},
          {"verified", recipe.verified},       {"tested", recipe.tested},
          {"sealed", recipe.sealed},           {"reasons", std::move(reasons)},
          {"functions", std::move(functions)}, {"figures", std::move(figures)}};
}

}  // namespace

Json aboutProgram(Bench& bench, const ProgramSpec& spec) {
  Json actions = Json::array(), features = Json::array(), searchers = Json::array();
  for (const env::Action& action : bench.program.actions())
    actions.push_back({{"name", action.name}, {"kind", action.kind}, {"text", action.text}});
  for (const policy::Count& count : policy::kCounts)
    features.push_back({{"name", count.name}, {"words", count.words}});
  for (const search::SearcherInfo* searcher : search::catalog())
    searchers.push_back({{"name", searcher->name}, {"summary", searcher->summary}});
  Json about{{"program", bench.program.input().program.uri},
             {"name", bench.program.input().program.name},
             {"hash", hashBytes(bench.program.program()).hex()},
             {"objective", bench.program.objective()},
             {"unit", unitOf(bench)},
             {"baseline", {{"name", bench.program.baselineName()}, {"value", bench.program.baselineValue()}}},
             {"reference", nullptr},
             {"start", bench.program.startValue()},
             {"space", bench.program.space().name},
             {"backend", bench.host->engine().info().name + " " + bench.host->engine().info().version},
             {"longest", agent::OpenedProgram::kMaxLength},
             {"begin", spec.actions},
             {"no_policy", bench.states.noPolicy()},
             {"actions", std::move(actions)},
             {"features", std::move(features)},
             {"searchers", std::move(searchers)},
             {"notes", bench.program.input().notes}};
  if (bench.reference)
    about["reference"] = {{"name", bench.reference->name}, {"value", bench.reference->value}};
  if (spec.recipe) about["recipe"] = recipeJson(*spec.recipe);
  return about;
}

Result<Json> statesAlong(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions"}));
  ORDO_TRY_ASSIGN(const std::vector<const State*> along, bench.states.along(sequence));
  Json states = Json::array();
  Json failed = nullptr;
  for (std::size_t i = 0; i < along.size(); ++i) {
    const State& state = *along[i];
    if (!state.ok()) {
      failed = {{"at", i - 1}, {"status", env::name(state.status)}, {"detail", state.detail}};
      break;
    }
    Json one{{"hash", state.hash.hex()},
             {"value", state.value},
             {"instructions", state.instructions},
             {"features", state.features},
             {"changed", i == 0 || state.hash != along[i - 1]->hash}};
    Json preferred = Json::array();
    for (std::size_t rank = 0; rank < state.preferred.size(); ++rank) {
      const State::Choice& choice = state.preferred[rank];
      if (rank < kNamed) preferred.push_back({{"action", choice.name}, {"probability", choice.probability}});
      if (i < sequence.size() && choice.name == bench.program.actions()[sequence[i]].name)
        one["taken"] = {
            {"rank", rank + 1}, {"of", state.preferred.size()}, {"probability", choice.probability}};
    }
    one["preferred"] = std::move(preferred);
    states.push_back(std::move(one));
  }
  return Json{{"states", std::move(states)}, {"failed", std::move(failed)}};
}

Result<Json> whyAction(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions", "action"}));
  ORDO_TRY_ASSIGN(const std::string action, body.get<std::string>("action"));
  ORDO_TRY_ASSIGN(const tune::Opinion opinion, bench.states.opinion(sequence, action));
  Json clues = Json::array();
  for (const tune::Clue& clue : opinion.clues)
    clues.push_back({{"feature", clue.feature}, {"words", clue.words}, {"log_odds", clue.log_odds}});
  return Json{{"action", action},
              {"probability", opinion.probability},
              {"rank", opinion.rank},
              {"of", opinion.of},
              {"clues", std::move(clues)}};
}

Result<Json> listFunctions(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions", "from"}));
  ORDO_TRY_ASSIGN(const search::Sequence from, readActions(bench.program, body, "from"));
  ORDO_TRY_ASSIGN(const std::string before, bench.states.ir(from));
  ORDO_TRY_ASSIGN(const std::string after, bench.states.ir(sequence));
  const std::vector<shell::IrPart> old_parts = shell::splitIr(before), parts = shell::splitIr(after);
  std::map<std::string, std::pair<std::size_t, std::size_t>, std::less<>> changes;
  for (const shell::IrDiff::Part& part : shell::diffIr(before, after, {.max_lines = 1}, {}).parts)
    changes[part.name] = {part.added, part.removed};
  Json list = Json::array();
  const auto add = [&](const shell::IrPart& part, std::string_view presence) {
    const auto change = changes.find(part.name);
    const auto [added, removed] =
        change == changes.end() ? std::pair<std::size_t, std::size_t>{} : change->second;
    list.push_back({{"name", part.name},
                    {"shown", demangled(part.name)},
                    {"lines", part.lines.size()},
                    {"added", added},
                    {"removed", removed},
                    {"presence", presence}});
  };
  const auto in = [](const std::vector<shell::IrPart>& where, const std::string& name) {
    return std::ranges::find(where, name, &shell::IrPart::name) != where.end();
  };
  for (const shell::IrPart& part : parts) add(part, in(old_parts, part.name) ? "both" : "new");
  for (const shell::IrPart& part : old_parts) {
    if (!in(parts, part.name)) add(part, "gone");
  }
  return Json{{"functions", std::move(list)}};
}

Result<Json> functionText(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions", "name", "form"}));
  ORDO_TRY_ASSIGN(const std::string name, body.get<std::string>("name"));
  ORDO_TRY_ASSIGN(const std::string form, body.get<std::string>("form"));
  std::string text;
  if (form == "ir") {
    ORDO_TRY_ASSIGN(const std::string all, bench.states.ir(sequence));
    for (const shell::IrPart& part : shell::splitIr(all)) {
      if (part.name != name) continue;
      for (const std::string_view line : part.lines) text += std::string(line) + "\n";
    }
  } else if (form == "asm") {
    ORDO_TRY_ASSIGN(const std::string all, bench.states.assembly(sequence));
    for (const AssemblyPart& part : splitAssembly(all)) {
      if (part.name == name) text = part.text;
    }
  } else {
    return fail(ErrorCode::kInvalidArgument, "the form is ir or asm, and not '{}'", form.substr(0, 60));
  }
  return Json{{"name", name}, {"form", form}, {"text", std::move(text)}};
}

Result<Json> listCalls(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions"}));
  ORDO_TRY_ASSIGN(const std::string ir, bench.states.ir(sequence));
  Json functions = Json::array(), shown = Json::object();
  const auto show = [&](const std::string& name) {
    if (std::string other = demangled(name); other != name) shown[name] = std::move(other);
  };
  for (const Caller& caller : callsIn(ir)) {
    functions.push_back({{"name", caller.name}, {"lines", caller.lines}, {"calls", caller.callees}});
    show(caller.name);
    for (const std::string& callee : caller.callees) show(callee);
  }
  return Json{{"functions", std::move(functions)}, {"shown", std::move(shown)}};
}

Result<Json> stockLines(Bench& bench, const search::Sequence& sequence, const JsonObject& body) {
  ORDO_TRY(body.onlyHas({"actions"}));
  const engine::Input& input = bench.program.input();
  ORDO_TRY_ASSIGN(const std::vector<env::Action> actions,
                  engine::finished(bench.program.engine(), input, bench.program.program(),
                                   bench.program.actionsOf(sequence)));
  ORDO_TRY_ASSIGN(const std::vector<std::string> lines,
                  engine::stockCommands(input, actions, input.program.name + ".o"));
  return Json{{"commands", lines}};
}

}  // namespace ordo::web
