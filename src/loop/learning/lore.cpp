#include "loop/learning/lore.h"

#include <algorithm>
#include <cmath>

#include "experience/encode.h"
#include "loop/learning/lessons.h"

namespace ordo::loop {
namespace {

constexpr const char* kObjective = "runtime";
constexpr std::uint64_t kMaxLength = 60;  // of what a policy takes for the longest sequence, at least
constexpr std::uint64_t kMaxInstructions = 1'000'000'000;  // of a program: any

// Of an experiment.
struct Told {
  experience::Trial trial;
  std::map<std::string, std::string> sequences;  // of all that could have been chosen
};

// Why it is left out, or "".
std::string read(const StoredReward& reward, const std::string& toolchain, const std::vector<Option>& options,
                 Told& told) {
  if (reward.toolchain != toolchain) return "it is of another toolchain";
  if (!reward.value || !reward.error) return "nothing was learned";
  if (reward.censored && reward.forgiven) return "its penalty was forgiven";
  told.trial = {.id = reward.experiment,
                .candidate = reward.candidate,
                .baseline = reward.baseline,
                .among = {},
                .reward = *reward.value,
                .error = *reward.error,
                .censored = reward.censored};
  for (const Option& option : options) {
    if (option.sequences.empty()) return fmt::format("nobody said what {} is made by", option.candidate);
    told.trial.among[option.candidate] = option.probability;
    told.sequences[option.candidate] = option.sequences;
  }
  if (options.empty()) return "it was not recorded what could have been chosen";
  return "";
}

}  // namespace

Result<Lore> collectLore(const Store& store, const std::string& toolchain) {
  ORDO_TRY_ASSIGN(const std::vector<StoredReward> rewards, store.rewards());
  Lore lore;
  std::vector<Told> all;
  std::map<std::string, std::string> newest;
  const auto leaveOut = [&](const std::string& id, const std::string& why) {
    lore.left_out.push_back(fmt::format("{}: {}", id, why));
  };
  for (const StoredReward& reward : rewards) {
    ORDO_TRY_ASSIGN(const std::vector<Option> options, store.options(reward.experiment));
    Told told;
    if (const std::string why = read(reward, toolchain, options, told); !why.empty()) {
      leaveOut(reward.experiment, why);
      continue;
    }
    // Rows by other hands are held to what readers of the file hold them to.
    ORDO_TRY(experience::decodeTrial(experience::encode(told.trial), "experiment " + reward.experiment));
    for (const auto& [name, text] : told.sequences) newest[name] = text;
    all.push_back(std::move(told));
  }
  for (Told& told : all) {
    const auto changed = std::ranges::find_if(
        told.sequences, [&](const auto& entry) { return newest.at(entry.first) != entry.second; });
    if (changed != told.sequences.end()) {
      leaveOut(told.trial.id, fmt::format("{} was made by another recipe then", changed->first));
      continue;
    }
    for (const auto& [name, text] : told.sequences) {
      if (lore.candidates.contains(name)) continue;
      ORDO_TRY_ASSIGN(lore.candidates[name], parseSequences(text, "the recipes of " + name));
    }
    lore.trials.push_back(std::move(told.trial));
  }
  if (lore.trials.empty())
    return fail(ErrorCode::kNotFound, "the store has no experiment that a policy could learn from{}",
                lore.left_out.empty() ? "" : "; " + lore.left_out.back());
  const Sequence& first = lore.candidates.begin()->second.front();
  for (const auto& [name, sequences] : lore.candidates) {
    const Sequence& one = sequences.front();
    if (one.baseline != first.baseline || one.version != first.version || one.space != first.space ||
        one.space_hash != first.space_hash)
      return fail(ErrorCode::kCorrupt, "the recipes of {} and {} are of different spaces, baselines or LLVMs",
                  lore.candidates.begin()->first, name);
  }
  return lore;
}

Result<std::string> writeLore(const Lore& lore, const std::vector<std::string>& actions) {
  std::map<std::string, std::uint32_t> index;
  for (const std::string& name : actions) index.emplace(name, static_cast<std::uint32_t>(index.size()));
  const Sequence& first = lore.candidates.begin()->second.front();
  experience::Header header{.backend = "llvm",
                            .version = first.version,
                            .space = first.space,
                            .space_hash = first.space_hash,
                            .baseline = first.baseline,
                            .budget = "production",
                            .knowledge = "none",
                            .max_length = kMaxLength,
                            .max_instructions = kMaxInstructions,
                            .best = 1,
                            .actions = actions};
  const std::map<std::string, double> worth = worths(lore.trials);
  std::string lines;
  for (const auto& [name, sequences] : lore.candidates) {
    const experience::Values values = {{kObjective, std::exp(-worth.at(name))}};
    for (const Sequence& sequence : sequences) {
      experience::Run run;
      run.key = {sequence.source, kObjective, std::string(experience::kCandidatePrefix) + name, 0};
      run.hash = sequence.program;
      run.references = {{first.baseline, {{kObjective, 1}}}};
      experience::Sequence indices;
      for (const std::string& action : sequence.actions) {
        const auto found = index.find(action);
        if (found == index.end())
          return fail(ErrorCode::kUnsupported,
                      "{}: the recipe for {} has the action '{}', which the space {} lacks", name,
                      sequence.source, action, first.space);
        indices.push_back(found->second);
      }
      header.max_length = std::max<std::uint64_t>(header.max_length, indices.size());
      run.best = {{std::move(indices), values}};
      lines += experience::encode(experience::Record(std::move(run))) + '\n';
    }
  }
  for (const experience::Trial& trial : lore.trials) lines += experience::encode(trial) + '\n';
  return experience::encode(header) + '\n' + lines;
}

}  // namespace ordo::loop
