#include "support/followed_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "support/files.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kStart = 256;  // bytes: they have the writer's number and when it began
constexpr std::size_t kMostAtOnce = std::size_t{16} << 20;
constexpr std::size_t kLongest = std::size_t{1} << 20;  // of a line

// When a process began, in ticks since the machine did: field 22 of its stat. The second is its name in
// brackets, which may have any bytes.
std::optional<std::int64_t> startOf(std::int64_t pid) {
  const Result<std::string> stat = readFile(fmt::format("/proc/{}/stat", pid));
  if (!stat) return std::nullopt;
  std::size_t at = stat->rfind(')');
  for (int field = 2; field < 22 && at != std::string::npos; ++field) at = stat->find(' ', at + 1);
  if (at == std::string::npos) return std::nullopt;
  std::int64_t ticks = 0;
  const char* const begin = stat->data() + at + 1;
  const auto read = std::from_chars(begin, stat->data() + stat->size(), ticks);
  return read.ec == std::errc() ? std::optional(ticks) : std::nullopt;
}

// Whether a line "flags: 0100001" of /proc/PID/fdinfo/N, in octal, is of a file that is written.
bool isWritten(const fs::path& info) {
  const Result<std::string> text = readFile(info);
  const std::size_t at = text ? text->find("flags:") : std::string::npos;
  if (at == std::string::npos) return false;
  const unsigned long flags = std::strtoul(text->c_str() + at + std::strlen("flags:"), nullptr, 8);
  return (flags & O_ACCMODE) != O_RDONLY;
}

bool writes(std::int64_t pid, const fs::path& file) {
  struct stat wanted{}, open{};
  if (::stat(file.c_str(), &wanted) != 0) return false;
  const fs::path of = fmt::format("/proc/{}", pid);
  std::error_code failed;
  for (const fs::directory_entry& entry : fs::directory_iterator(of / "fd", failed)) {
    const bool same = ::stat(entry.path().c_str(), &open) == 0 && open.st_dev == wanted.st_dev &&
                      open.st_ino == wanted.st_ino;
    if (same && isWritten(of / "fdinfo" / entry.path().filename())) return true;
  }
  return false;
}

}  // namespace

Json thisWriter() {
  const std::int64_t pid = ::getpid();
  return {{"pid", pid}, {"started", startOf(pid).value_or(0)}};
}

std::optional<Writer> Writer::find(const Json& told, const fs::path& file) {
  const Result<JsonObject> object = JsonObject::of(told, "the writer");
  if (!object) return std::nullopt;
  const Result<std::int64_t> pid = object->get<std::int64_t>("pid");
  const Result<std::int64_t> started = object->get<std::int64_t>("started");
  if (!pid || !started || *pid <= 1 || *pid > INT32_MAX || *pid == ::getpid()) return std::nullopt;
  Descriptor process(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(*pid), 0)));
  if (!process.isOpen()) return std::nullopt;
  struct stat owner{};
  const std::string folder = fmt::format("/proc/{}", *pid);
  if (::stat(folder.c_str(), &owner) != 0 || owner.st_uid != ::geteuid()) return std::nullopt;
  if (startOf(*pid) != *started || !writes(*pid, file)) return std::nullopt;
  return Writer(std::move(process));
}

Status Writer::interrupt() const {
  if (::syscall(SYS_pidfd_send_signal, process_.get(), SIGINT, nullptr, 0) == 0) return {};
  return fail(ErrorCode::kNotFound, "the process cannot be asked to end: {}", std::strerror(errno));
}

Result<FollowedFile::News> FollowedFile::read() {
  const Descriptor open(::open(file_.c_str(), O_RDONLY | O_CLOEXEC));
  if (!open.isOpen())
    return fail(ErrorCode::kNotFound, "cannot read {}: {}", file_.string(), std::strerror(errno));
  const auto bytes = [&](std::size_t most, std::uintmax_t from) -> Result<std::string> {
    std::string text(most, '\0');
    const ssize_t got = ::pread(open.get(), text.data(), most, static_cast<off_t>(from));
    if (got < 0)
      return fail(ErrorCode::kUnavailable, "cannot read {}: {}", file_.string(), std::strerror(errno));
    text.resize(static_cast<std::size_t>(got));
    return text;
  };
  News news;
  ORDO_TRY_ASSIGN(std::string start, bytes(kStart, 0));
  struct stat now{};
  const bool shorter = ::fstat(open.get(), &now) == 0 && static_cast<std::uintmax_t>(now.st_size) < at_;
  news.anew = shorter || !start.starts_with(start_);
  if (news.anew) at_ = line_ = 0;
  start_ = std::move(start);
  ORDO_TRY_ASSIGN(const std::string text, bytes(kMostAtOnce, at_));
  std::size_t from = 0;
  for (std::size_t end = 0; (end = text.find('\n', from)) != std::string::npos; from = end + 1) {
    const std::string where = fmt::format("{}, line {}", file_.string(), line_ + 1);
    if (end - from > kLongest) return fail(ErrorCode::kCorrupt, "{} is too long", where);
    ORDO_TRY_ASSIGN(Json line, parseJson(std::string_view(text).substr(from, end - from), where));
    if (!line.is_object()) return fail(ErrorCode::kCorrupt, "{} is no JSON object", where);
    news.lines.push_back(std::move(line));
    ++line_;
  }
  if (text.size() - from > kLongest)
    return fail(ErrorCode::kCorrupt, "{}, line {} is too long", file_.string(), line_ + 1);
  at_ += from;
  return news;
}

}  // namespace ordo
