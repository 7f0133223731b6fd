// Guided::run() is the loop. Chance picks a kind for each candidate of a batch: neighbour() changes a leader
// at random, without the policy; change() and continuation() are proposals that the Guide completes,
// evaluates and learns from. Choices of the code generator are reviewed again whenever the number of answers
// has multiplied (reviewChoices()). openingsFor() says what the own answer begins with: it looks at
// several only where there is no search, or no budget, to measure all of them.
#include "search/catalog/guided.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <ranges>

#include "search/catalog/catalog.h"
#include "search/searcher/codegen.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kBatchPerLane = 8;
constexpr double kChoicesAgain = 4;   // the code generator's are reviewed when so many times as much is known
constexpr std::size_t kCoreset = 32;  // sequences of other programs, tried once
constexpr std::size_t kBeforeChoices = 16;  // so many, where the code generator has choices
constexpr double kChanges = 0.4;            // of all candidates: the policy changes a leader in one place
constexpr double kNeighbours = 0.2;         // chance does
constexpr double kFromLeaders = 0.4;        // of the others: the policy goes on from within a leader
constexpr double kPromising = 0.3;          // of the others: from the state that it expects most of
constexpr std::size_t kTried = 64;  // the latest sequences, for those who may not know which are the best
constexpr double kLong = 0.5;  // of the others: they go on for some while, wherever the policy would stop
constexpr std::size_t kWhile = 16;                     // actions, at most
constexpr double kTemperatures[] = {0.75, 1.5, 2.25};  // of the choice of each action

// Above so many instructions one sequence may take minutes, so that several are no quick answer; and a pass
// that compares everything with everything takes longer than all others together: 15 to 105 s of a program of
// 20,000, of which clang -Oz takes one.
constexpr std::int64_t kQuick = 10'000;
constexpr std::array<std::string_view, 1> kSlow = {"iroutliner"};

// Above so many a short sequence takes seconds, too.
constexpr std::int64_t kLarge = 100'000;

// Instructions of the program as given; 0 if that is not seen. `observations` are those of a policy.
std::int64_t sizeOf(SearchContext& context, const std::vector<std::string>& observations) {
  const Evaluator::Place start = context.look({{}}, observations).front();
  return start.state == nullptr ? 0 : policy::totalInstructions(start.state->observations().front());
}

std::ptrdiff_t slowPasses(std::span<const env::Action> actions, const Sequence& sequence) {
  return std::ranges::count_if(sequence, [&](env::ActionIndex action) {
    return std::ranges::find(kSlow, actions[action].name) != kSlow.end();
  });
}

// The coreset in the order in which it is tried on a program of that size: where time is short, what is
// quick comes first.
std::vector<Sequence> coresetFor(const SearchContext& context, std::int64_t size) {
  std::vector<Sequence> coreset = context.knowledge().coreset(context.objective().metric);
  if (size <= kQuick) return coreset;
  std::multimap<std::pair<std::ptrdiff_t, std::size_t>, Sequence> ordered;  // equal ones as they were
  for (Sequence& sequence : coreset) {
    const auto slow = slowPasses(context.actions(), sequence);
    ordered.emplace(std::pair(slow, size > kLarge ? sequence.size() : 0), std::move(sequence));
  }
  coreset.clear();
  for (auto& [_, sequence] : ordered) coreset.push_back(std::move(sequence));
  return coreset;
}

constexpr std::size_t kAnswers = 4;   // that are measured while limits refuse them
constexpr std::size_t kOpenings = 8;  // that are looked at where every state tells what it is worth

// The first sequences of a coreset, and what tells without measuring which of them is best for a program.
struct Openings {
  std::vector<Sequence> sequences;
  const Estimate* estimate = nullptr;  // null: states tell
};

Openings openingsOf(const SearchContext& context, const std::vector<Sequence>& coreset) {
  const std::string& metric = context.objective().metric;
  if (policy::knownInEachState(metric)) {
    Openings openings;
    for (const Sequence& sequence : std::span(coreset).first(std::min(kOpenings, coreset.size())))
      if (sequence.size() <= context.maxLength()) openings.sequences.push_back(sequence);
    return openings;
  }
  const auto found = context.knowledge().openings.find(metric);
  if (found == context.knowledge().openings.end()) return {};
  return {found->second.sequences, &found->second.estimate};
}

// The value of the baseline, if it was measured.
std::optional<double> baselineOf(const SearchContext& context) {
  for (const Evaluation& seed : std::views::reverse(context.seeds()))
    if (seed.measured() && !seed.actions.empty()) return seed.value;
  return std::nullopt;
}

