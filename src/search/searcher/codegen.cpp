#include "search/searcher/codegen.h"

#include <algorithm>

namespace ordo::search {
namespace {

bool isChoice(const env::Action& action) { return !env::settingOf(action.name).empty(); }

bool settleTheSame(const env::Action& a, const env::Action& b) {
  return env::settingOf(a.name) == env::settingOf(b.name);
}

// One change of a sequence: a choice that is made, or one that is taken back.
struct Change {
  env::ActionIndex choice;
  bool made;
};

// The choices come last, where they cost nothing but an emission: the state that the passes lead to is kept.
Sequence changed(std::span<const env::Action> actions, const Sequence& sequence,
                 std::span<const Change> changes) {
  Sequence choices = codegenChoices(actions, sequence);
  for (const Change& change : changes) {
    std::erase_if(choices, [&](env::ActionIndex index) {
      return settleTheSame(actions[index], actions[change.choice]);
    });
    if (change.made) choices.push_back(change.choice);
  }
  Sequence result = passesOf(actions, sequence);
  result.insert(result.end(), choices.begin(), choices.end());
  return result;
}

}  // namespace

bool hasChoices(std::span<const env::Action> actions) { return std::ranges::any_of(actions, isChoice); }

Sequence codegenChoices(std::span<const env::Action> actions, const Sequence& sequence) {
  Sequence choices;
  std::ranges::copy_if(sequence, std::back_inserter(choices),
                       [&](env::ActionIndex index) { return isChoice(actions[index]); });
  return choices;
}

Sequence passesOf(std::span<const env::Action> actions, Sequence sequence) {
  std::erase_if(sequence, [&](env::ActionIndex index) { return isChoice(actions[index]); });
  return sequence;
}

Sequence withChoices(std::span<const env::Action> actions, const Sequence& choices,
                     const Sequence& sequence) {
  const Sequence own = codegenChoices(actions, sequence);
  Sequence result;
  for (const env::ActionIndex choice : choices) {
    const bool decided = std::ranges::any_of(
        own, [&](env::ActionIndex other) { return settleTheSame(actions[other], actions[choice]); });
    if (!decided) result.push_back(choice);
  }
  result.insert(result.end(), sequence.begin(), sequence.end());
  return result;
}

std::vector<Evaluation> tryCodegenChoices(SearchContext& context) {
  const std::span<const env::Action> actions = context.actions();
  const Evaluation base = context.best();
  const Sequence made = codegenChoices(actions, base.actions);
  std::vector<Change> changes;
  for (env::ActionIndex i = 0; i < actions.size(); ++i) {
    if (!isChoice(actions[i])) continue;
    const bool is_made = std::ranges::find(made, i) != made.end();
    if (is_made || base.actions.size() < context.maxLength()) changes.push_back({i, !is_made});
  }
  if (changes.empty()) return {};
  std::vector<Sequence> batch;
  for (const Change& change : changes) batch.push_back(changed(actions, base.actions, {&change, 1}));
  std::vector<Evaluation> results = context.evaluate(std::move(batch));

  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < results.size(); ++i)
    if (better(results[i], base)) order.push_back(i);
  std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
    return std::pair(results[a].value, a) < std::pair(results[b].value, b);
  });
  std::vector<Change> together;
  std::vector<Sequence> unions;
  for (const std::size_t i : order) {
    const bool taken = std::ranges::any_of(together, [&](const Change& other) {
      return settleTheSame(actions[other.choice], actions[changes[i].choice]);
    });
    if (taken) continue;
    together.push_back(changes[i]);
    Sequence sequence = changed(actions, base.actions, together);
    if (together.size() > 1 && sequence.size() <= context.maxLength()) unions.push_back(std::move(sequence));
  }
  std::ranges::move(context.evaluate(std::move(unions)), std::back_inserter(results));
  return results;
}

}  // namespace ordo::search
