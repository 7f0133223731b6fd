// What was found for functions before, by what they are: in another build, in an earlier edit of the file, in
// another file that has the same function.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo::tune {

struct RememberedFunction {
  std::string best;  // the sequence, as env::Choices writes it; "": none made it smaller
  double saves = 0;  // of its size

  bool operator==(const RememberedFunction&) const = default;
};

// Whoever has one decides where it is kept. One thread at a time. What it says is tried and measured like any
// other sequence, so it may be wrong, but cannot make a result wrong or larger.
class FunctionMemory {
 public:
  virtual ~FunctionMemory() = default;

  // `key` is of any characters: the function before its sequence, what stands around that, and the objective.
  virtual Result<std::optional<RememberedFunction>> find(std::string_view key) = 0;
  virtual Status store(std::string_view key, const RememberedFunction& function) = 0;
};

}  // namespace ordo::tune
