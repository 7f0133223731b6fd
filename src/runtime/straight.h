// What can be decided about a program's straight code, all of it at once: whether it is vectorised. LLVM's
// SLP vectorizer takes its chances by a cost model, and where that errs, as in hash functions, nothing else
// can take them back.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "env/session.h"
#include "runtime/decisions.h"

namespace ordo::runtime {

class StraightActions final : public Decisions {
 public:
  // Adds to `spec` its action `baseline` in halves, the second without that pass. Nothing, and nothing added,
  // if it has no halves (loops.h).
  static std::optional<StraightActions> add(env::SessionSpec& spec, env::ActionIndex baseline,
                                            search::Sequence prefix = {});

  std::string_view noun() const override { return "pipeline"; }
  const std::vector<std::size_t>& parts() const override { return parts_; }
  // Not vectorised.
  std::vector<Decision> probes(std::size_t part) const override { return ways(part); }
  std::vector<Decision> ways(std::size_t part) const override { return {{part, without_}}; }
  search::Sequence with(const std::vector<Decision>& decisions) const override;

  // The second half, if this is the program without the pass.
  std::optional<env::ActionIndex> decided(const search::Sequence& sequence) const;

 private:
  search::Sequence prefix_;
  env::ActionIndex baseline_ = 0, before_ = 0, without_ = 0;
  std::vector<std::size_t> parts_{0};
};

}  // namespace ordo::runtime
