#include "advice/search.h"

#include <cmath>
#include <limits>

#include "env/plain_advisors.h"
#include "support/json.h"
#include "support/rng.h"

namespace ordo::advice {
namespace {

std::vector<std::uint32_t> answersOf(const env::AdviceLog& log) {
  std::vector<std::uint32_t> answers;
  for (const env::Advice& advice : log.advice) answers.push_back(advice.answer);
  return answers;
}

}  // namespace

Result<Found> searchDecisions(const env::DecisionSpec& spec, const Try& attempt, const SearchLimits& limits) {
  env::UsualAdvisor usual(spec);
  ORDO_TRY_ASSIGN(Tried best, attempt(usual));
  Found found;
  found.usual = best.cost;
  found.questions = best.log.advice.size();
  found.tries = 1;
  const auto ways = static_cast<double>(best.log.advice.size() * (spec.answers.size() - 1));
  const double share = ways == 0 ? 1 : static_cast<double>(limits.tries) / ways;
  Rng rng(limits.seed);
  for (std::size_t place = 0; place < best.log.advice.size() && found.tries <= limits.tries; ++place) {
    const env::Advice asked = best.log.advice[place];
    if (!rng.chance(share)) continue;
    if (limits.enough && limits.enough()) break;
    Example example{asked.features, asked.usual,
                    std::vector<float>(spec.answers.size(), std::numeric_limits<float>::quiet_NaN())};
    example.saved[asked.usual] = 0;
    // The usual outcome of this case is the best so far: earlier cases are answered for good.
    const double reference = best.cost;
    for (std::uint32_t answer = 0; answer < spec.answers.size(); ++answer) {
      if (answer == asked.usual) continue;
      std::vector<std::uint32_t> answers = answersOf(best.log);
      answers.resize(place);
      answers.push_back(answer);
      env::ListedAdvisor listed(spec, std::move(answers));
      const Result<Tried> tried = attempt(listed);
      ++found.tries;
      if (!tried) continue;
      example.saved[answer] = static_cast<float>(reference - tried->cost);
      if (tried->cost < best.cost) best = *tried;
    }
    found.examples.push_back(std::move(example));
  }
  found.best = best.cost;
  found.answers = answersOf(best.log);
  return found;
}

std::string writeFound(std::string_view module, const Found& found) {
  Json examples = Json::array();
  for (const Example& example : found.examples) {
    Json saved = Json::array();
    for (const float value : example.saved)
      saved.push_back(std::isnan(value) ? Json(nullptr) : Json(std::lround(value)));
    std::vector<std::int64_t> features;
    for (const float value : example.features) features.push_back(std::lround(value));
    examples.push_back({{"features", features}, {"usual", example.usual}, {"saved", saved}});
  }
  return writeJson({{"module", module},
                    {"usual", std::lround(found.usual)},
                    {"best", std::lround(found.best)},
                    {"questions", found.questions},
                    {"tries", found.tries},
                    {"answers", found.answers},
                    {"examples", examples}}) +
         "\n";
}

std::string writeFailure(std::string_view module, std::string_view reason) {
  return writeJson({{"module", module}, {"failure", reason}}) + "\n";
}

Result<FoundLine> parseFound(const env::DecisionSpec& spec, std::string_view line, const std::string& where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  FoundLine result;
  ORDO_TRY_ASSIGN(result.module, object.get<std::string>("module"));
  ORDO_TRY_ASSIGN(result.failure, object.get<std::string>("failure", ""));
  if (!result.failure.empty()) return result;
  ORDO_TRY_ASSIGN(result.found.usual, object.get<double>("usual"));
  ORDO_TRY_ASSIGN(result.found.best, object.get<double>("best"));
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> examples, object.objects("examples"));
  for (const JsonObject& one : examples) {
    Example example;
    ORDO_TRY_ASSIGN(const std::vector<double> features, one.get<std::vector<double>>("features"));
    ORDO_TRY_ASSIGN(const std::int64_t usual, one.get<std::int64_t>("usual"));
    const Json* const saved = &json["examples"][result.found.examples.size()]["saved"];
    if (features.size() != spec.features.size() || usual < 0 ||
        usual >= static_cast<std::int64_t>(spec.answers.size()) || !saved->is_array() ||
        saved->size() != spec.answers.size())
      return fail(ErrorCode::kCorrupt, "{}: an example that does not fit the decision '{}'", where,
                  spec.name);
    example.features.assign(features.begin(), features.end());
    example.usual = static_cast<std::uint32_t>(usual);
    for (const Json& value : *saved) {
      if (!value.is_null() && !value.is_number())
        return fail(ErrorCode::kCorrupt, "{}: what an answer saves is a number, or null", where);
      example.saved.push_back(value.is_null() ? std::numeric_limits<float>::quiet_NaN() : value.get<float>());
    }
    result.found.examples.push_back(std::move(example));
  }
  return result;
}

}  // namespace ordo::advice
