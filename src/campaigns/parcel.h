// What a packet takes along to another machine, so that `ordo` finds there what it would find here.
#pragma once

#include <string>

#include "cluster/cluster.h"
#include "engine/knowledge.h"
#include "support/error.h"

namespace ordo::campaigns {

// Adds `uri` as an argument, and the files that make the program the same elsewhere, by where `ordo` finds
// them from an empty folder: those of the suite and of harvested packages, and files by their relative names,
// a source with the headers beside it and below. What has an absolute path has to be on a shared folder; what
// is made from its name is made there. kInvalidArgument for a path that leads up; errors of
// datasets::loadProgram().
Status addProgram(const std::string& uri, cluster::Packet& packet);

// Adds --space, a name or a file.
void addSpace(const std::string& space, cluster::Packet& packet);

// Adds --space, and --knowledge and --policy: files, "" is none.
void addLearned(const std::string& space, const engine::Learned& learned, cluster::Packet& packet);

}  // namespace ordo::campaigns
