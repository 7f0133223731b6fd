// ordo dataset: programs at scale. Harvests Debian source packages, says what there is, compares.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <thread>

#include "cli/command.h"
#include "cli/terminal.h"
#include "cluster/cluster.h"
#include "harvest/harvest.h"
#include "harvest/hashes.h"
#include "harvest/packets.h"
#include "support/clock.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

namespace fs = std::filesystem;
using datasets::HarvestManifest;
using datasets::HarvestPackage;
using datasets::HarvestStore;
using datasets::PackageRecord;

struct Options {
  std::vector<std::string> packages;
  std::string store;
  std::string work;
  std::string manifest;
  std::string mirror;
  std::string from;
  std::string hashes;
  std::string ray;
  bool write = false;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  double limit_minutes = 30;
  bool all = false;
  bool retry = false;
  bool keep_sources = false;
  bool keep_builds = false;
  bool json = false;
  bool quiet = false;
};

HarvestStore storeOf(const Options& options) {
  return options.store.empty() ? HarvestStore::standard() : HarvestStore(options.store);
}

Result<HarvestManifest> manifestOf(const Options& options) {
  if (options.manifest.empty()) return datasets::loadHarvestManifest(dataDir());
  ORDO_TRY_ASSIGN(const std::string text, readFile(options.manifest));
  return datasets::parseHarvestManifest(text, options.manifest);
}

// What the words on the command line stand for.
Result<std::vector<HarvestPackage>> choosePackages(const Options& options, const HarvestManifest& manifest) {
  if (options.all) {
    if (!options.packages.empty() || !options.from.empty())
      return fail(ErrorCode::kInvalidArgument, "--all is all packages of the manifest; name none");
    return manifest.packages;
  }
  if (options.packages.empty())
    return fail(ErrorCode::kInvalidArgument,
                "name the packages to harvest, or say --all for those of the manifest");
  if (!options.from.empty() && options.packages.size() != 1)
    return fail(ErrorCode::kInvalidArgument, "--from is for one package; name it");
  std::vector<HarvestPackage> packages;
  for (const std::string& name : options.packages) {
    if (name.find('/') != std::string::npos || name.starts_with('.'))
      return fail(ErrorCode::kInvalidArgument, "'{}' is not the name of a package; use --from for a folder",
                  name);
    if (const HarvestPackage* known = manifest.find(name); known != nullptr && options.from.empty()) {
      packages.push_back(*known);
      continue;
    }
    HarvestPackage other;
    other.name = name;
    other.kind = "other";
    packages.push_back(std::move(other));
  }
  return packages;
}

Json toJson(const PackageRecord& record) {
  return {
      {"package", record.package}, {"version", record.version},        {"licence", record.licence},
      {"builder", record.builder}, {"modules", record.modules.size()}, {"failures", record.failures.size()},
      {"seconds", record.seconds}, {"problem", record.problem},        {"notes", record.notes}};
}

std::string describe(const PackageRecord& record, const HarvestStore& store) {
  const std::string name = record.version.empty() ? record.package : record.package + " " + record.version;
  if (!record.problem.empty()) {
    return fmt::format("{}: no modules: {}; see {}", name, record.problem,
                       store.logPath(record.package).string());
  }
  std::string text = fmt::format("{}: {} modules", name, record.modules.size());
  if (!record.failures.empty()) text += fmt::format(", {} files without", record.failures.size());
  return text + fmt::format(", {:.0f} s", record.seconds);
}

