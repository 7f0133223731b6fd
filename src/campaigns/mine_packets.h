// Mining on the machines of a cluster: packets that are an `ordo mine` of one program each.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "campaigns/mine.h"
#include "cluster/cluster.h"

namespace ordo::campaigns {

// Has many programs looked at at once, and tells of them one after the other, so that a file comes to be in
// the order in which one machine writes it. One thread.
class MinePackets {
 public:
  // `programs` are those that mine() will ask for. It and `options` have to outlive this.
  MinePackets(cluster::Cluster& cluster, std::string space, const MineOptions& options,
              std::vector<std::string> programs)
      : cluster_(cluster), space_(std::move(space)), options_(options), programs_(std::move(programs)) {}

  // What MineOptions::elsewhere asks for. Errors of the cluster. REQUIRES: `uri` is one of the programs.
  Result<search::KnowledgeFile> mine(const std::string& uri);

 private:
  Result<cluster::Packet> packetOf(const std::string& uri) const;
  Status receive();

  cluster::Cluster& cluster_;
  const std::string space_;  // as on a command line
  const MineOptions& options_;
  const std::vector<std::string> programs_;
  std::size_t sent_ = 0;
  std::map<std::string, search::KnowledgeFile, std::less<>> arrived_;  // and not asked for yet, by program
};

}  // namespace ordo::campaigns
