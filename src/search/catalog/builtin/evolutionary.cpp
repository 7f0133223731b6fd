// Evolutionary search, the default: a small population of sequences that are varied and selected,
// (mu + lambda) with one place per distinct program. Three things fit it to compilers:
//
// - The landscape: an existing pipeline and a few more passes is already strong, and whole custom
//   sequences can beat it later. The seeds are therefore parents from the start, and so is what
//   is proposed for the program; some operators put short heads and tails around them.
// - Operators earn their use. Which kind of change pays differs between programs and between early
//   and late, so each is chosen in proportion to its recent success (probability matching).
// - Actions earn their use. Of some hundred passes most do nothing for a given program; one that
//   has paid is introduced again sooner than one that never has.
//
// Plateaus are wide (many programs have the same size), so what is equal may stay, the newer first:
// neutral drift finds the ways off. But the lighter comes before the newer, as most of what is added
// does nothing and would make every later evaluation slower. A population that finds nothing more
// is started again around its best.
//
// Source: H.-P. Schwefel, "Numerical Optimization of Computer Models", 1981, for (mu + lambda);
//   D. Thierens, "Adaptive operator probabilities", GECCO 2005; K. D. Cooper et al., "Optimizing for
//   reduced code space using genetic algorithms", LCTES 1999; crossover at common actions as in
//   synergy-guided tuners (arXiv 2510.13184).
// Parameters: the constants below.
#include <algorithm>
#include <unordered_set>

#include "search/searcher/searcher.h"
#include "search/searcher/variation.h"

namespace ordo::search {
namespace {

constexpr std::size_t kPopulation = 16;
constexpr std::size_t kTournament = 2;   // parents are the best of this many
constexpr double kSecondMutation = 0.5;  // probability of one more change, again after each
constexpr std::size_t kStagnation = 25;  // generations without a better best before a restart
constexpr std::size_t kElite = 3;        // survive a restart
constexpr double kImmigrants = 0.06;     // share of a batch that has no parents
constexpr double kLeastShare = 0.03;     // of each operator, whatever its record
constexpr double kMemory = 0.9;          // of an operator's record, per generation
constexpr std::size_t kMaxSlice = 4;     // actions that are moved, copied or removed together
constexpr double kMaxSeedWeights = 2;    // a sequence may weigh as much as this many of the heaviest seed
constexpr std::size_t kActionTournament = 3;  // new actions are the best-reputed of this many

// How often an action was introduced, and how often that paid.
struct Reputation {
  double uses = 0;
  double gains = 0;
  // Starts high, so that everything is tried.
  double score() const { return (gains + 0.5) / (uses + 1); }
};

class Evolution {
 public:
  explicit Evolution(SearchContext& context)
      : context_(context),
        rng_(context.rng()),
        record_(operators().size(), 1),
        reputations_(context.actions().size()) {
    groupFamilies();
    for (const env::Action& action : context.actions()) weights_.push_back(passesIn(action));
    for (const Evaluation& seed : context.seeds()) max_weight_ = std::max(max_weight_, weight(seed.actions));
    max_weight_ = kMaxSeedWeights * max_weight_ + static_cast<double>(context.maxLength());
  }

  void run() {
    population_ = context_.leaders();  // the seeds, and what was proposed for this program
    evolve(immigrants(context_.batchSize()));
    while (!context_.done()) {
      std::vector<Child> children =
          immigrants(static_cast<std::size_t>(kImmigrants * static_cast<double>(context_.batchSize())));
      while (children.size() < context_.batchSize()) children.push_back(breed());
      evolve(std::move(children));
      if (idle_generations_ >= kStagnation) restart();
    }
  }

 private:
  using Operator = void (Evolution::*)(Sequence&);

  static std::span<const Operator> operators() {
    static constexpr Operator kOperators[] = {&Evolution::replace, &Evolution::sibling, &Evolution::insert,
                                              &Evolution::remove,  &Evolution::swap,    &Evolution::copy,
                                              &Evolution::append,  &Evolution::prepend, &Evolution::cross,
                                              &Evolution::splice,  &Evolution::graft};
    return kOperators;
  }

  struct Child {
    Sequence actions;
    std::vector<std::size_t> operators;        // what made it
    std::vector<env::ActionIndex> introduced;  // actions that it has and its parent may not have
    Evaluation parent;                         // kSkipped, hence worse than anything, if it has none
  };

  // --- one generation