Result<std::vector<PackageRecord>> harvestAll(const Options& options) {
  ORDO_TRY_ASSIGN(HarvestManifest manifest, manifestOf(options));
  if (!options.mirror.empty()) manifest.mirror = options.mirror;
  ORDO_TRY_ASSIGN(const std::vector<HarvestPackage> packages, choosePackages(options, manifest));
  if (options.jobs < 1 || options.jobs > 256)
    return fail(ErrorCode::kInvalidArgument, "--jobs should be 1 to 256");
  if (!(options.limit_minutes > 0))
    return fail(ErrorCode::kInvalidArgument, "--limit should be more than 0 minutes");

  harvest::HarvestOptions harvest_options{
      .store = storeOf(options),
      .work = options.work.empty() ? cacheDir() / "harvest" : fs::path(options.work),
      .wrapper = executablePath().parent_path() / "ordo-capture",
      .from = options.from};
  harvest_options.jobs = options.jobs;
  harvest_options.limit_s = options.limit_minutes * 60;
  harvest_options.retry = options.retry;
  harvest_options.keep_sources = options.keep_sources;
  harvest_options.keep_builds = options.keep_builds;
  harvest_options.stop = &interrupted();
  ProgressLine progress(!options.quiet);
  std::map<std::string, std::string, std::less<>> steps;  // of the packages that are being worked on
  std::size_t done = 0, modules = 0;
  harvest_options.on_step = [&](std::string_view package, std::string_view step) {
    steps[std::string(package)] = step;
    std::string text = fmt::format("{} of {} packages, {} modules ", done, packages.size(),
                                   grouped(static_cast<double>(modules)));
    for (const auto& [name, at] : steps) text += fmt::format(" {}: {}", name, at);
    progress.show(text);
  };
  harvest_options.on_package = [&](const PackageRecord& record, bool was_there) {
    steps.erase(record.package);
    ++done;
    modules += record.modules.size();
    if (!options.quiet && !was_there) progress.print(describe(record, harvest_options.store));
  };
  if (options.ray.empty()) return harvest::harvest(manifest, packages, harvest_options);
  if (!options.from.empty() || options.keep_sources || options.keep_builds || !options.work.empty())
    return fail(
        ErrorCode::kInvalidArgument,
        "--from, --work, --keep-sources and --keep-builds are folders of this machine: without --ray");
  ORDO_TRY_ASSIGN(const std::unique_ptr<cluster::Cluster> cluster,
                  cluster::Cluster::join({.address = options.ray, .stop = &interrupted()}));
  return harvest::harvestElsewhere(*cluster, manifest, options.manifest, packages, harvest_options);
}

int runHarvest(const Options& options) {
  interrupted();
  const Result<std::vector<PackageRecord>> records = harvestAll(options);
  if (!records) return report(records.error());
  std::set<Hash128> distinct;
  std::size_t modules = 0, failed = 0;
  for (const PackageRecord& record : *records) {
    modules += record.modules.size();
    failed += record.problem.empty() ? 0 : 1;
    for (const datasets::HarvestedModule& module : record.modules) distinct.insert(module.hash);
  }
  if (options.json) {
    Json list = Json::array();
    for (const PackageRecord& record : *records) list.push_back(toJson(record));
    fmt::print("{}\n", writeJson(Json{{"format", 1}, {"distinct", distinct.size()}, {"packages", list}}, 2));
  } else {
    fmt::print("{} packages, {} modules, {} of them distinct; {} packages gave none\n", records->size(),
               modules, distinct.size(), failed);
  }
  if (interrupted()) return kInterrupted;
  return failed == 0 ? kOk : kWrong;
}

// One line of `status`: what a group of packages has.
struct Tally {
  std::size_t packages = 0, failed = 0, modules = 0, failures = 0;
  std::set<Hash128> distinct;

  void add(const PackageRecord& record) {
    ++packages;
    failed += record.problem.empty() ? 0 : 1;
    modules += record.modules.size();
    failures += record.failures.size();
    for (const datasets::HarvestedModule& module : record.modules) distinct.insert(module.hash);
  }
  Json json() const {
    return {{"packages", packages},
            {"packages_without_modules", failed},
            {"modules", modules},
            {"distinct", distinct.size()},
            {"files_without_module", failures}};
  }
};

void printTally(std::string_view title, const std::map<std::string, Tally>& groups) {
  fmt::print("{:14} {:>9} {:>9} {:>9} {:>14}\n", title, "packages", "modules", "distinct", "files without");
  for (const auto& [name, tally] : groups) {
    fmt::print("{:14} {:>9} {:>9} {:>9} {:>14}\n", name, tally.packages,
               grouped(static_cast<double>(tally.modules)),
               grouped(static_cast<double>(tally.distinct.size())), tally.failures);
  }
  fmt::print("\n");
}

