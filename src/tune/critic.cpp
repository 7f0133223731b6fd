// The first observation is Autophase's counts (policy/view.h), which the clues quote. Clues of equal weight
// keep the order of the aspects, and choices that are equally likely that of the policy, so that the same
// state reads the same each time.
#include "tune/critic.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

#include "engine/knowledge.h"
#include "policy/choose.h"
#include "search/driver/driver.h"
#include "support/text.h"

namespace ordo::tune {
namespace {

constexpr std::size_t kClues = 10;

std::string nameOf(const policy::Aspect& aspect, const policy::PolicyInfo& info) {
  if (!aspect.element) return aspect.group;
  return fmt::format("{}.{}", aspect.group,
                     aspect.group == "history" ? std::string_view(info.actions[*aspect.element])
                                               : policy::kCounts[*aspect.element].name);
}

}  // namespace

Critic::Critic(std::shared_ptr<const policy::Policy> policy, policy::View view, PolicyTask task,
               std::size_t actions)
    : attribution_(std::move(policy)),
      view_(std::move(view)),
      task_(std::move(task)),
      legal_(view_.binding().legal(std::vector<std::uint8_t>(actions, 1))) {}

Result<Critic> Critic::create(const std::string& file, const env::BackendInfo& info,
                              std::span<const env::Action> space, std::span<const env::Action> actions,
                              PolicyTask task) {
  ORDO_TRY_ASSIGN(const std::shared_ptr<const policy::Policy> policy, engine::loadPolicy(file, info, space));
  policy::Task of_view;
  of_view.objective = task.objective;
  of_view.start_value = task.start_value;
  of_view.baseline_value = task.baseline_value;
  of_view.max_steps = static_cast<std::uint32_t>(search::SearchOptions{}.max_length);
  ORDO_TRY_ASSIGN(policy::View view, policy::View::create(policy, actions, std::move(of_view)));
  return Critic(policy, std::move(view), std::move(task), actions.size());
}

bool Critic::consider(std::span<const env::ActionIndex> actions, std::span<const env::Observation> state,
                      double instructions) {
  // Copied, whatever its alignment.
  const std::span<const std::byte> counts = state.front().bytes;
  counts_.resize(counts.size() / sizeof counts_.front());
  std::memcpy(counts_.data(), counts.data(), counts.size());
  if (start_.empty()) start_ = counts_;
  instructions_ = instructions;
  features_.resize(view_.policy().encoder().width());
  if (!view_.see(actions, state, false, features_)) return false;
  policy::Network::Scratch scratch;
  chances_ = policy::probabilities(view_.policy().evaluate(features_, scratch).logits, legal_, 1);
  history_ = view_.binding().history(actions);
  return true;
}

std::optional<std::size_t> Critic::choiceOf(env::ActionIndex action) const {
  const std::size_t choice = view_.binding().history(std::span(&action, 1)).front();
  if (choice == policy::kOtherAction) return std::nullopt;
  return choice;
}

std::optional<env::ActionIndex> Critic::actionOf(std::size_t choice) const {
  return choice == stop() ? std::nullopt : view_.binding().actions()[choice];
}

std::vector<std::size_t> Critic::ranking() const {
  std::vector<std::size_t> order;
  for (std::size_t choice = 0; choice < legal_.size(); ++choice) {
    if (legal_[choice] != 0) order.push_back(choice);
  }
  // Not stable_sort: libstdc++ 12 calls a deprecated function there, an error with clang.
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(-chances_[a], a) < std::pair(-chances_[b], b);
  });
  return order;
}

Opinion Critic::opinion(std::size_t choice) const {
  const policy::PolicyInfo& info = view_.policy().info();
  Opinion opinion;
  opinion.probability = chances_[choice];
  opinion.of = static_cast<std::size_t>(std::ranges::count_if(legal_, [](auto byte) { return byte != 0; }));
  opinion.rank = 1 + static_cast<std::size_t>(std::ranges::count_if(
                         chances_, [&](double chance) { return chance > chances_[choice]; }));
  const std::size_t first =
      opinion.rank == 1 ? choice
                        : static_cast<std::size_t>(std::ranges::max_element(chances_) - chances_.begin());
  opinion.first = info.actions[first];
  opinion.first_probability = chances_[first];

  const std::vector<double> weights = attribution_.weights(features_, legal_, choice);
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < weights.size(); ++i) {
    // Weights that are huge give none; of damaged files they may be.
    if (std::isfinite(weights[i]) && weights[i] != 0) order.push_back(i);
  }
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(-std::abs(weights[a]), a) < std::pair(-std::abs(weights[b]), b);
  });
  order.resize(std::min(order.size(), kClues));
  for (const std::size_t i : order) {
    const policy::Aspect& aspect = attribution_.aspects()[i];
    opinion.clues.push_back({nameOf(aspect, info), words(aspect), weights[i]});
  }
  return opinion;
}

std::string Critic::words(const policy::Aspect& aspect) const {
  if (aspect.group == "autophase") return wordsOfCount(*aspect.element);
  if (aspect.group == "history") return wordsOfAction(*aspect.element);
  if (aspect.group == "ir2vec") return "the kind of code (its embedding)";
  if (aspect.group == "objective") return fmt::format("the objective {}", task_.objective);
  if (aspect.group == "baseline")
    return fmt::format("what {} reaches ({})", task_.baseline,
                       change(task_.start_value, task_.baseline_value));
  if (aspect.group == "value")  // which is told of instructions only
    return fmt::format("now {} against {}", change(task_.baseline_value, instructions_), task_.baseline);
  if (aspect.group == "steps")
    return fmt::format("{} pass{} so far", history_.size(), history_.size() == 1 ? "" : "es");
  return aspect.group;
}

std::string Critic::wordsOfCount(std::size_t i) const {
  const policy::Count& count = policy::kCounts[i];
  const auto number = [](std::int64_t value) { return grouped(static_cast<double>(value)); };
  const std::string was = counts_[i] == start_[i] ? "" : fmt::format("was {}, ", number(start_[i]));
  return fmt::format("{}: {} ({}usual {})", count.words, number(counts_[i]), was, number(count.usual));
}

std::string Critic::wordsOfAction(std::size_t action) const {
  const auto times = std::ranges::count(history_, action);
  const std::string& name = view_.policy().info().actions[action];
  if (times > 1) return fmt::format("{} ran {} times", name, times);
  if (!history_.empty() && history_.back() == action) return fmt::format("{} just ran", name);
  return fmt::format("{} ran", name);
}

}  // namespace ordo::tune
