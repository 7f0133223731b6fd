// Policy-guided search: a learned policy proposes what comes next by what the program looks like now, and
// adapts to what that turned out to be worth (guide.h). First comes its greedy answer, from the program as
// given; then sequences that are drawn from it, some from the beginning and some as continuations of the best
// known ones from a random place; between them small changes of the best. Without a policy it is `coreset`
// followed by `evolutionary`.
//
// Source: our own; the local refinement is that of `evolutionary`.
// Parameters: the constants below.
#include "search/guide.h"
#include "search/searcher.h"
#include "search/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kBatchPerLane = 8;
constexpr std::size_t kCoreset = 10;  // sequences of other programs, tried once
constexpr double kChanges = 0.4;      // of all candidates: the policy changes a leader in one place
constexpr double kNeighbours = 0.2;   // chance does
constexpr double kFromLeaders = 0.5;  // of the others: the policy goes on from within a leader
constexpr double kLong = 0.5;  // of the others: they go on for some while, wherever the policy would stop
constexpr std::size_t kWhile = 16;                     // actions, at most
constexpr double kTemperatures[] = {0.75, 1.5, 2.25};  // of the choice of each action

class Guided {
 public:
  Guided(SearchContext& context, std::unique_ptr<Guide> guide)
      : context_(context), guide_(std::move(guide)) {}

  void run() {
    guide_->evaluate({{{}, 0}});
    tryCoreset();
    while (!context_.done()) {
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
      if (!proposals.empty()) guide_->evaluate(std::move(proposals));
      if (!neighbours.empty()) context_.evaluate(std::move(neighbours));
    }
  }

 private:
  void tryCoreset() {
    std::vector<Sequence> sequences = context_.knowledge().coreset;
    std::erase_if(sequences,
                  [&](const Sequence& sequence) { return sequence.size() > context_.maxLength(); });
    sequences.resize(std::min(sequences.size(), kCoreset));
    context_.evaluate(std::move(sequences));
  }

  double pickTemperature() { return kTemperatures[context_.rng().below(std::size(kTemperatures))]; }

  Sequence pickLeader() {
    const std::vector<Evaluation>& leaders = context_.leaders();
    return leaders[tournament(context_.rng(), leaders.size(), 2)].actions;
  }

  Sequence pickStart() {
    if (!context_.rng().chance(kFromLeaders)) return {};
    Sequence start = pickLeader();
    start.resize(context_.rng().between(0, start.size()));
    return start;
  }

  Guide::Proposal continuation() {
    Guide::Proposal proposal;
    proposal.start = pickStart();
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
};

class PolicySearch final : public Searcher {
 public:
  void run(SearchContext& context) override {
    if (const auto& policy = context.knowledge().policy) {
      if (auto guide = Guide::create(policy, context)) return Guided(context, *std::move(guide)).run();
    }
    for (const std::string_view fallback : {"coreset", "evolutionary"}) find(fallback)->make()->run(context);
  }
};

}  // namespace

extern constinit const SearcherInfo policy{
    .name = "policy",
    .summary = "a learned policy proposes, measures and adapts",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<PolicySearch>(); }};

}  // namespace ordo::search
