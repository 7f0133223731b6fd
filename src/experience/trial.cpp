#include "experience/trial.h"

#include <cmath>

#include "support/json.h"

namespace ordo::experience {
namespace {

constexpr double kRounding = 1e-6;  // of probabilities that are 1 in all
constexpr double kLargestReward = 10, kLargestError = 100;
constexpr std::size_t kMaxNameBytes = 200;

bool isName(const std::string& text) { return !text.empty() && text.size() <= kMaxNameBytes; }

}  // namespace

std::string encode(const Trial& trial) {
  Json among = Json::object();
  for (const auto& [candidate, probability] : trial.among) among[candidate] = probability;
  return writeJson({{"trial", trial.id},
                    {"candidate", trial.candidate},
                    {"baseline", trial.baseline},
                    {"among", std::move(among)},
                    {"reward", trial.reward},
                    {"error", trial.error},
                    {"censored", trial.censored}});
}

Result<Trial> decodeTrial(std::string_view line, std::string_view where) {
  ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(where)));
  ORDO_TRY(object.onlyHas({"trial", "candidate", "baseline", "among", "reward", "error", "censored"}));
  Trial trial;
  ORDO_TRY_ASSIGN(trial.id, object.get<std::string>("trial"));
  ORDO_TRY_ASSIGN(trial.candidate, object.get<std::string>("candidate"));
  ORDO_TRY_ASSIGN(trial.baseline, object.get<std::string>("baseline"));
  ORDO_TRY_ASSIGN(trial.reward, object.get<double>("reward"));
  ORDO_TRY_ASSIGN(trial.error, object.get<double>("error"));
  ORDO_TRY_ASSIGN(trial.censored, object.get<bool>("censored"));
  ORDO_TRY(object.object("among"));
  const Json& among = json.at("among");
  if (among.size() > kMaxOptions)
    return fail(ErrorCode::kCorrupt, "{}: more than {} candidates to choose from", where, kMaxOptions);
  double sum = 0;
  for (const auto& [candidate, value] : among.items()) {
    const double probability = value.is_number() ? value.get<double>() : -1;
    if (!isName(candidate) || !(probability >= 0 && probability <= 1))
      return fail(ErrorCode::kCorrupt, "{}: among: '{}' has no probability", where, candidate);
    trial.among[candidate] = probability;
    sum += probability;
  }
  const auto chosen = trial.among.find(trial.candidate);
  if (!isName(trial.id) || chosen == trial.among.end() || !(chosen->second > 0) ||
      trial.among.contains(trial.baseline))
    return fail(ErrorCode::kCorrupt, "{}: the candidate could not be chosen, or is the baseline", where);
  if (!(std::abs(sum - 1) <= kRounding))
    return fail(ErrorCode::kCorrupt, "{}: the probabilities are {} in all, not 1", where, sum);
  if (!(std::abs(trial.reward) <= kLargestReward) || !(trial.error > 0 && trial.error <= kLargestError))
    return fail(ErrorCode::kCorrupt, "{}: a reward of {} +- {} is none", where, trial.reward, trial.error);
  return trial;
}

}  // namespace ordo::experience
