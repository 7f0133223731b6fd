#include "mlir/model/draft.h"

#include <algorithm>
#include <array>

#include "mlir/model/cost.h"

namespace ordo::model {
namespace {

// How often, where chance decides.
constexpr double kFairly = 0.12, kAlone = 0.03, kFused = 0.5, kPacked = 0.3, kVectorized = 0.92, kAnew = 0.3,
                 kDropped = 0.25, kAdded = 0.3, kCheapest = 0.6;
constexpr std::size_t kMostCuts = 3, kTries = 24, kCompared = 5;

std::vector<Step> interchanges(const Operation& operation) {
  std::vector<Step> steps;
  if (!operation.schedulable) return steps;
  for (const std::size_t loop : fairOrder(operation))
    steps.push_back({StepType::kInterchange, {static_cast<std::int64_t>(loop)}});
  return steps;
}

std::optional<Step> randomCut(const Schedule& schedule, StepType type, Rng& rng) {
  const std::size_t loops = schedule.kernel().operations[*schedule.current()].loops();
  for (std::size_t i = 0; i < kTries && loops > 0; ++i) {
    const std::span<const int> sizes = sizesOf(type, 1);
    const Step step{type, {static_cast<std::int64_t>(rng.below(loops)), sizes[rng.below(sizes.size())], 0}};
    if (schedule.legal(step)) return step;
  }
  return std::nullopt;
}

// The cheapest of some, or any.
std::optional<Step> randomRegisters(const Schedule& schedule, Rng& rng) {
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  const std::array loops = {rowLoop(operation), columnLoop(operation), depthLoop(operation)};
  std::optional<Step> best;
  double least = 0;
  const bool any = !rng.chance(kCheapest);
  std::size_t found = 0;
  for (std::size_t i = 0; i < 3 * kTries && found < kCompared; ++i) {
    Step step{StepType::kVectorize, {1, 1, 1}};
    for (std::size_t number = 0; number < loops.size(); ++number) {
      const std::span<const int> sizes = sizesOf(StepType::kVectorize, number);
      if (loops[number]) step.numbers[number] = sizes[rng.below(sizes.size())];
    }
    if (!schedule.legal(step)) continue;
    if (any) return step;
    ++found;
    const double cycles = cost(operation, schedule.vectorized(step));
    if (best && cycles >= least) continue;
    best = step;
    least = cycles;
  }
  return best;
}

// What is done to the current operation, by chance.
std::vector<Step> drawn(const Schedule& begun, Rng& rng) {
  Schedule schedule = begun;
  const Operation& operation = schedule.kernel().operations[*schedule.current()];
  std::vector<Step> steps;
  const auto take = [&](const std::optional<Step>& step) {
    if (step && schedule.apply(*step)) steps.push_back(*step);
  };
  if (!operation.schedulable || rng.chance(kAlone)) return steps;
  const bool fuses = rng.chance(kFused);
  const std::size_t cuts = rng.below(kMostCuts + 1);
  for (std::size_t i = 0; i < cuts; ++i)
    take(randomCut(schedule, fuses && i < 2 ? StepType::kFuse : StepType::kTile, rng));
  if (rng.chance(kFairly)) {
    for (const Step& step : interchanges(operation)) take(step);
    return steps;
  }
  if (rng.chance(kPacked)) take(Step{StepType::kPack, {rng.chance(0.7) ? 1 : 0}});
  if (rng.chance(kVectorized)) take(randomRegisters(schedule, rng));
  return steps;
}

void finish(Schedule& schedule, const std::vector<Step>& steps) {
  for (const Step& step : steps) schedule.apply(step);
  schedule.apply({StepType::kStop, {}});
}

// A size of a step becomes one near it.
void nudge(Step& step, Rng& rng) {
  std::array<std::size_t, 3> numbers{};
  std::size_t count = 0;
  for (std::size_t i = 0; i < numbersOf(step.type); ++i) {
    if (!sizesOf(step.type, i).empty()) numbers[count++] = i;
  }
  if (count == 0) return;
  const std::size_t number = numbers[rng.below(count)];
  const std::span<const int> sizes = sizesOf(step.type, number);
  const auto at = std::ranges::lower_bound(sizes, step.numbers[number]) - sizes.begin();
  const auto by = static_cast<std::ptrdiff_t>(rng.between(1, 3)) * (rng.chance(0.5) ? 1 : -1);
  const auto last = static_cast<std::ptrdiff_t>(sizes.size()) - 1;
  step.numbers[number] = sizes[static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(at + by, 0, last))];
}

}  // namespace

Draft draftOf(const Schedule& schedule) {
  Draft draft(1);
  for (const Step& step : schedule.steps()) {
    if (step.type == StepType::kStop) {
      draft.emplace_back();
    } else if (step.type == StepType::kFair) {
      const std::vector<Operation>& operations = schedule.kernel().operations;
      for (std::size_t i = draft.size(); i <= operations.size(); ++i) {
        std::ranges::copy(interchanges(operations[operations.size() - i]), std::back_inserter(draft.back()));
        draft.emplace_back();
      }
    } else {
      draft.back().push_back(step);
    }
  }
  draft.resize(schedule.kernel().operations.size());
  return draft;
}

Schedule scheduleOf(const std::shared_ptr<const Kernel>& kernel, const Draft& draft) {
  Schedule schedule(kernel);
  for (const std::vector<Step>& steps : draft) finish(schedule, steps);
  return schedule;
}

Draft randomDraft(const std::shared_ptr<const Kernel>& kernel, Rng& rng) {
  Draft draft;
  for (Schedule schedule(kernel); schedule.current();) {
    draft.push_back(drawn(schedule, rng));
    finish(schedule, draft.back());
  }
  return draft;
}

Draft varied(const std::shared_ptr<const Kernel>& kernel, const Draft& draft, Rng& rng) {
  Draft next = draft;
  const std::size_t place = rng.below(draft.size());
  Schedule schedule(kernel);
  for (std::size_t i = 0; i < place; ++i) finish(schedule, draft[i]);
  std::vector<Step>& steps = next[place];
  // Half of an order is none that anybody would choose.
  const bool ordered = std::ranges::find(steps, StepType::kInterchange, &Step::type) != steps.end();
  if (steps.empty() || ordered || rng.chance(kAnew)) {
    steps = drawn(schedule, rng);
  } else if (rng.chance(kDropped)) {
    steps.erase(steps.begin() + static_cast<std::ptrdiff_t>(rng.below(steps.size())));
  } else if (rng.chance(kAdded)) {
    const std::size_t at = rng.below(steps.size() + 1);
    for (std::size_t i = 0; i < at; ++i) schedule.apply(steps[i]);
    const StepType type = rng.chance(kFused) ? StepType::kFuse : StepType::kTile;
    if (const std::optional<Step> step = randomCut(schedule, type, rng))
      steps.insert(steps.begin() + static_cast<std::ptrdiff_t>(at), *step);
  } else {
    nudge(rng.pick(std::span(steps)), rng);
  }
  return next;
}

Draft crossed(const Draft& one, const Draft& other, Rng& rng) {
  Draft next = one;
  for (std::size_t i = 0; i < next.size(); ++i) {
    if (rng.chance(0.5)) next[i] = other[i];
  }
  return next;
}

}  // namespace ordo::model
