// Whole files in and out. Writes are atomic: a reader sees the old file or the new one, never half,
// and a full disk or a crash leaves what was there before.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo {

// kNotFound, or kUnavailable with the system's reason (a directory, no permission).
Result<std::string> readFile(const std::filesystem::path& path);

// Writes a temporary file beside `path`, syncs it and renames it over `path`. Special files
// (/dev/stdout, /dev/full, a pipe) are written directly. kUnavailable with the system's reason.
Status writeFile(const std::filesystem::path& path, std::string_view content);

// A new empty directory under $TMPDIR, removed with everything in it by the destructor.
class TempDir {
 public:
  static Result<TempDir> create();
  TempDir(TempDir&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  TempDir& operator=(TempDir&& other) noexcept;
  ~TempDir();

  const std::filesystem::path& path() const { return path_; }

 private:
  explicit TempDir(std::filesystem::path path) : path_(std::move(path)) {}
  std::filesystem::path path_;
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

// Where Ordo remembers things between runs: $ORDO_CACHE, $XDG_CACHE_HOME/ordo or ~/.cache/ordo.
// Not created here.
std::filesystem::path cacheDir();

}  // namespace ordo
