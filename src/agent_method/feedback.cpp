#include "agent_method/feedback.h"

#include <algorithm>
#include <set>
#include <span>
#include <string>

namespace ordo::agent_method {
namespace {

// Lets these change places.
void permute(const std::vector<Json*>& places, Rng& rng) {
  std::vector<Json> values;
  for (const Json* place : places) values.push_back(*place);
  rng.shuffle(std::span(values));
  for (std::size_t i = 0; i < places.size(); ++i) *places[i] = std::move(values[i]);
}

// The numbers of an object that has nothing else, or those of each field of a list's objects; where a part
// is, "at", stays.
void permuteInside(Json& part, Rng& rng) {
  std::vector<Json*> places;
  if (part.is_object() && std::ranges::all_of(part, [](const Json& value) { return value.is_number(); })) {
    for (Json& value : part) places.push_back(&value);
    permute(places, rng);
  }
  if (!part.is_array()) return;
  std::set<std::string> fields;
  for (const Json& item : part) {
    if (!item.is_object()) continue;
    for (const auto& [name, value] : item.items()) {
      if (value.is_number() && name != "at") fields.insert(name);
    }
  }
  for (const std::string& field : fields) {
    places.clear();
    for (Json& item : part) {
      if (item.is_object() && item.contains(field)) places.push_back(&item[field]);
    }
    permute(places, rng);
  }
}

}  // namespace

ShuffledFeedback::ShuffledFeedback(std::uint64_t seed, double baseline_value, double start_value,
                                   double start_gain)
    : rng_(seed), kept_{{baseline_value, 0, false}, {start_value, start_gain, false}} {}

void ShuffledFeedback::shuffle(Json& result) {
  for (auto part = result.begin(); part != result.end(); ++part) {
    if (part.key() != "cost" && part.key() != "left" && part.key() != "error") permuteInside(*part, rng_);
  }
  if (!result.contains("value")) return;
  const bool whole = result.contains("gain");
  if (whole) kept_.push_back({result["value"], result["gain"], result.value("best", Json(false))});
  const std::size_t chosen = rng_.below(kept_.size());
  const Measured shown = kept_[chosen];
  result["value"] = shown.value;
  if (!whole) return;
  kept_.erase(kept_.begin() + static_cast<std::ptrdiff_t>(chosen));
  result["gain"] = shown.gain;
  if (result.contains("best")) result["best"] = shown.best;
}

}  // namespace ordo::agent_method