  void evolve(std::vector<Child> children) {
    std::vector<Sequence> batch;
    for (const Child& child : children) batch.push_back(child.actions);
    const double best_before = context_.best().value;
    std::vector<Evaluation> results = context_.evaluate(std::move(batch));
    for (std::size_t i = 0; i < children.size(); ++i) credit(children[i], results[i], best_before);
    for (double& record : record_) record *= kMemory;
    select(std::move(results));
    idle_generations_ = context_.best().value < best_before ? 0 : idle_generations_ + 1;
  }

  void credit(const Child& child, const Evaluation& result, double best_before) {
    if (result.verdict == Verdict::kSkipped) return;
    const bool has_parent = child.parent.verdict != Verdict::kSkipped;
    const bool improved = has_parent && better(result, child.parent);
    const bool changed = result.verdict != Verdict::kFailed && result.state != child.parent.state;
    // Cleaning up is worth something too, or removal would never be chosen.
    const bool lightened =
        has_parent && !better(child.parent, result) && weight(child.actions) < weight(child.parent.actions);
    const double reward = result.value < best_before ? 3 : improved ? 1 : lightened ? 0.3 : 0;
    for (const std::size_t used : child.operators)
      record_[used] += reward / static_cast<double>(child.operators.size());
    for (const env::ActionIndex action : child.introduced) {
      reputations_[action].uses += 1;
      reputations_[action].gains += reward + (changed ? 0.05 : 0);
    }
  }

  // The best of both generations, one per program.
  void select(std::vector<Evaluation> candidates) {
    candidates.insert(candidates.end(), population_.begin(), population_.end());
    std::ranges::sort(candidates, [this](const Evaluation& a, const Evaluation& b) { return before(a, b); });
    std::unordered_set<Hash128> seen;
    population_.clear();
    for (Evaluation& candidate : candidates) {
      if (population_.size() == kPopulation || candidate.verdict < Verdict::kScreened) break;
      if (seen.insert(candidate.state).second) population_.push_back(std::move(candidate));
    }
  }

  // The better, the lighter, the newer.
  bool before(const Evaluation& a, const Evaluation& b) const {
    if (better(a, b) || better(b, a)) return better(a, b);
    const double weight_a = weight(a.actions), weight_b = weight(b.actions);
    return weight_a != weight_b ? weight_a < weight_b : a.number > b.number;
  }

  double weight(const Sequence& sequence) const {
    double sum = 0;
    for (const env::ActionIndex action : sequence) sum += weights_[action];
    return sum;
  }

  void restart() {
    population_.resize(std::min(population_.size(), kElite));
    std::ranges::fill(record_, 1);
    evolve(immigrants(context_.batchSize()));
    idle_generations_ = 0;
  }

  // --- where children come from

  // A seed with something random around it, or something random.
  std::vector<Child> immigrants(std::size_t count) {
    std::vector<Child> result(count);
    for (Child& child : result) {
      introduced_.clear();
      if (rng_.chance(0.8)) child.actions = rng_.pick(std::span(context_.seeds())).actions;
      if (rng_.chance(0.2)) prepend(child.actions);
      for (std::size_t more = rng_.between(1, child.actions.empty() ? 10 : 3); more > 0; --more)
        append(child.actions);
      finish(child);
    }
    return result;
  }

  Child breed() {
    introduced_.clear();
    Child child{.actions = {}, .operators = {}, .introduced = {}, .parent = pickParent()};
    child.actions = child.parent.actions;
    do {
      child.operators.push_back(pickOperator());
      (this->*operators()[child.operators.back()])(child.actions);
    } while (rng_.chance(kSecondMutation));
    finish(child);
    return child;
  }

  void finish(Child& child) {
    Sequence& s = child.actions;
    while (s.size() > context_.maxLength() || weight(s) > max_weight_) s.pop_back();
    child.introduced = introduced_;
  }

  const Evaluation& pickParent() { return population_[tournament(rng_, population_.size(), kTournament)]; }

  std::size_t pickOperator() {
    double total = 0;
    for (const double record : record_) total += record + 1e-3;
    double at = rng_.uniform();
    for (std::size_t i = 0; i + 1 < record_.size(); ++i) {
      const double share = (record_[i] + 1e-3) / total;
      at -= kLeastShare + (1 - kLeastShare * static_cast<double>(record_.size())) * share;
      if (at < 0) return i;
    }
    return record_.size() - 1;
  }

