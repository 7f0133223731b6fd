#include "builds/folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include "support/child.h"

namespace ordo::builds {
namespace fs = std::filesystem;
namespace {

bool isTrusted(uid_t user) { return user == 0 || user == ::geteuid(); }

bool isIn(gid_t group) {
  if (::geteuid() == 0 || ::getegid() == group) return true;
  std::vector<gid_t> groups(static_cast<std::size_t>(std::max(::getgroups(0, nullptr), 0)));
  const int count = ::getgroups(static_cast<int>(groups.size()), groups.data());
  groups.resize(static_cast<std::size_t>(std::max(count, 0)));
  return std::ranges::find(groups, group) != groups.end();
}

Status checkPrivate(const fs::path& path, const struct stat& status) {
  if (!isTrusted(status.st_uid)) {
    return fail(ErrorCode::kUnavailable,
                "{} belongs to user {}, whose objects would become part of this build; set ORDO_CACHE to a "
                "folder of your own",
                path.string(), status.st_uid);
  }
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) {
    return fail(
        ErrorCode::kUnavailable,
        "others may write to {}, and their objects would become part of this build; chmod go-w it, or "
        "set ORDO_CACHE_SHARED=group to trust its group",
        path.string());
  }
  return {};
}

Status checkGroupFolder(const fs::path& path, const struct stat& status) {
  constexpr mode_t kWanted = S_ISGID | S_IWGRP;
  if ((status.st_mode & (kWanted | S_IWOTH)) != kWanted || !isIn(status.st_gid)) {
    return fail(ErrorCode::kUnavailable,
                "ORDO_CACHE_SHARED=group, but {} is not a folder of a group of yours that only the group may "
                "write to; chgrp it to the group and chmod it to 2770",
                path.string());
  }
  return {};
}

}  // namespace

Status checkFolder(const fs::path& folder, Sharing sharing) {
  std::error_code error;
  if (sharing == Sharing::kNobody && fs::create_directories(folder, error))
    fs::permissions(folder, fs::perms::owner_all, error);
  struct stat status{};
  if (::stat(folder.c_str(), &status) != 0)
    return fail(ErrorCode::kUnavailable, "cannot use {}: {}", folder.string(), std::strerror(errno));
  if (!S_ISDIR(status.st_mode)) return fail(ErrorCode::kUnavailable, "{} is not a folder", folder.string());
  return sharing == Sharing::kGroup ? checkGroupFolder(folder, status) : checkPrivate(folder, status);
}

Status checkFile(const fs::path& file, Sharing sharing) {
  const mode_t mode = sharing == Sharing::kGroup ? 0660 : 0600;
  const Descriptor made(::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
  if (made.isOpen() && ::fchmod(made.get(), mode) == 0) return {};
  struct stat status{};
  if (::lstat(file.c_str(), &status) != 0)
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}", file.string(), std::strerror(errno));
  if (!S_ISREG(status.st_mode))
    return fail(ErrorCode::kUnavailable, "{} is not a regular file", file.string());
  if (sharing == Sharing::kNobody) return checkPrivate(file, status);
  // Whoever could put it there is in the group: the folder says so.
  return {};
}

}  // namespace ordo::builds
