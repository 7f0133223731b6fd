// Job::run() takes one package through all steps; begin there. Members of a team take the next package from a
// shared counter, and pass over those with a record of the same recipe (failures may be tried again). Only
// make runs with capturing on: what configure compiles, to find out about the system, is no program. A job's
// sources and its spool, where the capturing compiler puts what it saw, are Folders, which remove themselves.
// A record is written as its job ends; an interrupted job leaves none.
#include "harvest/harvest.h"

#include <algorithm>
#include <mutex>
#include <optional>
#include <system_error>

#include "harvest/archive.h"
#include "harvest/build.h"
#include "harvest/collect.h"
#include "harvest/licence.h"
#include "support/clock.h"
#include "support/files.h"
#include "support/process.h"
#include "support/team.h"

namespace ordo::harvest {
namespace fs = std::filesystem;
namespace {

using datasets::HarvestPackage;
using datasets::PackageRecord;

// Removes a folder when it goes, unless told to keep it.
struct Folder {
  fs::path path;
  bool keep = false;
  ~Folder() {
    std::error_code ignored;
    if (!keep) fs::remove_all(path, ignored);
  }
};

Status checkTools(const HarvestOptions& options) {
  struct Tool {
    const char* program;
    const char* package;
  };
  std::vector<Tool> tools{{"clang-22", "clang-22"}, {"opt-22", "llvm-22"}, {"ld.lld-22", "lld-22"},
                          {"make", "make"},         {"cmake", "cmake"},    {"ninja", "ninja-build"}};
  if (options.from.empty())
    tools.insert(tools.end(), {{"apt-get", "apt"}, {"dpkg-source", "dpkg-dev"}, {"perl", "perl"}});
  std::string missing;
  for (const Tool& tool : tools) {
    if (!findProgram({tool.program})) missing += fmt::format(" {}", tool.package);
  }
  if (!missing.empty())
    return fail(ErrorCode::kNotFound, "harvesting needs what is not installed; run: apt-get install{}",
                missing);
  if (!findProgram({options.wrapper.string()}))
    return fail(ErrorCode::kNotFound, "there is no {}; it is installed beside ordo",
                options.wrapper.string());
  return {};
}

// One package, from its name to its record.
class Job {
 public:
  Job(const HarvestPackage& package, const datasets::HarvestManifest& manifest, const HarvestOptions& options,
      Archive& archive, const fs::path& tools, std::function<void(std::string_view)> on_step)
      : package_(package),
        manifest_(manifest),
        options_(options),
        archive_(archive),
        tools_(tools),
        on_step_(std::move(on_step)),
        root_{options.work / "build" / (package.name + "-source"), options.keep_builds},
        spool_{options.work / "build" / (package.name + "-spool"), options.keep_builds} {}

  // An error is what keeps this package from having any module.
  Status run(PackageRecord& record) {
    record.package = package_.name;
    record.version = package_.version;
    record.recipe = manifest_.recipe(package_).hex();
    ORDO_TRY(unpack(record));
    fs::path sysroot;
    if (options_.from.empty() && !manifest_.sysroot.empty()) {
      ORDO_TRY_ASSIGN(sysroot, archive_.sysroot(manifest_.sysroot, package_.needs));
    }
    ORDO_TRY(levelTimes(root_.path));
    std::error_code error;
    fs::create_directories(spool_.path, error);
    const auto environment = [&](const fs::path& out) {
      return buildEnvironment(root_.path, sysroot, tools_, out);
    };
    if (!package_.prepare.empty()) {
      ORDO_TRY_ASSIGN(const ProcessResult result,
                      shell("prepare", package_.prepare, root_.path, environment({})));
      if (!result.ok()) return fail(ErrorCode::kInvalidArgument, "preparing {}", result.ending());
    }
    ORDO_TRY_ASSIGN(const BuildPlan plan, planBuild(package_, root_.path, sysroot, options_.jobs));
    record.builder = plan.builder;
    if (!plan.configure.empty()) {
      ORDO_TRY_ASSIGN(const ProcessResult result,
                      shell("configure", plan.configure, plan.dir, environment({})));
      if (!result.ok()) return fail(ErrorCode::kInvalidArgument, "configuring {}", result.ending());
    }
    ORDO_TRY_ASSIGN(const ProcessResult made, shell("make", plan.make, plan.dir, environment(spool_.path)));
    // How far it came depends on the machine.
    if (made.timed_out) return fail(ErrorCode::kDeadlineExceeded, "making {}", made.ending());
    if (!made.ok())
      record.notes.push_back(fmt::format("making {}; what was made before is kept", made.ending()));
    on_step_("collect");
    ORDO_TRY_ASSIGN(Collected collected, collect(spool_.path, options_.store, options_.stop));
    record.modules = std::move(collected.modules);
    record.failures = std::move(collected.failures);
    if (record.modules.empty()) return fail(ErrorCode::kNotFound, "the build compiled nothing that is kept");
    return {};
  }