  env::ActionIndex pickAction() {
    env::ActionIndex action = context_.randomAction();
    for (std::size_t i = 1; i < kActionTournament; ++i) {
      const env::ActionIndex other = context_.randomAction();
      if (reputations_[other].score() > reputations_[action].score()) action = other;
    }
    introduced_.push_back(action);
    return action;
  }

  // --- operators; each accepts any sequence, also an empty one

  void insert(Sequence& s) {
    const env::ActionIndex action = pickAction();
    s.insert(s.begin() + offset(rng_.between(0, s.size())), action);
  }

  void append(Sequence& s) {
    for (std::size_t more = rng_.between(1, 2); more > 0; --more) s.push_back(pickAction());
  }

  void prepend(Sequence& s) { s.insert(s.begin(), pickAction()); }

  void replace(Sequence& s) {
    if (s.empty()) return insert(s);
    s[rng_.below(s.size())] = pickAction();
  }

  // Another variant of the same pass: a change of its parameters.
  void sibling(Sequence& s) {
    if (s.empty()) return insert(s);
    env::ActionIndex& action = s[rng_.below(s.size())];
    action = rng_.pick(std::span(families_[family_[action]]));
  }

  void remove(Sequence& s) {
    const auto [from, to] = slice(s);
    s.erase(s.begin() + offset(from), s.begin() + offset(to));
  }

  void swap(Sequence& s) {
    if (!s.empty()) std::swap(s[rng_.below(s.size())], s[rng_.below(s.size())]);
  }

  void copy(Sequence& s) { insertSlice(s, s); }

  // A part of another individual somewhere into this one.
  void splice(Sequence& s) { insertSlice(s, pickParent().actions); }

  // A seed in front of what this one ends with.
  void graft(Sequence& s) {
    const Sequence& seed = rng_.pick(std::span(context_.seeds())).actions;
    s.erase(s.begin(), s.begin() + offset(rng_.between(0, s.size())));
    s.insert(s.begin(), seed.begin(), seed.end());
  }

  void cross(Sequence& s) { s = crossedAtCommon(context_, std::move(s), pickParent().actions); }

  // A random part of up to kMaxSlice actions: [first, second).
  std::pair<std::size_t, std::size_t> slice(const Sequence& s) {
    if (s.empty()) return {0, 0};
    const std::size_t from = rng_.below(s.size());
    return {from, std::min(s.size(), from + rng_.between(1, kMaxSlice))};
  }

  void insertSlice(Sequence& s, const Sequence& source) {
    const auto [from, to] = slice(source);
    const Sequence part(source.begin() + offset(from), source.begin() + offset(to));
    s.insert(s.begin() + offset(rng_.between(0, s.size())), part.begin(), part.end());
  }

  static std::ptrdiff_t offset(std::size_t position) { return static_cast<std::ptrdiff_t>(position); }

  // The pass behind a name is what comes before its parameters: "simplifycfg<hoist>" is "simplifycfg".
  void groupFamilies() {
    std::vector<std::string_view> bases;
    for (const env::Action& action : context_.actions()) {
      const std::string_view base = std::string_view(action.name).substr(0, action.name.find_first_of("<:"));
      const auto known = static_cast<std::size_t>(std::ranges::find(bases, base) - bases.begin());
      if (known == bases.size()) {
        bases.push_back(base);
        families_.emplace_back();
      }
      families_[known].push_back(static_cast<env::ActionIndex>(family_.size()));
      family_.push_back(known);
    }
  }

  SearchContext& context_;
  Rng& rng_;
  std::vector<Evaluation> population_;  // best first
  std::size_t idle_generations_ = 0;
  std::vector<double> record_;                // recent success of each operator
  std::vector<Reputation> reputations_;       // by action
  std::vector<env::ActionIndex> introduced_;  // into the child that is being made
  std::vector<std::vector<env::ActionIndex>> families_;
  std::vector<std::size_t> family_;  // by action
  std::vector<double> weights_;      // by action
  double max_weight_ = 0;            // of a sequence
};

class Evolutionary final : public Searcher {
 public:
  void run(SearchContext& context) override { Evolution(context).run(); }
};

}  // namespace

extern constinit const SearcherInfo evolutionary{
    .name = "evolutionary",
    .summary = "varies and selects sequences around the seeds; the default without a policy",
    .make = []() -> std::unique_ptr<Searcher> { return std::make_unique<Evolutionary>(); }};

}  // namespace ordo::search
