#include "campaigns/estimates.h"

#include <algorithm>

#include "policy/view.h"

namespace ordo::campaigns {
namespace {

// The first of a coreset; fewer, down to none, where the experience lacks an action of one.
std::vector<experience::Sequence> openingsOf(const std::vector<std::vector<std::string>>& coreset,
                                             const experience::Header& header, std::size_t count) {
  std::vector<experience::Sequence> openings;
  for (const std::vector<std::string>& names : coreset) {
    if (openings.size() == count) break;
    experience::Sequence& opening = openings.emplace_back();
    for (const std::string& name : names) {
      const auto found = std::ranges::find(header.actions, name);
      if (found == header.actions.end()) {
        openings.pop_back();
        return openings;
      }
      opening.push_back(static_cast<std::uint32_t>(found - header.actions.begin()));
    }
  }
  return openings;
}

}  // namespace

Status addEstimates(const experience::Header& header, const std::vector<experience::Run>& runs, Stage& stage,
                    const EstimateOptions& options, search::KnowledgeFile& known) {
  constexpr std::size_t kFewest = 2;  // sequences, and programs
  const std::string& kind = options.on.kind;
  std::erase_if(known.estimates, [&](const auto& entry) { return entry.first.first == kind; });
  Rng rng(options.seed);
  ORDO_TRY_ASSIGN(Yardstick yardstick, Yardstick::open(stage, header, runs, options.on, rng));
  yardstick.say("estimate");
  for (const auto& [objective, coreset] : kind.empty() ? known.coresets : known.kinds[kind]) {
    if (policy::knownInEachState(objective)) continue;
    const std::vector<experience::Sequence> openings = openingsOf(coreset, header, options.openings);
    if (openings.size() < kFewest) continue;
    ORDO_TRY_ASSIGN(const auto outcomes, yardstick.outcomes(objective, options.observation, openings));
    if (outcomes.size() >= kFewest)
      known.estimates[{kind, objective}] = search::fitEstimate(options.observation, outcomes);
  }
  return {};
}

}  // namespace ordo::campaigns
