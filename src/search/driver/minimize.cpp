// Delta debugging turned round. ddmin (A. Zeller, R. Hildebrandt, "Simplifying and isolating
// failure-inducing input", 2002) tries large chunks first, which pays where almost everything is
// needless. A winner is short and a third of it matters, so that hardly any large chunk can go.
// Here every action is left out once, in one batch for all lanes; those that do not matter alone are
// then dropped together, and where that fails because they stand in for each other, by halves.
//
//   a b c d e f g h    alone, "a", "c", "d" and "g" do not matter
//     b     e f   h    all four: worse. "a" and "c": as good; "d" and "g" as well: worse; "d": as good
//     b     e f g h    again, until nothing can go
#include "search/driver/minimize.h"

namespace ordo::search {
namespace {

class Minimizer {
 public:
  Minimizer(Evaluator& evaluator, const Evaluation& winner) : evaluator_(evaluator), current_(winner) {}

  Evaluation run() {
    while (!evaluator_.done() && dropSome()) continue;
    return std::move(current_);
  }

 private:
  bool asGood(const Evaluation& candidate) const {
    return candidate.measured() && candidate.value <= current_.value;
  }

  // Whether anything could go.
  bool dropSome() {
    whole_ = current_.actions;
    kept_.assign(whole_.size(), true);
    std::vector<Sequence> batch;
    for (std::size_t i = 0; i < whole_.size(); ++i) batch.push_back(without(std::span(&i, 1)));
    std::vector<Evaluation> alone = evaluator_.evaluate(std::move(batch));

    std::vector<std::size_t> needless;
    for (std::size_t i = 0; i < alone.size(); ++i) {
      if (asGood(alone[i])) needless.push_back(i);
    }
    if (needless.empty()) return false;
    Evaluation& first = alone[needless.front()];
    drop(needless);
    // Only if the budget ended in between; this much is known.
    if (current_.actions.size() == whole_.size()) current_ = std::move(first);
    return true;
  }

  // Drops those at `positions`, or as many of them as go together with those dropped already.
  void drop(std::span<const std::size_t> positions) {
    Evaluation rest = evaluator_.evaluateOne(without(positions));
    if (asGood(rest)) {
      for (const std::size_t position : positions) kept_[position] = false;
      current_ = std::move(rest);
    } else if (positions.size() > 1 && !evaluator_.done()) {
      drop(positions.first(positions.size() / 2));
      drop(positions.subspan(positions.size() / 2));
    }
  }

  // What is kept of whole_, but for `positions`.
  Sequence without(std::span<const std::size_t> positions) const {
    std::vector<bool> kept = kept_;
    for (const std::size_t position : positions) kept[position] = false;
    Sequence rest;
    for (std::size_t i = 0; i < whole_.size(); ++i) {
      if (kept[i]) rest.push_back(whole_[i]);
    }
    return rest;
  }

  Evaluator& evaluator_;
  Evaluation current_;      // the best so far: whole_ without what was dropped
  Sequence whole_;          // the sequence of this round
  std::vector<bool> kept_;  // by position in whole_
};

}  // namespace

Evaluation minimize(Evaluator& evaluator, const Evaluation& winner) {
  return Minimizer(evaluator, winner).run();
}

}  // namespace ordo::search
