#include "mlir/learned/answer.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "mlir/model/draft.h"
#include "mlir/model/proposals.h"
#include "support/rng.h"

namespace ordo::learned {
namespace {

using KernelPtr = std::shared_ptr<const model::Kernel>;

constexpr std::size_t kProposed = 16;
constexpr double kCrossed = 0.3;

// All that was judged, the best first.
class Herd {
 public:
  Herd(KernelPtr kernel, const Judge& judge) : kernel_(std::move(kernel)), judge_(judge) {}

  void add(const model::Draft& draft) {
    model::Schedule schedule = model::scheduleOf(kernel_, draft);
    if (!known_.insert(model::stepsText(schedule.steps())).second) return;
    const double cycles = judge_(schedule);
    all_.push_back({cycles, known_.size(), model::draftOf(schedule), std::move(schedule)});
  }

  void keep(std::size_t most) {
    std::ranges::sort(all_, {}, [](const Member& member) { return std::pair(member.cycles, member.number); });
    if (all_.size() > most) all_.erase(all_.begin() + static_cast<std::ptrdiff_t>(most), all_.end());
  }

  std::size_t size() const { return all_.size(); }
  // The better it is the likelier.
  const model::Draft& draw(Rng& rng) const {
    return all_[std::min(rng.below(all_.size()), rng.below(all_.size()))].draft;
  }
  std::vector<model::Schedule> schedules() && {
    std::vector<model::Schedule> schedules;
    for (Member& member : all_) schedules.push_back(std::move(member.schedule));
    return schedules;
  }

 private:
  struct Member {
    double cycles = 0;
    std::size_t number = 0;
    model::Draft draft;
    model::Schedule schedule;
  };
  KernelPtr kernel_;
  const Judge& judge_;
  std::set<std::string> known_;
  std::vector<Member> all_;
};

model::Schedule fair(const KernelPtr& kernel) {
  model::Schedule schedule(kernel);
  schedule.apply({model::StepType::kFair, {}});
  return schedule;
}

}  // namespace

std::vector<model::Schedule> answers(const KernelPtr& kernel, const Judge& judge, std::size_t most,
                                     const Breeding& breeding) {
  if (kernel->operations.empty()) return {};
  Rng rng(breeding.seed);
  Herd herd(kernel, judge);
  herd.add(model::draftOf(fair(kernel)));
  for (const model::Schedule& schedule : model::proposals(kernel, kProposed))
    herd.add(model::draftOf(schedule));
  for (std::size_t i = 0; i < breeding.children; ++i) herd.add(model::randomDraft(kernel, rng));
  const std::size_t kept = std::max(breeding.parents, most);
  herd.keep(kept);
  for (std::size_t generation = 0; generation < breeding.generations; ++generation) {
    std::vector<model::Draft> children;
    for (std::size_t i = 0; i < breeding.children; ++i) {
      model::Draft child = herd.draw(rng);
      if (rng.chance(kCrossed)) child = model::crossed(child, herd.draw(rng), rng);
      children.push_back(model::varied(kernel, child, rng));
    }
    for (const model::Draft& child : children) herd.add(child);
    herd.keep(kept);
  }
  herd.keep(most);
  return std::move(herd).schedules();
}

std::vector<model::Schedule> exploration(const KernelPtr& kernel, const Judge& judge, std::size_t most,
                                         std::uint64_t seed) {
  if (kernel->operations.empty()) return {};
  Rng rng(seed);
  // Neighbours are much the same: of the best every third.
  std::vector<model::Schedule> all = {fair(kernel)};
  const std::vector<model::Schedule> best = answers(kernel, judge, most, {.seed = seed});
  for (std::size_t i = 0; i < best.size(); i += 3) all.push_back(best[i]);
  std::set<std::string> known;
  for (const model::Schedule& schedule : all) known.insert(model::stepsText(schedule.steps()));
  const std::size_t found = all.size();  // those near which others are drawn
  // Where there is little to choose, chance finds nothing new.
  for (std::size_t tries = 0; all.size() < most && tries < 4 * most; ++tries) {
    model::Draft draft = model::randomDraft(kernel, rng);
    if (rng.chance(0.5)) {
      draft = model::draftOf(all[rng.below(found)]);
      for (std::size_t i = rng.between(1, 3); i > 0; --i) draft = model::varied(kernel, draft, rng);
    }
    model::Schedule schedule = model::scheduleOf(kernel, draft);
    if (known.insert(model::stepsText(schedule.steps())).second) all.push_back(std::move(schedule));
  }
  return all;
}

}  // namespace ordo::learned