 private:
  Status unpack(PackageRecord& record) {
    std::error_code error;
    fs::remove_all(root_.path, error);
    fs::remove_all(spool_.path, error);
    fs::create_directories(root_.path.parent_path(), error);
    if (!options_.from.empty()) {
      on_step_("copy");
      fs::copy(options_.from, root_.path, fs::copy_options::recursive | fs::copy_options::copy_symlinks,
               error);
      if (error)
        return fail(ErrorCode::kUnavailable, "cannot copy {}: {}", options_.from.string(), error.message());
    } else {
      on_step_("fetch");
      Folder sources{options_.work / "sources" / package_.name, options_.keep_sources};
      ORDO_TRY_ASSIGN(const fs::path dsc,
                      archive_.fetchSource(package_.name, package_.version, sources.path));
      on_step_("unpack");
      ORDO_TRY_ASSIGN(const ProcessResult result,
                      runProcess({"dpkg-source", "--no-copy", "-x", dsc.string(), root_.path.string()}));
      if (!result.ok()) return fail(ErrorCode::kCorrupt, "dpkg-source -x {}: {}", dsc.string(), result.err);
      ORDO_TRY_ASSIGN(const std::string text, readFile(dsc));
      if (record.version.empty()) {
        constexpr std::string_view kField = "\nVersion: ";
        const std::size_t at = text.find(kField);
        if (at == std::string::npos) return fail(ErrorCode::kCorrupt, "{} names no version", dsc.string());
        const std::size_t begin = at + kField.size();
        record.version = text.substr(begin, text.find('\n', begin) - begin);
      }
    }
    const Result<std::string> copyright = readFile(root_.path / "debian" / "copyright");
    record.licence = copyright ? licenceOf(*copyright) : "unknown";
    if (copyright) return writeFile(options_.store.copyrightPath(package_.name), *copyright);
    return {};
  }

  // Runs shell text and appends what it said to the log.
  Result<ProcessResult> shell(std::string_view step, const std::string& text, const fs::path& dir,
                              std::vector<std::string> environment) {
    on_step_(step);
    ProcessOptions process;
    process.dir = dir;
    process.environment = std::move(environment);
    process.timeout_s = options_.limit_s;
    process.stop = options_.stop;
    ORDO_TRY_ASSIGN(ProcessResult result, runProcess({"/bin/sh", "-ec", "exec 2>&1\n" + text}, process));
    log_ += fmt::format("== {} in {}\n{}\n{}\n== {} {}\n", step, dir.string(), text, result.out, step,
                        result.ending());
    if (options_.stop != nullptr && *options_.stop) return fail(ErrorCode::kUnavailable, "interrupted");
    ORDO_TRY(writeFile(options_.store.logPath(package_.name), log_));
    return result;
  }

  const HarvestPackage& package_;
  const datasets::HarvestManifest& manifest_;
  const HarvestOptions& options_;
  Archive& archive_;
  const fs::path tools_;
  std::function<void(std::string_view)> on_step_;
  Folder root_;
  Folder spool_;
  std::string log_;
};

}  // namespace

std::optional<PackageRecord> harvestedBefore(const datasets::HarvestManifest& manifest,
                                             const HarvestPackage& package, const HarvestOptions& options) {
  const Result<PackageRecord> old = options.store.record(package.name);
  if (!old || old->recipe != manifest.recipe(package).hex() || !options.from.empty()) return std::nullopt;
  if (!old->problem.empty() && options.retry) return std::nullopt;
  return *old;
}

Result<std::vector<PackageRecord>> harvest(const datasets::HarvestManifest& manifest,
                                           const std::vector<HarvestPackage>& packages,
                                           const HarvestOptions& given) {
  HarvestOptions options = given;
  ORDO_TRY(checkTools(options));
  ORDO_TRY(options.store.prepare());
  std::error_code error;
  fs::create_directories(options.work, error);
  // Compilers see the names of folders with links resolved.
  options.work = fs::canonical(options.work, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot use {}: {}", given.work.string(), error.message());
  ORDO_TRY(writeTools(options.work / "tools", options.wrapper));
  Archive archive(options.work / "apt", manifest.mirror, manifest.suite, options.stop);

  const SteadyClock clock;
  std::mutex mutex;
  std::size_t next = 0;
  std::vector<std::optional<PackageRecord>> records(packages.size());
  std::optional<Error> broken;
  const auto stopped = [&] { return options.stop != nullptr && *options.stop; };
  const auto finish = [&](std::size_t index, PackageRecord record, bool was_there) {
    const std::lock_guard lock(mutex);
    if (options.on_package) options.on_package(record, was_there);
    records[index] = std::move(record);
  };
  const auto work = [&] {
    for (;;) {
      std::size_t index;
      {
        const std::lock_guard lock(mutex);
        if (next == packages.size() || broken || stopped()) return;
        index = next++;
      }
      const HarvestPackage& package = packages[index];
      if (std::optional<PackageRecord> old = harvestedBefore(manifest, package, options)) {
        finish(index, *std::move(old), true);
        continue;
      }
      const double start = clock.seconds();
      PackageRecord record;
      Job job(package, manifest, options, archive, options.work / "tools", [&](std::string_view step) {
        const std::lock_guard lock(mutex);
        if (options.on_step) options.on_step(package.name, step);
      });
      const Status status = job.run(record);
      if (stopped()) return;
      if (!status) record.problem = status.error().message;
      record.seconds = clock.seconds() - start;
      if (const Status saved = options.store.addRecord(record); !saved) {
        const std::lock_guard lock(mutex);
        broken = saved.error();
        return;
      }
      finish(index, std::move(record), false);
    }
  };
  Team(teamSize(options.jobs, packages.size())).run([&](unsigned) { work(); });
  if (broken) return fail(*broken);
  std::vector<PackageRecord> done;
  for (std::optional<PackageRecord>& record : records) {
    if (record) done.push_back(std::move(*record));
  }
  return done;
}

}  // namespace ordo::harvest
