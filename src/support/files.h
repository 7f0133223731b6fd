// Whole files in and out. Writes are atomic: a reader sees the old file or the new one, never half,
// and a full disk or a crash leaves what was there before.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "support/error.h"

namespace ordo {

// kNotFound, or kUnavailable with the system's reason (a directory, no permission).
Result<std::string> readFile(const std::filesystem::path& path);

// Writes a temporary file beside `path`, syncs it and renames it over `path`. Special files
// (/dev/stdout, /dev/full, a pipe) are written directly. kUnavailable with the system's reason.
Status writeFile(const std::filesystem::path& path, std::string_view content);

// A new empty directory under $TMPDIR, removed with everything in it by the destructor. One whose process was
// killed is removed by the next process that makes one: it is locked (flock) for as long as it is in use. It
// is its process's own: in one that was forked from that, the destructor leaves the directory alone.
class TempDir {
 public:
  static Result<TempDir> create();
  TempDir(TempDir&& other) noexcept
      : path_(std::exchange(other.path_, {})), lock_(std::exchange(other.lock_, -1)), owner_(other.owner_) {}
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  const std::filesystem::path& path() const { return path_; }

 private:
  TempDir(std::filesystem::path path, int lock);
  std::filesystem::path path_;
  int lock_ = -1;  // a descriptor of the directory that holds its lock
  int owner_;      // the process
};

// The running executable, with links resolved: programs find their data and workers beside it.
std::filesystem::path executablePath();

// Where Ordo is installed: programs in bin/, data in share/ordo/. The parent of the executable's folder,
// unless said otherwise.
std::filesystem::path installPrefix();
// For when the code is a library in somebody else's program. Not thread-safe: call it first.
void setInstallPrefix(std::filesystem::path prefix);

// The folder with spaces, manifests and baselines: $ORDO_DATA, or share/ordo of the prefix.
std::filesystem::path dataDir();

// Makes a folder, and those above it that are missing, for this user alone whatever the umask is; one that
// exists is left as it is.
std::error_code makePrivateFolders(const std::filesystem::path& folder);

// Where Ordo remembers things between runs: $ORDO_CACHE, $XDG_CACHE_HOME/ordo or ~/.cache/ordo.
// Not created here: makePrivateFolders() does, because builds trust what is in it.
std::filesystem::path cacheDir();

}  // namespace ordo
