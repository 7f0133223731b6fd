// What is known already: the answer to every sequence, the value of every program by its state
// hash, and the prefixes that nothing survives. Not thread-safe; the evaluator guards it.
#pragma once

#include <span>
#include <unordered_map>

#include "search/evaluation/evaluation.h"

namespace ordo::search {

// How thoroughly to answer.
enum class Effort {
  kScreened,  // the screening metric may rule a candidate out
  kFull,      // the objective's metric is measured, now or earlier
  kFresh,     // replayed from the program as given, without caches; not subject to limits or stop
};

class Memory {
 public:
  // Completes `result` if the sequence with these prefixes, or a fatal beginning of it, is known.
  bool recallSequence(std::span<const Hash128> prefixes, Effort effort, Evaluation& result) const;

  // Completes `result` if the program result.state is known.
  bool recallState(Effort effort, Evaluation& result) const;

  // Remembers the answer to a sequence and, unless it failed on the way there, of its program.
  void remember(const Hash128& sequence, const Evaluation& result);

  // Remembers that everything that begins with `prefix` fails as `result` did.
  void rememberFatal(const Hash128& prefix, const Evaluation& result);

  // Whether `fresh` contradicts what is remembered of its sequence.
  bool contradicts(const Hash128& sequence, const Evaluation& fresh) const;

 private:
  struct Answer {
    Verdict verdict = Verdict::kSkipped;
    env::StepStatus status = env::StepStatus::kOk;
    double value = 0;
    double screen = 0;
    std::vector<double> amounts;
    Hash128 state;
    std::string detail;
  };
  using Table = std::unordered_map<Hash128, Answer>;

  static bool recall(const Table& table, const Hash128& key, Effort effort, Evaluation& result);
  static void store(Table& table, const Hash128& key, const Evaluation& result);

  Table sequences_, states_, fatal_;
};

}  // namespace ordo::search
