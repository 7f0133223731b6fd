// Harvesting on the machines of a cluster: packets that are an `ordo dataset harvest` of one package each.
#pragma once

#include <vector>

#include "cluster/cluster.h"
#include "datasets/harvest_manifest.h"
#include "harvest/harvest.h"
#include "support/error.h"

namespace ordo::harvest {

// As harvest(), with the same modules. `manifest_file` is where the manifest was read, "" for the one that
// comes with Ordo. A machine downloads for itself, and keeps headers for the next package; what it sends is
// looked at before it is put into the store: kCorrupt if a record is of something else, or bitcode is not
// what its name says. Otherwise the cluster's errors.
Result<std::vector<datasets::PackageRecord>> harvestElsewhere(
    cluster::Cluster& cluster, const datasets::HarvestManifest& manifest,
    const std::filesystem::path& manifest_file, const std::vector<datasets::HarvestPackage>& packages,
    const HarvestOptions& options);

}  // namespace ordo::harvest