Result<std::vector<PackageRecord>> recordsOf(const HarvestStore& store,
                                             const std::vector<std::string>& wanted) {
  std::vector<PackageRecord> records;
  for (const std::string& name : wanted.empty() ? store.packages() : wanted) {
    ORDO_TRY_ASSIGN(PackageRecord record, store.record(name));
    records.push_back(std::move(record));
  }
  return records;
}

Status showStatus(const Options& options) {
  ORDO_TRY_ASSIGN(const HarvestManifest manifest, manifestOf(options));
  const HarvestStore store = storeOf(options);
  ORDO_TRY_ASSIGN(const std::vector<PackageRecord> records, recordsOf(store, options.packages));
  std::map<std::string, Tally> by_split, by_kind, by_language, all;
  for (const PackageRecord& record : records) {
    const HarvestPackage* entry = manifest.find(record.package);
    by_split[entry == nullptr ? "none" : std::string(datasets::name(entry->split))].add(record);
    by_kind[entry == nullptr ? "other" : entry->kind].add(record);
    by_language[entry == nullptr ? "other" : entry->language].add(record);
    all["all"].add(record);
  }
  if (options.json) {
    Json packages = Json::array();
    for (const PackageRecord& record : records) packages.push_back(toJson(record));
    Json json{{"format", 1}, {"store", store.dir().string()}};
    for (const auto& [key, groups] : {std::pair{"all", &all}, std::pair{"splits", &by_split},
                                      std::pair{"kinds", &by_kind}, std::pair{"languages", &by_language}}) {
      json[key] = Json::object();
      for (const auto& [name, tally] : *groups) json[key][name] = tally.json();
    }
    json["packages"] = std::move(packages);
    fmt::print("{}\n", writeJson(json, 2));
    return {};
  }
  if (options.packages.size() == 1) {
    fmt::print("{}\nlicence: {}\nbuilt by: {}\n", describe(records[0], store), records[0].licence,
               records[0].builder);
    for (const std::string& text : records[0].notes) fmt::print("note: {}\n", text);
    for (const datasets::HarvestedModule& module : records[0].modules)
      fmt::print("debian/{}/{}\n", records[0].package, module.name);
    for (const datasets::HarvestFailure& failure : records[0].failures)
      fmt::print("no module of {}: {}\n", failure.source, failure.reason);
    return {};
  }
  fmt::print("{}\n\n", store.dir().string());
  printTally("split", by_split);
  printTally("kind", by_kind);
  printTally("language", by_language);
  printTally("", all);
  for (const PackageRecord& record : records) {
    if (!record.problem.empty()) fmt::print("{}\n", describe(record, store));
  }
  const std::size_t missing = static_cast<std::size_t>(
      std::count_if(manifest.packages.begin(), manifest.packages.end(),
                    [&](const HarvestPackage& package) { return !store.record(package.name); }));
  if (missing > 0)
    fmt::print("{} of {} packages of the manifest are not there; 'ordo dataset harvest --all' gets them\n",
               missing, manifest.packages.size());
  return {};
}

// Exit code: whether the harvest is the one that the committed hashes are of.
Result<int> checkHashes(const Options& options) {
  const HarvestStore store = storeOf(options);
  const fs::path path =
      options.hashes.empty() ? dataDir() / "datasets" / "debian.hashes" : fs::path(options.hashes);
  if (options.write) {
    ORDO_TRY_ASSIGN(const std::vector<PackageRecord> records, recordsOf(store, options.packages));
    ORDO_TRY(writeFile(path, harvest::writeHashes(harvest::hashesOf(records))));
    fmt::print("wrote {}\n", path.string());
    return kOk;
  }
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  ORDO_TRY_ASSIGN(const harvest::Hashes expected, harvest::parseHashes(text, path.string()));
  ORDO_TRY_ASSIGN(const std::vector<PackageRecord> records, recordsOf(store, options.packages));
  const harvest::Hashes got = harvest::hashesOf(records);
  std::set<std::string> only(options.packages.begin(), options.packages.end());
  std::size_t not_harvested = 0;  // of those that nobody asked for
  if (only.empty()) {
    for (const auto& [package, modules] : got) only.insert(package);
    not_harvested = static_cast<std::size_t>(
        std::ranges::count_if(expected, [&](const auto& entry) { return !only.contains(entry.first); }));
  }
  std::size_t modules = 0, damaged = 0;
  for (const auto& [package, names] : got) {
    for (const auto& [module, hash] : names) {
      ++modules;
      const Result<std::string> bitcode = readFile(store.modulePath(hash));
      if (bitcode && hashBytes(*bitcode) == hash) continue;
      ++damaged;
      fmt::print("debian/{}/{}: {} is missing or damaged\n", package, module,
                 store.modulePath(hash).string());
    }
  }
  const std::vector<harvest::HashDifference> differences = harvest::compareHashes(expected, got, only);
  constexpr std::array<std::string_view, 3> kWords{"is missing", "is not in the file of hashes", "differs"};
  for (const harvest::HashDifference& difference : differences)
    fmt::print("{} {}\n", difference.uri, kWords[static_cast<std::size_t>(difference.kind)]);
  fmt::print("{} packages, {} modules, {} differences, {} damaged", only.size(), modules, differences.size(),
             damaged);
  if (not_harvested > 0) fmt::print("; {} packages are not harvested", not_harvested);
  fmt::print("\n");
  return differences.empty() && damaged == 0 ? kOk : kWrong;
}

