// ordo lock: pins what the latest build was made of.
#include <memory>

#include "builds/locking.h"
#include "builds/settings.h"
#include "cli/command.h"
#include "cli/terminal.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

Result<std::size_t> writeLock(const std::string& file) {
  ORDO_TRY_ASSIGN(const builds::Settings settings, builds::settingsFromEnvironment());
  ORDO_TRY_ASSIGN(const std::vector<builds::LogLine> lines, builds::readLog(settings.log));
  ORDO_TRY_ASSIGN(builds::Cache cache,
                  builds::Cache::open(settings.folder, settings.cache_bytes, settings.sharing));
  ORDO_TRY_ASSIGN(const recipe::Lock lock, builds::lockFrom(lines, cache, file));
  ORDO_TRY(writeFile(file, recipe::writeLock(lock)));
  return lock.files.size();
}

}  // namespace

extern const CommandInfo lock{
    .name = "lock",
    .summary = "pin the recipes of the latest build with ordo-cc in a file, for builds that repeat it",
    .examples =
        "  CC=ordo-cc make && ordo lock\n"
        "  ORDO_LOCK=$PWD/ordo.lock make CC=ordo-cc\n",
    .setup = [](CLI::App& app) -> Command {
      auto file = std::make_shared<std::string>("ordo.lock");
      app.add_option("FILE", *file, "the lock file, in the folder that the sources are in")
          ->capture_default_str();
      return [file](const std::vector<std::string>&) {
        const Result<std::size_t> count = writeLock(*file);
        if (!count) return report(count.error());
        fmt::print("{}: {} files\n", *file, *count);
        return int{kOk};
      };
    }};

}  // namespace ordo::cli
