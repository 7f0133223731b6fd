// Archive::runApt() points every apt program at our own lists, cache and sources by -o options. apt() first
// tries with the lists that are there, and gets new ones once if that fails. sysroot() unpacks into a
// ".partial" folder and renames it, so that an unfinished one is never used. What a package needs comes first
// and loses each .so that has a .a beside it; then come the base packages, and last of all absolute links are
// made relative.
#include "harvest/archive.h"

#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <system_error>

#include "support/files.h"
#include "support/hash.h"
#include "support/process.h"

namespace ordo::harvest {
namespace fs = std::filesystem;
namespace {

constexpr std::string_view kKeyring = "/usr/share/keyrings/debian-archive-keyring.gpg";

Status makeFolder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot create {}: {}", path.string(), error.message());
  return {};
}

// The last line that says something.
std::string lastLine(std::string_view text) {
  while (text.ends_with('\n')) text.remove_suffix(1);
  return std::string(text.substr(text.rfind('\n') + 1));
}

// Libraries in development packages are absolute links, which would lead out of the sysroot.
Status turnLinksInward(const fs::path& root) {
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (!it->is_symlink(error)) continue;
    const fs::path target = fs::read_symlink(it->path(), error);
    if (error || !target.is_absolute()) continue;
    fs::remove(it->path(), error);
    fs::create_symlink((root / target.relative_path()).lexically_relative(it->path().parent_path()),
                       it->path(), error);
  }
  if (error)
    return fail(ErrorCode::kUnavailable, "cannot change links in {}: {}", root.string(), error.message());
  return {};
}

// Those that have a static one beside them.
Status dropSharedLibraries(const fs::path& root) {
  std::vector<fs::path> shared;
  std::error_code error;
  for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; it.increment(error)) {
    if (it->path().extension() == ".so") shared.push_back(it->path());
  }
  for (const fs::path& path : shared) {
    std::error_code ignored;
    if (fs::exists(fs::path(path).replace_extension(".a"), ignored)) fs::remove(path, error);
  }
  if (error) return fail(ErrorCode::kUnavailable, "cannot change {}: {}", root.string(), error.message());
  return {};
}

}  // namespace

std::string withoutEpoch(const std::string& version) {
  const std::size_t colon = version.find(':');
  return colon == std::string::npos ? version : version.substr(colon + 1);
}

Status Archive::prepare() {
  if (prepared_) return {};
  ORDO_TRY(makeFolder(dir_ / "lists" / "partial"));
  ORDO_TRY(makeFolder(dir_ / "cache" / "archives" / "partial"));
  std::error_code error;
  const std::string key = fs::exists(kKeyring, error) ? fmt::format(" signed-by={}", kKeyring) : "";
  ORDO_TRY(writeFile(dir_ / "sources.list",
                     fmt::format("deb-src [{2} ] {0} {1} main\ndeb [ arch=amd64{2} ] {0} {1} main\n", mirror_,
                                 suite_, key)));
  prepared_ = true;
  return {};
}

Result<Descriptor> Archive::turn(const char* name) const {
  ORDO_TRY(makeFolder(dir_));
  const fs::path path = dir_ / name;
  Descriptor lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  if (!lock.isOpen() || ::flock(lock.get(), LOCK_EX) != 0)
    return fail(ErrorCode::kUnavailable, "cannot lock {}", path.string());
  return lock;
}

Result<std::string> Archive::runApt(const std::vector<std::string>& command, const fs::path& where) {
  const std::string dir = fs::absolute(dir_).string();
  std::vector<std::string> argv{command[0]};
  for (const std::string& option :
       {"Dir::Etc::sourcelist=" + dir + "/sources.list", std::string("Dir::Etc::sourceparts=-"),
        "Dir::State::lists=" + dir + "/lists", "Dir::Cache=" + dir + "/cache",
        // Root's downloads are given to a user who may not enter our folders.
        std::string("APT::Sandbox::User="), std::string("Acquire::Retries=3"),
        // A snapshot of the past is what is asked for.
        std::string("Acquire::Check-Valid-Until=false")}) {
    argv.insert(argv.end(), {"-o", option});
  }
  argv.insert(argv.end(), command.begin() + 1, command.end());
  ProcessOptions options;
  options.dir = where;
  options.timeout_s = 1800;
  options.stop = stop_;
  ORDO_TRY_ASSIGN(const ProcessResult result, runProcess(argv, options));
  if (!result.ok())
    return fail(ErrorCode::kUnavailable, "{} {}: {}", command[0], result.ending(), lastLine(result.err));
  return result.err;
}

