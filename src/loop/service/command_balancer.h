// Any balancer that two programs of loop.toml can steer and look at: nginx, a mesh, somebody's HTTP API.
#pragma once

#include <memory>

#include "loop/service/balancer.h"
#include "loop/service/settings.h"

namespace ordo::loop {

// What `look` prints: a line for each pool, in any order, of its name, weight, "up" or "down", and how many
// errors and redispatches it had since the balancer began. kCorrupt if a pool is missing, twice, or more is
// said.
struct Looked {
  std::array<int, kPools> weights{};
  std::array<ServerCounts, kPools> counts{};
};
Result<Looked> readLook(std::string_view text);

class CommandBalancer final : public Balancer {
 public:
  // `settings` has to outlive it.
  explicit CommandBalancer(const Settings& settings) : settings_(settings) {}

  Status set(const Shares& shares) override;
  Result<Shares> get() override;
  Result<std::array<ServerCounts, kPools>> counts() const override;

 private:
  Result<Looked> look() const;

  const Settings& settings_;
};

// The one of `settings`, which have to outlive it.
Result<std::unique_ptr<Balancer>> openBalancer(const Settings& settings);

}  // namespace ordo::loop