// The first sequences of the coreset, best first by the programs that they lead to, if these tell; else in
// its order, as where there is time to measure them all, which says more. `observations` are those of a
// policy, and `size` is sizeOf() the program.
std::vector<Sequence> openingsFor(SearchContext& context, std::vector<std::string> observations,
                                  std::int64_t size, bool searching) {
  std::vector<Sequence> coreset = coresetFor(context, size);
  const Openings openings = openingsOf(context, coreset);
  const std::optional<double> baseline = baselineOf(context);
  if (openings.sequences.size() < 2 || !baseline || context.done()) return coreset;
  if (searching && context.evaluationsLeft() >= static_cast<double>(openings.sequences.size()))
    return coreset;
  if (size == 0 || size > kQuick) return coreset;
  if (openings.estimate != nullptr) observations.push_back(openings.estimate->observation);
  const auto rank = [&](std::size_t i, const SeenState& state) {
    if (openings.estimate == nullptr)
      return policy::knownValue(context.objective().metric, state.observations())
          .value_or(std::numeric_limits<double>::infinity());
    return openings.estimate->rank(i, state.observations().back().int64s(), *baseline);
  };
  const std::vector<Evaluator::Place> places = context.look(openings.sequences, observations);
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < places.size(); ++i)
    order.emplace_back(
        places[i].state == nullptr ? std::numeric_limits<double>::infinity() : rank(i, *places[i].state), i);
  std::ranges::sort(order);
  std::vector<Sequence> ranked;
  for (const auto& [_, i] : order) ranked.push_back(openings.sequences[i]);
  return ranked;
}

// From a sequence of the coreset the policy goes on by what this program looks like. Behind no other than the
// first has it practised.
Guide::Proposal onlyAnswer(const SearchContext& context, Sequence opening) {
  Guide::Proposal proposal;
  proposal.only = true;
  if (opening.size() >= context.maxLength()) return proposal;
  proposal.ends = !policy::knownInEachState(context.objective().metric) && !opening.empty() &&
                  opening != context.knowledge().coreset(context.objective().metric).front();
  proposal.opening = std::move(opening);
  return proposal;
}

// Evaluates answers to the openings, one after the other, until one is within the limits, for what makes
// fewer bytes may well be more code. `evaluate` has what to measure for one opening.
template <typename Evaluate>
void answerWithin(std::vector<Sequence> openings, Evaluate evaluate) {
  if (openings.empty()) openings.emplace_back();
  for (Sequence& opening : std::span(openings).first(std::min(openings.size(), kAnswers))) {
    const std::vector<Evaluation> results = evaluate(std::move(opening));
    if (results.empty() || results.back().verdict != Verdict::kBeyond) return;
  }
}

class Guided {
 public:
  Guided(SearchContext& context, std::unique_ptr<Guide> guide, const GuideOptions& options)
      : context_(context), guide_(std::move(guide)), blind_(options.shuffled) {}

  void run() {
    // Where it can go back the own answer has the longest sequences of all.
    const std::int64_t instructions = sizeOf(context_, guide_->observations());
    const bool waits = instructions > kQuick && policy::knownInEachState(context_.objective().metric);
    if (waits) tryCoreset(instructions);
    std::vector<Sequence> openings =
        openingsFor(context_, guide_->observations(), instructions, /*searching=*/true);
    note(guide_->evaluate(
        {onlyAnswer(context_, openings.empty() ? Sequence{} : std::move(openings.front()))}));
    if (!waits) tryCoreset(instructions);
    reviewChoices();
    while (!context_.done()) {
      if (static_cast<double>(answers_) >= kChoicesAgain * static_cast<double>(reviewed_at_)) reviewChoices();
      const std::size_t size = kBatchPerLane * context_.lanes();
      std::vector<Guide::Proposal> proposals;
      std::vector<Sequence> neighbours;
      for (std::size_t i = 0; i < size; ++i) {
        const double kind = context_.rng().uniform();
        if (kind < kNeighbours)
          neighbours.push_back(neighbour(context_, pickLeader()));
        else if (kind < kNeighbours + kChanges)
          proposals.push_back(change(pickLeader()));
        else
          proposals.push_back(continuation());
      }
      if (!proposals.empty()) note(guide_->evaluate(std::move(proposals)));
      if (!neighbours.empty()) note(context_.evaluate(std::move(neighbours)));
    }
  }

 private:
  // What is good for the best sequence so far is at the head of all others from now on.
  void reviewChoices() {
    note(tryCodegenChoices(context_));
    choices_ = codegenChoices(context_.actions(), context_.best().actions);
    reviewed_at_ = answers_;
  }

  Sequence withChoices(const Sequence& sequence) const {
    Sequence with = search::withChoices(context_.actions(), choices_, sequence);
    return with.size() <= context_.maxLength() ? with : sequence;
  }

