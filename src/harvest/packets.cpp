#include "harvest/packets.h"

#include <optional>
#include <string>
#include <system_error>

#include "support/files.h"

namespace ordo::harvest {
namespace fs = std::filesystem;
namespace {

using datasets::HarvestedModule;
using datasets::HarvestPackage;
using datasets::HarvestStore;
using datasets::PackageRecord;

cluster::Packet packetOf(const HarvestPackage& package, const datasets::HarvestManifest& manifest,
                         const fs::path& manifest_file, const HarvestOptions& options) {
  cluster::Packet packet{.arguments = {"dataset", "harvest", package.name, "--quiet", "--jobs=1",
                                       "--store=store", fmt::format("--limit={}", options.limit_s / 60)},
                         .output = "store/"};
  if (!manifest.mirror.empty()) packet.arguments.push_back("--mirror=" + manifest.mirror);
  if (!manifest_file.empty()) {
    packet.inputs["manifest"] = manifest_file;
    packet.arguments.emplace_back("--manifest=manifest");
  }
  return packet;
}

// A file that may be missing.
Status copyText(const fs::path& from, const fs::path& to) {
  const Result<std::string> text = readFile(from);
  return text ? writeFile(to, *text) : Status();
}

// The record last: it says that the rest is there.
Result<PackageRecord> take(const cluster::Arrival& arrival, const HarvestPackage& package,
                           const std::string& recipe, const HarvestStore& into) {
  const HarvestStore from(arrival.output);
  Result<PackageRecord> record = from.record(package.name);
  if (!record)
    return fail(ErrorCode::kUnavailable, "{} could not harvest {} (exit {}): {}", arrival.node, package.name,
                arrival.exit_code, arrival.words);
  if (record->package != package.name || record->recipe != recipe)
    return fail(ErrorCode::kCorrupt, "{} was asked for {} and harvested something else", arrival.node,
                package.name);
  for (const HarvestedModule& module : record->modules) {
    ORDO_TRY_ASSIGN(const std::string bitcode, readFile(from.modulePath(module.hash)));
    if (hashBytes(bitcode) != module.hash)
      return fail(ErrorCode::kCorrupt, "debian/{}/{} of {} is not what its hash says", package.name,
                  module.name, arrival.node);
    ORDO_TRY(into.addModule(module.hash, bitcode));
  }
  ORDO_TRY(copyText(from.copyrightPath(package.name), into.copyrightPath(package.name)));
  ORDO_TRY(copyText(from.logPath(package.name), into.logPath(package.name)));
  ORDO_TRY(into.addRecord(*record));
  return record;
}

}  // namespace

Result<std::vector<PackageRecord>> harvestElsewhere(cluster::Cluster& cluster,
                                                    const datasets::HarvestManifest& manifest,
                                                    const fs::path& manifest_file,
                                                    const std::vector<HarvestPackage>& packages,
                                                    const HarvestOptions& options) {
  ORDO_TRY(options.store.prepare());
  const auto stopped = [&] { return options.stop != nullptr && *options.stop; };
  std::vector<std::optional<PackageRecord>> records(packages.size());
  const auto finish = [&](std::size_t index, PackageRecord record, bool was_there) {
    if (options.on_package) options.on_package(record, was_there);
    records[index] = std::move(record);
  };
  std::vector<std::size_t> missing;
  for (std::size_t i = 0; i < packages.size(); ++i) {
    std::optional<PackageRecord> old = harvestedBefore(manifest, packages[i], options);
    if (old)
      finish(i, *std::move(old), true);
    else
      missing.push_back(i);
  }
  std::size_t sent = 0;
  for (std::size_t arrived = 0; arrived < missing.size() && !stopped(); ++arrived) {
    while (sent < missing.size() && cluster.hasRoom()) {
      const std::size_t index = missing[sent++];
      ORDO_TRY(cluster.send(index, packetOf(packages[index], manifest, manifest_file, options)));
      if (options.on_step) options.on_step(packages[index].name, "away");
    }
    const Result<cluster::Arrival> arrival = cluster.receive();
    if (!arrival && stopped()) break;
    if (!arrival) return fail(arrival.error());
    const HarvestPackage& package = packages[arrival->packet];
    ORDO_TRY_ASSIGN(PackageRecord record,
                    take(*arrival, package, manifest.recipe(package).hex(), options.store));
    std::error_code ignored;
    fs::remove_all(arrival->output, ignored);
    finish(arrival->packet, std::move(record), false);
  }
  std::vector<PackageRecord> done;
  for (std::optional<PackageRecord>& record : records) {
    if (record) done.push_back(*std::move(record));
  }
  return done;
}

}  // namespace ordo::harvest
