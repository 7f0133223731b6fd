// A user's own copy of the bitcode that CompilerGym shipped, to compare with published results. For
// final evaluation only: everybody reports numbers on these suites, so nothing may be fitted to them.
//
// $ORDO_COMPILERGYM names a folder. A suite in it is either a folder of .bc files (unpacked by hand or by
// CompilerGym) or one of CompilerGym's archives (llvm_bitcodes-10.0.0-cBench-v1-linux.tar.bz2), which is
// unpacked into the cache once. The bitcode is LLVM 10's; LLVM 22 reads and upgrades it.
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <mutex>
#include <system_error>

#include "datasets/dataset.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/process.h"
#include "support/text.h"

namespace ordo::datasets {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kName = "compilergym";
constexpr const char* kVariable = "ORDO_COMPILERGYM";
constexpr std::string_view kArchive = ".tar.bz2";

Result<fs::path> root() {
  const char* folder = std::getenv(kVariable);
  if (folder == nullptr || *folder == '\0') {
    return fail(ErrorCode::kUnavailable,
                "where is your copy of CompilerGym's bitcode? set {} to the folder with its archives or "
                "unpacked suites",
                kVariable);
  }
  std::error_code ignored;
  if (fs::is_directory(folder, ignored)) return fs::path(folder);
  return fail(ErrorCode::kNotFound,
              "{} is {}, which is not a folder; name the one with CompilerGym's bitcode", kVariable, folder);
}

std::string lower(std::string text) {
  // ASCII only, whatever the locale: these are names of archives.
  for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return text;
}

// "cbench-v1" of "llvm_bitcodes-10.0.0-cBench-v1-linux.tar.bz2".
std::string suiteOfArchive(std::string name) {
  name = lower(name.substr(0, name.size() - kArchive.size()));
  constexpr std::string_view kPrefix = "llvm_bitcodes-10.0.0-";
  if (name.starts_with(kPrefix)) name.erase(0, kPrefix.size());
  for (const std::string_view system : {"-linux", "-macos"}) {
    if (name.ends_with(system)) name.resize(name.size() - system.size());
  }
  return name;
}

// Suites by name, each with its folder or its archive. A folder goes before an archive, and what is
// first in the alphabet before what is not.
Result<std::map<std::string, fs::path>> suites() {
  ORDO_TRY_ASSIGN(const fs::path folder, root());
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    entries.push_back(at->path());
  }
  std::sort(entries.begin(), entries.end());
  std::map<std::string, fs::path> found;
  for (const fs::path& entry : entries) {
    if (fs::is_directory(entry, error)) found.emplace(lower(entry.filename().string()), entry);
  }
  for (const fs::path& entry : entries) {
    const std::string name = entry.filename().string();
    if (name.ends_with(kArchive)) found.emplace(suiteOfArchive(name), entry);
  }
  if (!found.empty()) return found;
  return fail(ErrorCode::kNotFound,
              "{} holds neither archives (*{}) nor folders; put CompilerGym's bitcode there", folder.string(),
              kArchive);
}

// The folder that `archive` is unpacked in, for as long as the archive stays what it is.
Result<fs::path> unpacked(const std::string& suite, const fs::path& archive) {
  std::error_code error;
  const auto written = fs::last_write_time(archive, error).time_since_epoch().count();
  const auto size = fs::file_size(archive, error);
  const std::string version = fmt::format("{}\n{}\n{}", fs::absolute(archive, error).string(), size, written);
  const fs::path parent = cacheDir() / "programs" / kName;
  fs::path folder = parent / fmt::format("{}-{}", suite, hashBytes(version).hex());
  if (fs::is_directory(folder, error)) return folder;

  // Beside its place, then renamed: nobody sees half a suite.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  const fs::path partial = fmt::format("{}.partial-{}", folder.string(), ::getpid());
  error = makePrivateFolders(partial);
  if (error) {
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}; set ORDO_CACHE to a folder that can be written",
                partial.string(), error.message());
  }
  ProcessOptions options;
  options.timeout_s = 3600;
  const Result<ProcessResult> run =
      runProcess({"tar", "-xjf", fs::absolute(archive).string(), "-C", partial.string()}, options);
  if (run && run->ok()) fs::rename(partial, folder, error);
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  ORDO_TRY(run);
  if (!run->ok()) {
    return fail(ErrorCode::kCorrupt,
                "tar could not unpack {}: it {}: {}; get the archive again, and "
                "'apt-get install tar bzip2' if one is missing",
                archive.string(), run->ending(), run->err);
  }
  if (!fs::is_directory(folder, ignored)) {
    return fail(ErrorCode::kUnavailable, "cannot move {} into place: {}", folder.string(), error.message());
  }
  return folder;
}

