#include "support/files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <system_error>

namespace ordo {
namespace fs = std::filesystem;
namespace {

// Owns a file descriptor.
struct Descriptor {
  int fd;
  ~Descriptor() {
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
  Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC)};
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
  if (::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode)) {
    Descriptor file{::open(path.c_str(), O_WRONLY | O_CLOEXEC)};
    if (file.fd < 0 || !writeAll(file.fd, content)) return systemError("write", path);
    return {};
  }
  // A link keeps pointing where it points; its target is what is replaced.
  std::error_code ignored;
  const fs::path target = fs::is_symlink(path, ignored) ? fs::weakly_canonical(path, ignored) : path;
  static std::atomic<unsigned> counter{0};
  const std::string temporary = fmt::format("{}.tmp-{}-{}", target.string(), ::getpid(), counter++);
  Descriptor file{::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666)};
  if (file.fd < 0) return systemError("write", path);
  const bool written =
      writeAll(file.fd, content) && ::fsync(file.fd) == 0 && ::rename(temporary.c_str(), target.c_str()) == 0;
  if (!written) {
    auto error = systemError("write", path);
    ::unlink(temporary.c_str());
    return error;
  }
  return {};
}

Result<TempDir> TempDir::create() {
  std::error_code error;
  const fs::path base = fs::temp_directory_path(error);
  if (error) return fail(ErrorCode::kUnavailable, "no temporary directory ({}); set TMPDIR", error.message());
  std::string path = (base / "ordo.XXXXXX").string();
  if (::mkdtemp(path.data()) == nullptr) return systemError("create", path);
  return TempDir(path);
}

TempDir& TempDir::operator=(TempDir&& other) noexcept {
  std::swap(path_, other.path_);
  return *this;
}

TempDir::~TempDir() {
  std::error_code ignored;
  if (!path_.empty()) fs::remove_all(path_, ignored);
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

fs::path cacheDir() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string dir = variable("ORDO_CACHE"); !dir.empty()) return dir;
  if (const std::string dir = variable("XDG_CACHE_HOME"); !dir.empty()) return fs::path(dir) / "ordo";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache" / "ordo";
  return fs::temp_directory_path() / "ordo-cache";
}

}  // namespace ordo
