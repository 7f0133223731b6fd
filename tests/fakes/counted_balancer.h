// A balancer that only says what it counted, or that does not answer.
#pragma once

#include <optional>

#include "loop/service/balancer.h"

namespace ordo::fakes {

class CountedBalancer final : public loop::Balancer {
 public:
  using Counts = std::array<loop::ServerCounts, loop::kPools>;
  explicit CountedBalancer(std::optional<Counts> counts = Counts{}) : counts_(counts) {}

  Status set(const loop::Shares&) override { return {}; }
  Result<loop::Shares> get() override { return loop::Shares{}; }
  Result<Counts> counts() const override {
    if (!counts_) return fail(ErrorCode::kUnavailable, "there is no balancer");
    return *counts_;
  }

 private:
  std::optional<Counts> counts_;
};

}  // namespace ordo::fakes
