// Makes the runs of a study elsewhere, in packets: as runner.h does, with the same records.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "study/runner.h"

namespace ordo::study {

// Missing runs of one program for one objective with one seed.
using RunPacket = std::vector<RunKey>;

// Takes packets to where they are made, and studies of them back. One thread.
class Courier {
 public:
  virtual ~Courier() = default;

  // Whether it takes another packet now.
  virtual bool hasRoom() = 0;
  virtual Status send(std::size_t number, const RunPacket& packet) = 0;

  struct Arrival {
    std::size_t number = 0;
    Study study;  // the runs of the packet, and their program
  };
  // Waits for one. Each packet that was sent arrives once, in any order.
  virtual Result<Arrival> receive() = 0;
};

// The runs of `plan` that `finished` has not, in the order of the plan.
std::vector<RunPacket> packetsOf(const Plan& plan, const std::set<RunKey>& finished);

// Makes those runs of `plan` that `writer` has not, and adds each packet as it arrives. kCorrupt for a study
// that is of other settings than `settings`, or not of its packet; otherwise the courier's errors and the
// writer's. What is done stays.
Result<Outcome> runPackets(Courier& courier, StudyWriter& writer, const Settings& settings, const Plan& plan,
                           const RunnerOptions& options);

}  // namespace ordo::study
