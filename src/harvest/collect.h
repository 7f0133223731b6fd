// From what the capturing compiler left behind to the modules of a package.
#pragma once

#include <atomic>
#include <filesystem>
#include <vector>

#include "datasets/harvest_store.h"
#include "support/error.h"

namespace ordo::harvest {

struct Collected {
  std::vector<datasets::HarvestedModule> modules;  // by name
  std::vector<datasets::HarvestFailure> failures;  // by source
};

// Reads the records in `spool`, names the modules, leaves out what is there twice, verifies the rest
// with opt-22 and puts it into `store`. The result does not depend on the order files were compiled in.
//
// A source compiled several times gives one module per set of flags (the first named after the source,
// the others with @2, @3, ... by the names of their objects). Sets that differ only in whether the code
// is position independent count as one.
Result<Collected> collect(const std::filesystem::path& spool, const datasets::HarvestStore& store,
                          const std::atomic<bool>* stop);

}  // namespace ordo::harvest