void addStore(CLI::App& app, const std::shared_ptr<Options>& options) {
  app.add_option("--store", options->store,
                 "where modules are kept [$ORDO_DATASETS or ~/.cache/ordo/datasets]");
  app.add_option("--manifest", options->manifest, "another manifest than that of Ordo");
  app.add_flag("--json", options->json, "print as JSON");
}

}  // namespace

extern const CommandInfo dataset{
    .name = "dataset",
    .summary = "programs at scale: harvest Debian source packages, show and compare harvests",
    .examples =
        "  ordo dataset harvest zlib lua5.4\n"
        "  ordo dataset harvest --all --jobs 4\n"
        "  ordo dataset harvest mine --from ~/src/mine\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.require_subcommand(1);
      CLI::App* harvest = app.add_subcommand("harvest", "fetch and build packages, and keep their bitcode");
      harvest->add_option("PACKAGE", options->packages, "Debian source packages");
      harvest->add_flag("--all", options->all, "all packages of the manifest");
      harvest->add_option("--from", options->from,
                          "a folder with the sources of the package, instead of the archive");
      harvest->add_option("--work", options->work, "where to download and build [~/.cache/ordo/harvest]");
      harvest->add_option("--mirror", options->mirror,
                          "another Debian archive, for example of snapshot.debian.org");
      harvest->add_option("-j,--jobs", options->jobs, "packages at a time")->capture_default_str();
      harvest->add_option(
          "--ray", options->ray,
          "build on the machines of the Ray cluster at this address, or auto (docs/cluster.md)");
      harvest->add_option("--limit", options->limit_minutes, "minutes for each step of a package")
          ->capture_default_str();
      harvest->add_flag("--retry", options->retry, "try packages again that gave no modules");
      harvest->add_flag("--keep-sources", options->keep_sources, "do not delete what was downloaded");
      harvest->add_flag("--keep-builds", options->keep_builds, "do not delete what was built");
      harvest->add_flag("-q,--quiet", options->quiet, "no progress");
      addStore(*harvest, options);
      CLI::App* status = app.add_subcommand("status", "what has been harvested");
      status->add_option("PACKAGE", options->packages, "one package lists its modules");
      addStore(*status, options);
      CLI::App* verify =
          app.add_subcommand("verify", "compare what has been harvested with the hashes that come with Ordo");
      verify->add_option("PACKAGE", options->packages, "only these");
      verify->add_option("--hashes", options->hashes, "another file of hashes than that of Ordo");
      verify->add_flag("--write", options->write, "write the file instead of comparing");
      verify->add_option("--store", options->store, "where modules are kept");
      return [options, harvest, status](const std::vector<std::string>&) -> int {
        if (harvest->parsed()) return runHarvest(*options);
        if (status->parsed()) {
          const Status shown = showStatus(*options);
          return shown ? kOk : report(shown.error());
        }
        const Result<int> code = checkHashes(*options);
        return code ? *code : report(code.error());
      };
    }};

}  // namespace ordo::cli
