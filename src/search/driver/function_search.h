// Finds a sequence for each function of a program, where one emission measures all of them (env/choices.h).
// It asks and is told: next() says which choices to emit, learn() takes what each function came to.
//
// What a sequence is worth on one function says what it may be worth on others, and, where their shapes are
// known, most on those that are like it: each emission gives every
// function, of what it has not had, the sequence that promises most there, by what that saved where it was
// tried. What was found for a function before comes first, and then what others want that are new. New
// sequences are those of the list, and then two that were best somewhere, one behind the other, or with a
// piece left out.
//
// Deterministic by seed. One thread at a time; no session, no compiler.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "env/choices.h"
#include "search/knowledge/function_sequences.h"
#include "support/rng.h"

namespace ordo::search {

class FunctionSearch {
 public:
  struct Function {
    std::string name;
    // Of whatever is to be small, as it is without a choice; less than 0: unknown, so it is left alone.
    double size = 0;
    // From an earlier search: the sequence that was best, "" if none was.
    std::optional<std::string> known = {};
    // What it is like: functions whose vectors have one direction are alike. Empty, or as long as the
    // others'.
    std::vector<float> shape = {};
  };

  // What came of a function.
  struct Answer {
    std::string best;  // "": no sequence made it smaller, or none was tried
    double saves = 0;  // of its size
    bool tried = false;
  };

  // `sequences` are to be tried, each with what it is expected to save. `first` is what functions have
  // without a choice.
  FunctionSearch(std::vector<Function> functions, const std::vector<MinedSequence>& sequences,
                 std::uint64_t seed, std::string first = "");

  // What to emit next; nothing once there is nothing that promises anything. REQUIRES: the last was learned
  // from.
  std::optional<env::Choices> next();

  // What each function came to with the choices of the last next(), in their order; nothing: it failed. Then
  // it is asked for again in halves, until the sequence that fails is known, which is tried no more.
  void learn(const std::optional<std::vector<double>>& sizes);

  // The best choices that are known, of at most kMostSequences sequences. Only functions that they make
  // smaller are named.
  env::Choices best() const;
  // What they save of each of these, by name, if functions do not depend on each other.
  std::map<std::string, double> savedBy() const;
  // What the best sequence of each function saves in all: as much, or more where one action may not have all
  // of them. Cheap.
  double saved() const;

  // By function, in their order.
  std::vector<Answer> answers() const;

  std::size_t emissions() const { return emissions_; }

 private:
  struct Sequence {
    std::string text;
    double expected = 0;  // of a function's size, saved where nothing is known yet
    std::vector<std::pair<std::size_t, double>> saved = {};  // by function, of its size
    bool banned = false;
  };
  struct Tried {
    Function function;
    std::map<std::size_t, double> sizes;  // by number of sequence
    std::size_t best = kNone;
    double best_size = 0;
  };
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);

  std::size_t add(const std::string& text, double expected);
  double promise(const Sequence& sequence, std::size_t function);
  std::vector<std::size_t> assign(const std::vector<std::size_t>* among);
  std::vector<std::size_t> fewOf(const std::vector<std::size_t>& wanted) const;
  bool recall();
  void vary();
  env::Choices choicesOf(const std::vector<std::size_t>& sequences) const;

  std::string first_;
  std::vector<Tried> functions_;
  std::vector<std::vector<double>> likeness_;  // of two functions, from 0 to 1; empty: all are alike
  std::vector<Sequence> sequences_;
  std::map<std::string, std::size_t> known_;
  std::vector<std::size_t> asked_;                // by function: the sequence, or kNone
  std::vector<std::size_t> recalled_;             // by function: of those that are known, not yet asked for
  std::vector<std::vector<std::size_t>> halves_;  // of what failed, to be asked for
  std::size_t emissions_ = 0, barren_ = 0;
  Rng rng_;
};

}  // namespace ordo::search
