#include "loop/store/experiment.h"

#include <algorithm>
#include <array>

namespace ordo::loop {
namespace {

constexpr std::array<std::string_view, kStates> kStateNames = {
    "proposed", "built",     "verified",     "staged", "warmup",   "ramp",
    "observe",  "promoting", "rolling back", "ended",  "rewarded", "closed"};
constexpr std::array<std::string_view, 7> kOutcomeNames = {"promoted",    "rejected", "inconclusive", "void",
                                                           "rolled back", "aborted",  "identical"};

template <typename Kind, typename Names>
std::optional<Kind> find(const Names& names, std::string_view name) {
  const auto place = std::ranges::find(names, name);
  if (place == names.end()) return std::nullopt;
  return static_cast<Kind>(place - names.begin());
}

}  // namespace

std::string_view name(State state) { return kStateNames[static_cast<std::size_t>(state)]; }
std::optional<State> stateOf(std::string_view name) { return find<State>(kStateNames, name); }
std::string_view name(Outcome outcome) { return kOutcomeNames[static_cast<std::size_t>(outcome)]; }
std::optional<Outcome> outcomeOf(std::string_view name) { return find<Outcome>(kOutcomeNames, name); }

}  // namespace ordo::loop
