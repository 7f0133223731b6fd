// Collecting experience on the machines of a cluster: packets that are an `ordo collect` of one program each.
#pragma once

#include <string>

#include "campaigns/collect.h"
#include "cluster/cluster.h"
#include "engine/knowledge.h"

namespace ordo::campaigns {

// As collect(), with the same records: only the order of lines and cpu_s are others. kCorrupt if a file comes
// back that was made with another header, or is not of its packet; otherwise the cluster's errors.
Result<CollectProgress> collectElsewhere(cluster::Cluster& cluster, const std::string& space,
                                         const engine::Learned& learned, const experience::Header& header,
                                         experience::Writer& writer, const CollectOptions& options);

}  // namespace ordo::campaigns