Status Archive::apt(std::vector<std::string> command, const fs::path& where) {
  const std::lock_guard lock(mutex_);
  ORDO_TRY_ASSIGN(const Descriptor turn, this->turn("apt.lock"));
  ORDO_TRY(prepare());
  std::error_code error;
  // Lists that are there serve as long as they know what is asked for: versions are exact.
  const bool has_lists = std::any_of(
      fs::directory_iterator(dir_ / "lists", error), fs::directory_iterator(),
      [](const auto& entry) { return entry.is_regular_file() && entry.path().filename() != "lock"; });
  for (;;) {
    if (has_lists || updated_) {
      const Result<std::string> done = runApt(command, where);
      if (done) return {};
      if (updated_) return fail(done.error());
    }
    updated_ = true;
    const Result<std::string> lists = runApt({"apt-get", "update", "-q"}, where);
    if (!lists) return fail(Error(lists.error()).context("the package lists of " + mirror_));
  }
}

Result<fs::path> Archive::fetchSource(const std::string& name, const std::string& version,
                                      const fs::path& into) {
  const auto found = [&]() -> fs::path {
    std::error_code error;
    for (fs::directory_iterator it(into, error), end; !error && it != end; it.increment(error)) {
      const std::string file = it->path().filename().string();
      if (file.ends_with(".dsc") && (version.empty() || file == name + "_" + withoutEpoch(version) + ".dsc"))
        return it->path();
    }
    return {};
  };
  ORDO_TRY(makeFolder(into));
  // apt looks at sizes and hashes of what is there, and downloads only the rest.
  ORDO_TRY(apt({"apt-get", "source", "--download-only", "-q", version.empty() ? name : name + "=" + version},
               into));
  const fs::path dsc = found();
  if (dsc.empty())
    return fail(ErrorCode::kNotFound, "apt-get source {} brought no .dsc into {}", name, into.string());
  return dsc;
}

Status Archive::unpack(const std::vector<std::string>& packages, const fs::path& into) {
  std::error_code error;
  for (const std::string& package : packages) {
    const fs::path folder = fs::absolute(dir_) / "debs" / package;
    ORDO_TRY(makeFolder(folder));
    ORDO_TRY(apt({"apt-get", "download", "-q", package}, folder));
    for (const auto& deb : fs::directory_iterator(folder, error)) {
      ORDO_TRY_ASSIGN(const ProcessResult result,
                      runProcess({"dpkg-deb", "-x", deb.path().string(), into.string()}));
      if (!result.ok())
        return fail(ErrorCode::kUnavailable, "dpkg-deb -x {}: {}", deb.path().string(), lastLine(result.err));
    }
  }
  return {};
}

Result<fs::path> Archive::sysroot(const std::vector<std::string>& base,
                                  const std::vector<std::string>& needs) {
  std::string list;
  for (const std::string& package : base) list += package + "\n";
  for (const std::string& package : needs) list += "+" + package + "\n";
  const fs::path final = fs::absolute(dir_) / ("sysroot-" + hashBytes(list).hex().substr(0, 8));
  static std::mutex making;
  const std::lock_guard lock(making);
  ORDO_TRY_ASSIGN(const Descriptor turn, this->turn("sysroot.lock"));
  std::error_code error;
  if (fs::exists(final, error)) return final;
  const fs::path partial = final.string() + ".partial";
  fs::remove_all(partial, error);
  ORDO_TRY(makeFolder(partial));
  ORDO_TRY(unpack(needs, partial));
  ORDO_TRY(dropSharedLibraries(partial));
  ORDO_TRY(unpack(base, partial));
  ORDO_TRY(turnLinksInward(partial));
  fs::rename(partial, final, error);
  if (error) return fail(ErrorCode::kUnavailable, "cannot create {}: {}", final.string(), error.message());
  return final;
}

}  // namespace ordo::harvest
