// writeFile() puts the process and a counter into the temporary name, so that writers at the same time do not
// meet. A TempDir is in use for as long as somebody has its lock, which the system lets go of however a
// process ends: removeAbandoned() deletes only what it could lock itself, once for each folder and process.
// If such a sweep gets between mkdtemp() and the lock, create() begins again. removeAll() gives itself the
// rights that a program took away, and tries once more.
#include "support/files.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <system_error>

namespace ordo {
namespace fs = std::filesystem;
namespace {

// Owns a file descriptor.
struct OpenFile {
  int fd;
  ~OpenFile() {
    if (fd >= 0) ::close(fd);
  }
};

tl::unexpected<Error> systemError(std::string_view what, const fs::path& path) {
  const int error = errno;
  const ErrorCode code = error == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable;
  return fail(code, "cannot {} {}: {}", what, path.string(), std::strerror(error));
}

bool writeAll(int fd, std::string_view content) {
  while (!content.empty()) {
    const ssize_t n = ::write(fd, content.data(), content.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return false;
    content.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

}  // namespace

Result<std::string> readFile(const fs::path& path) {
  OpenFile file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
  if (file.fd < 0) return systemError("read", path);
  std::string content;
  struct stat info{};
  if (::fstat(file.fd, &info) == 0 && S_ISREG(info.st_mode))
    content.reserve(static_cast<std::size_t>(info.st_size));
  char block[1 << 16];
  for (;;) {
    const ssize_t n = ::read(file.fd, block, sizeof block);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return systemError("read", path);
    if (n == 0) return content;
    content.append(block, static_cast<std::size_t>(n));
  }
}

Status writeFile(const fs::path& path, std::string_view content) {
  struct stat info{};
  const bool exists = ::stat(path.c_str(), &info) == 0;
  if (exists && !S_ISREG(info.st_mode)) {
    OpenFile file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (file.fd < 0 || !writeAll(file.fd, content)) return systemError("write", path);
    return {};
  }
  // A link keeps pointing where it points; its target is what is replaced.
  std::error_code ignored;
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  static std::atomic<unsigned> counter{0};
  // As long a name as a file may have must not be too long for the temporary one.
  const std::string name = target.filename().string().substr(0, NAME_MAX - 40);
  const fs::path temporary = target.parent_path() / fmt::format("{}.tmp-{}-{}", name, ::getpid(), counter++);
  OpenFile file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (file.fd < 0) return systemError("write", path);
  // Who may read or run what is there may do so afterwards; a new file is as the umask says.
  const bool same_mode = !exists || ::fchmod(file.fd, info.st_mode & 07777) == 0;
  const bool written = same_mode && writeAll(file.fd, content) && ::fsync(file.fd) == 0 &&
                       ::rename(temporary.c_str(), target.c_str()) == 0;
  if (!written) {
    auto error = systemError("write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

namespace {

// Names of temporary directories. Those of versions that did not lock theirs were called otherwise.
constexpr std::string_view kTempPrefix = "ordo-tmp.";

// Removes what is there, also where a program took its own rights to a folder away.
void removeAll(const fs::path& path) {
  std::error_code failed, ignored;
  fs::remove_all(path, failed);
  if (!failed) return;
  fs::permissions(path, fs::perms::owner_all, ignored);
  for (fs::recursive_directory_iterator entry(path, ignored), end; entry != end; entry.increment(ignored)) {
    if (entry->symlink_status(ignored).type() != fs::file_type::directory) continue;
    fs::permissions(entry->path(), fs::perms::owner_all, ignored);
  }
  fs::remove_all(path, ignored);
}

// A descriptor of `dir` that holds its lock, or -1 and why not in errno: EWOULDBLOCK if another has it,
// ENOENT if it was removed.
int locked(const fs::path& dir) {
  const int fd = ::open(dir.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return -1;
  struct stat info{};
  int error = ::flock(fd, LOCK_EX | LOCK_NB) == 0 && ::fstat(fd, &info) == 0 ? 0 : errno;
  if (error == 0 && info.st_nlink == 0) error = ENOENT;
  if (error == 0) return fd;
  ::close(fd);
  errno = error;
  return -1;
}

// What processes left in `base` that were killed: nobody holds its lock.
void removeAbandoned(const fs::path& base) {
  std::error_code error;
  for (fs::directory_iterator entry(base, error), end; !error && entry != end; entry.increment(error)) {
    if (!entry->path().filename().string().starts_with(kTempPrefix)) continue;
    const OpenFile lock{locked(entry->path())};
    struct stat info{};
    if (lock.fd >= 0 && ::fstat(lock.fd, &info) == 0 && info.st_uid == ::geteuid()) removeAll(entry->path());
  }
}

}  // namespace

Result<TempDir> TempDir::create() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) return fail(ErrorCode::kUnavailable, "no temporary directory ({}); set TMPDIR", error.message());
  {
    static std::mutex mutex;
    static std::set<fs::path> cleaned;
    const std::lock_guard lock(mutex);
    if (cleaned.insert(base).second) removeAbandoned(base);
  }
  for (;;) {
    std::string path = (base / fmt::format("{}XXXXXX", kTempPrefix)).string();
    if (::mkdtemp(path.data()) == nullptr) return systemError("create", path);
    if (const int lock = locked(path); lock >= 0) return TempDir(path, lock);
    // Between the two, another process may have taken it for abandoned.
    if (errno == EWOULDBLOCK || errno == ENOENT) continue;
    auto refused = systemError("lock", path);
    ::rmdir(path.c_str());
    return refused;
  }
}

TempDir::TempDir(fs::path path, int lock) : path_(std::move(path)), lock_(lock), owner_(::getpid()) {}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  std::swap(lock_, other.lock_);
  std::swap(owner_, other.owner_);
  return *this;
}

TempDir::~TempDir() {
  if (!path_.empty() && owner_ == ::getpid()) removeAll(path_);
  if (lock_ >= 0) ::close(lock_);
}

fs::path executablePath() {
  std::error_code error;
  const fs::path path = fs::read_symlink("/proc/self/exe", error);
  ORDO_CHECK(!error, "/proc/self/exe: {}", error.message());
  return path;
}

namespace {

fs::path& givenPrefix() {
  static fs::path prefix;
  return prefix;
}

}  // namespace

fs::path installPrefix() {
  return givenPrefix().empty() ? executablePath().parent_path().parent_path() : givenPrefix();
}

void setInstallPrefix(fs::path prefix) { givenPrefix() = std::move(prefix); }

fs::path dataDir() {
  if (const char* dir = std::getenv("ORDO_DATA"); dir != nullptr && *dir != '\0') return dir;
  return installPrefix() / "share" / "ordo";
}

std::error_code makePrivateFolders(const fs::path& folder) {
  std::error_code error;
  if (folder.empty() || fs::is_directory(folder, error)) return {};
  if (folder.has_relative_path()) {
    if (const std::error_code above = makePrivateFolders(folder.parent_path())) return above;
  }
  const int failure = ::mkdir(folder.c_str(), 0700) == 0 ? 0 : errno;
  // Another process may have been faster.
  if (failure == 0 || fs::is_directory(folder, error)) return {};
  return {failure, std::generic_category()};
}

namespace {

// Below a folder where everybody may put something: one that is there counts if nobody else can have put it
// there or write to it. Else it is a new one, for this process alone.
fs::path makeOwnCache(const fs::path& base) {
  const fs::path folder = base / fmt::format("ordo-cache-{}", ::geteuid());
  ::mkdir(folder.c_str(), 0700);
  struct stat info{};
  if (::lstat(folder.c_str(), &info) != 0) return folder;  // whoever writes there says why that does not go
  if (S_ISDIR(info.st_mode) && info.st_uid == ::geteuid() && (info.st_mode & 077) == 0) return folder;
  std::string other = folder.string() + ".XXXXXX";
  return ::mkdtemp(other.data()) == nullptr ? folder : fs::path(other);
}

}  // namespace

fs::path cacheDir() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string dir = variable("ORDO_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = variable("XDG_CACHE_HOME"); !dir.empty()) return fs::path(dir) / "ordo";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "ordo";
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  static std::mutex mutex;
  static std::map<fs::path, fs::path> made;
  const std::lock_guard lock(mutex);
  fs::path& own = made[error ? fs::path("/tmp") : base];
  if (own.empty()) own = makeOwnCache(error ? fs::path("/tmp") : base);
  return own;
}

}  // namespace ordo
