// Takes packets of a study to the machines of a cluster: each is an `ordo eval` of one program.
#pragma once

#include <string>

#include "campaigns/eval.h"
#include "cluster/cluster.h"
#include "study/packets.h"

namespace ordo::campaigns {

// What packets have in common.
struct EvalCourierOptions {
  std::string space = "size";
  engine::Learned learned;  // files, "" is none
  bool evaluation = false;
  std::uint64_t compiles = 1000;
  std::uint64_t max_length = 60;
};

// One thread.
class EvalCourier final : public study::Courier {
 public:
  EvalCourier(cluster::Cluster& cluster, EvalCourierOptions options)
      : cluster_(cluster), options_(std::move(options)) {}

  bool hasRoom() override { return cluster_.hasRoom(); }
  Status send(std::size_t number, const study::RunPacket& packet) override;
  Result<Arrival> receive() override;

 private:
  cluster::Cluster& cluster_;
  const EvalCourierOptions options_;
};

}  // namespace ordo::campaigns