  void tryCoreset(std::int64_t instructions) {
    std::vector<Sequence> sequences = coresetFor(context_, instructions);
    std::erase_if(sequences, [&](const Sequence& each) { return each.size() > context_.maxLength(); });
    const std::size_t most = hasChoices(context_.actions()) ? kBeforeChoices : kCoreset;
    if (sequences.size() > most) sequences.resize(most);
    if (sequences.empty()) return;
    note(context_.evaluate({sequences.front()}, Effort::kFull));
    sequences.erase(sequences.begin());
    note(context_.evaluate(std::move(sequences)));
  }

  void note(const std::vector<Evaluation>& results) {
    answers_ += results.size();
    if (!blind_) return;
    for (const Evaluation& result : results) {
      if (tried_.size() < kTried) tried_.emplace_back();
      tried_[next_tried_] = result.actions;
      next_tried_ = (next_tried_ + 1) % kTried;
    }
  }

  double pickTemperature() { return kTemperatures[context_.rng().below(std::size(kTemperatures))]; }

  Sequence pickLeader() {
    if (blind_) return tried_[context_.rng().below(tried_.size())];
    const std::vector<Evaluation>& leaders = context_.leaders();
    return leaders[tournament(context_.rng(), leaders.size(), 2)].actions;
  }

  Sequence pickStart() {
    const double where = context_.rng().uniform();
    if (where < kPromising) return guide_->promising();
    if (where >= kPromising + kFromLeaders) return {};
    Sequence start = pickLeader();
    start.resize(context_.rng().between(0, start.size()));
    return start;
  }

  Guide::Proposal continuation() {
    Guide::Proposal proposal;
    proposal.start = withChoices(pickStart());
    proposal.temperature = pickTemperature();
    if (context_.rng().chance(kLong))
      proposal.least = proposal.start.size() + context_.rng().between(1, kWhile);
    return proposal;
  }

  // An action inserted, or put in the place of one.
  Guide::Proposal change(const Sequence& leader) {
    const std::size_t place = context_.rng().between(0, leader.size());
    const auto at = leader.begin() + static_cast<std::ptrdiff_t>(place);
    const bool replace =
        at != leader.end() && (context_.rng().chance(0.5) || leader.size() == context_.maxLength());
    return {{leader.begin(), at}, pickTemperature(), 0, true, {at + (replace ? 1 : 0), leader.end()}};
  }

  SearchContext& context_;
  std::unique_ptr<Guide> guide_;
  const bool blind_;  // to what is best
  std::vector<Sequence> tried_;
  std::size_t next_tried_ = 0;
  Sequence choices_;  // of the code generator
  std::size_t answers_ = 0, reviewed_at_ = 0;
};

constexpr const char* kWithoutPolicy[] = {"coreset", "evolutionary"};

class OwnAnswer final : public Searcher {
 public:
  void run(SearchContext& context) override {
    if (const auto& policy = context.knowledge().policy) {
      if (auto guide = Guide::create(policy, context)) {
        answerWithin(openings(context, (*guide)->observations()), [&](Sequence opening) {
          return (*guide)->evaluate({onlyAnswer(context, std::move(opening))});
        });
        return;
      }
    }
    answerWithin(openings(context, {std::string(policy::kInputs.front().name)}), [&](Sequence opening) {
      if (opening.empty() || opening.size() > context.maxLength()) return std::vector<Evaluation>{};
      return context.evaluate({std::move(opening)}, Effort::kFull);
    });
  }

 private:
  static std::vector<Sequence> openings(SearchContext& context,
                                        const std::vector<std::string>& observations) {
    return openingsFor(context, observations, sizeOf(context, observations), /*searching=*/false);
  }
};

class GuidedSearcher final : public Searcher {
 public:
  explicit GuidedSearcher(const GuideOptions& options) : options_(options) {}

  void run(SearchContext& context) override {
    if (const auto& policy = context.knowledge().policy) {
      if (auto guide = Guide::create(policy, context, options_))
        return Guided(context, *std::move(guide), options_).run();
    }
    for (const std::string_view name : kWithoutPolicy) find(name)->make()->run(context);
  }

 private:
  const GuideOptions options_;
};

}  // namespace

Sequence firstAnswer(const Knowledge& knowledge, const std::string& objective,
                     std::span<const env::Action> actions) {
  std::vector<Sequence> coreset = knowledge.coreset(objective);
  if (coreset.empty() || slowPasses(actions, coreset.front()) > 0) return {};
  return std::move(coreset.front());
}

std::unique_ptr<Searcher> ownAnswer() { return std::make_unique<OwnAnswer>(); }

std::unique_ptr<Searcher> guidedSearch(const GuideOptions& options) {
  return std::make_unique<GuidedSearcher>(options);
}

}  // namespace ordo::search
