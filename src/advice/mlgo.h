// What MLGO's tools write and read (LLVM's TrainingLogger and InteractiveModelRunner), as advice of ours: a
// line of JSON that says which tensors come, then for each case a line {"observation":n}, the numbers of all
// tensors, little-endian, and a line feed. Files of it are logs; on a pipe the compiler waits for an answer
// after each. docs/formats/mlgo.md has all of it.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "env/advice_log.h"
#include "env/advisor.h"
#include "support/error.h"
#include "support/json.h"

namespace ordo::advice {

// Reads such a stream piece by piece. Where a compilation has ended, the next may begin with its own first
// line.
class MlgoStream {
 public:
  // `spec` says which features are wanted, by name, from whatever others there are; each is one number, or
  // "NAME[n]" the n-th of a tensor NAME. `name` is for messages.
  MlgoStream(env::DecisionSpec spec, std::string name) : spec_(std::move(spec)), name_(std::move(name)) {}

  // One case. `usual` and `answer` are those of the stream; where it does not have them 0, and for evictions
  // that nothing is evicted, or what can be if something must.
  using Visit = std::function<void(const env::Advice&)>;

  // Takes the next `bytes`, and visits each case that is whole with them. kCorrupt for what is no such
  // stream, kUnsupported for one of another decision.
  Status feed(std::string_view bytes, const Visit& visit);

  // Whether there is nothing begun that has not ended.
  bool whole() const { return rest_.empty() && awaited_ == 0; }

  // How many first lines there were.
  std::size_t compilations() const { return compilations_; }

 private:
  struct Tensor {
    std::size_t bytes = 0, count = 1;  // of all numbers
    char type = 0;                     // 'i' and 'f', of the width that its bytes are
    std::size_t feature = kNone;       // of the spec; of the first number
  };
  static constexpr std::size_t kNone = ~std::size_t{0};

  Status readHeader(const JsonObject& object, const Json& json);
  Status readCase(std::string_view numbers, const Visit& visit);

  env::DecisionSpec spec_;
  std::string name_;
  std::vector<Tensor> tensors_;
  std::size_t case_bytes_ = 0, usual_ = kNone, answer_ = kNone, outcome_bytes_ = 0;
  std::size_t compilations_ = 0;
  std::size_t awaited_ = 0;  // bytes of numbers that come next, behind a line
  bool is_case_ = false;
  std::string module_, rest_;
};

// A log of MLGO's as ours. As MlgoStream::feed(), and kCorrupt if it ends in the middle.
Result<env::AdviceLog> parseMlgoLog(const env::DecisionSpec& spec, std::string_view bytes,
                                    std::string_view name);

// Ours as one of MLGO's, with what LLVM would have done as inlining_default or eviction_default, and the
// answer as inlining_decision or index_to_evict. Features are whole numbers but where MLGO has others.
std::string writeMlgoLog(const env::AdviceLog& log);

// The answers of a log alone, as a compiler reads them from a pipe: where a file is in the pipe's place,
// stock opt repeats them without anybody to ask.
std::string writeMlgoAnswers(const env::AdviceLog& log);

// One such answer.
std::string mlgoAnswer(std::uint32_t answer);

}  // namespace ordo::advice