Result<fs::path> suiteFolder(const std::string& suite) {
  ORDO_TRY_ASSIGN(const auto known, suites());
  const auto found = known.find(suite);
  if (found == known.end()) {
    std::vector<std::string> names;
    for (const auto& [name, place] : known) names.push_back(name);
    return fail({ErrorCode::kNotFound, unknownName("suite of CompilerGym", suite, names)});
  }
  std::error_code ignored;
  if (fs::is_directory(found->second, ignored)) return found->second;
  return unpacked(suite, found->second);
}

// Archives and CompilerGym put folders around the programs of a suite ("contents/cBench-v1/"), which
// are no part of their names.
bool isAround(const fs::path& part, const std::string& suite) {
  return part == "contents" || lower(part.string()) == suite;
}

// The bitcode of a suite by name: its path without .bc and without what is around it.
Result<std::map<std::string, fs::path>> programs(const std::string& suite) {
  ORDO_TRY_ASSIGN(const fs::path folder, suiteFolder(suite));
  std::map<std::string, fs::path> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    if (at->path().extension() != ".bc" || !at->is_regular_file(error)) continue;
    const fs::path inside = at->path().lexically_relative(folder);
    auto part = inside.begin();
    while (std::next(part) != inside.end() && isAround(*part, suite)) ++part;
    fs::path name;
    for (; part != inside.end(); ++part) name /= *part;
    found.emplace(name.replace_extension().generic_string(), at->path());
  }
  if (error) {
    return fail(ErrorCode::kUnavailable, "cannot list {}: {}; check its permissions", folder.string(),
                error.message());
  }
  if (!found.empty()) return found;
  return fail(ErrorCode::kNotFound, "there is no bitcode (*.bc) under {}; unpack the suite again",
              folder.string());
}

// The file of one program without a walk over the suite, which may have a million; "" if it is not where
// its name says.
fs::path direct(const fs::path& folder, const std::string& suite, const std::string& name) {
  std::error_code error;
  const fs::path path = folder / (name + ".bc");
  if (fs::is_regular_file(path, error)) return path;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (!isAround(at->path().filename(), suite) || !at->is_directory(ignored)) continue;
    if (fs::path inside = direct(at->path(), suite, name); !inside.empty()) return inside;
  }
  return {};
}

Status available() {
  ORDO_TRY(suites());
  return {};
}

Result<Program> load(std::string_view rest) {
  const std::size_t slash = rest.find('/');
  if (slash == std::string_view::npos || slash + 1 == rest.size()) {
    return fail(ErrorCode::kInvalidArgument,
                "compilergym/{} names no program; write compilergym/SUITE/NAME ('ordo list programs "
                "compilergym' shows them)",
                rest);
  }
  const std::string suite(rest.substr(0, slash)), name(rest.substr(slash + 1));
  ORDO_TRY_ASSIGN(const fs::path folder, suiteFolder(suite));
  if (const fs::path path = direct(folder, suite, name); !path.empty()) return loadPath(path);
  ORDO_TRY_ASSIGN(const auto known, programs(suite));
  std::vector<std::string> names;
  for (const auto& [known_name, path] : known) names.push_back(known_name);
  const std::string guess = nearest(name, names);
  return fail(ErrorCode::kNotFound,
              "compilergym/{} has no program '{}'{}; 'ordo list programs compilergym/{}' "
              "shows them",
              suite, name, guess.empty() ? "" : fmt::format("; did you mean '{}'?", guess), suite);
}

Result<std::vector<std::string>> list(std::string_view rest, const ListOptions& options) {
  std::vector<std::string> uris;
  ORDO_TRY_ASSIGN(const auto known, suites());
  for (const auto& [suite, place] : known) {
    if (!rest.empty() && rest != suite) continue;
    ORDO_TRY_ASSIGN(const auto found, programs(suite));
    for (const auto& [name, path] : found) uris.push_back(fmt::format("{}/{}/{}", kName, suite, name));
  }
  if (uris.empty()) {
    ORDO_TRY(load(rest));
    uris.push_back(fmt::format("{}/{}", kName, rest));
  }
  return select(std::move(uris), options);
}

}  // namespace

extern constinit const DatasetInfo compilergym{.name = kName,
                                               .pattern = "compilergym/<suite>/<name>",
                                               .summary = "your copy of CompilerGym's bitcode",
                                               .evaluation_only = true,
                                               .available = available,
                                               .load = load,
                                               .list = list};

}  // namespace ordo::datasets
