#include "harvest/collect.h"

#include <algorithm>
#include <map>
#include <set>
#include <system_error>

#include "capture/capture.h"
#include "support/files.h"
#include "support/process.h"

namespace ordo::harvest {
namespace fs = std::filesystem;
namespace {

struct Unit {
  capture::Record record;
  fs::path bitcode;
};

Result<std::vector<Unit>> readSpool(const fs::path& spool) {
  std::vector<Unit> units;
  std::error_code error;
  for (fs::directory_iterator it(spool, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() != ".json") continue;
    ORDO_TRY_ASSIGN(const std::string text, readFile(it->path()));
    ORDO_TRY_ASSIGN(capture::Record record, capture::readRecord(text, it->path().string()));
    units.push_back({std::move(record), fs::path(it->path()).replace_extension(".bc")});
  }
  if (error)
    return fail(ErrorCode::kUnavailable, "cannot look through {}: {}", spool.string(), error.message());
  std::sort(units.begin(), units.end(), [](const Unit& a, const Unit& b) {
    return std::tie(a.record.source, a.record.object) < std::tie(b.record.source, b.record.object);
  });
  return units;
}

// What makes two compilations of one source different programs.
std::string meaning(const std::vector<std::string>& flags) {
  std::string text;
  for (const std::string& flag : flags) {
    if (flag == "-fPIC" || flag == "-fpic" || flag == "-fPIE" || flag == "-fpie" || flag == "-DPIC") continue;
    text += flag + '\n';
  }
  return text;
}

// "" if opt accepts the module, else what it says.
Result<std::string> verify(const fs::path& path, const std::atomic<bool>* stop) {
  ProcessOptions options;
  options.timeout_s = 120;
  options.stop = stop;
  ORDO_TRY_ASSIGN(const ProcessResult result,
                  runProcess({"opt-22", "-passes=verify", "-disable-output", path.string()}, options));
  if (result.ok()) return std::string();
  return "does not verify: " + result.err.substr(0, result.err.find('\n'));
}

}  // namespace

Result<Collected> collect(const fs::path& spool, const datasets::HarvestStore& store,
                          const std::atomic<bool>* stop) {
  ORDO_TRY_ASSIGN(const std::vector<Unit> units, readSpool(spool));
  Collected collected;
  std::map<std::string, std::set<std::string>> meanings;  // by source
  std::map<std::string, std::string> problems;            // by source: the first
  std::set<Hash128> known;
  for (const Unit& unit : units) {
    const std::string& source = unit.record.source;
    if (stop != nullptr && *stop) return fail(ErrorCode::kUnavailable, "interrupted");
    if (!unit.record.error.empty()) {
      problems.emplace(source, unit.record.error);
      continue;
    }
    if (meanings[source].contains(meaning(unit.record.flags))) continue;
    ORDO_TRY_ASSIGN(const std::string bitcode, readFile(unit.bitcode));
    const Hash128 hash = hashBytes(bitcode);
    std::error_code error;
    if (!fs::exists(store.modulePath(hash), error)) {
      ORDO_TRY_ASSIGN(const std::string problem, verify(unit.bitcode, stop));
      if (!problem.empty()) {
        problems.emplace(source, problem);
        continue;
      }
      ORDO_TRY(store.addModule(hash, bitcode));
    }
    meanings[source].insert(meaning(unit.record.flags));
    if (!known.insert(hash).second) continue;
    const std::size_t number = meanings[source].size();
    collected.modules.push_back({number == 1 ? source : fmt::format("{}@{}", source, number), hash,
                                 unit.record.language, unit.record.flags});
  }
  for (const auto& [source, reason] : problems) {
    if (!meanings.contains(source) || meanings[source].empty())
      collected.failures.push_back({source, reason});
  }
  std::sort(collected.modules.begin(), collected.modules.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return collected;
}

}  // namespace ordo::harvest
