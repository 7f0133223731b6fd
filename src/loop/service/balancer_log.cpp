#include "loop/service/balancer_log.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <utility>

namespace ordo::loop {
namespace {

constexpr std::size_t kLongest = std::size_t{64} << 10;
constexpr std::size_t kMostAtOnce = std::size_t{64} << 20;
constexpr std::size_t kRemembered = 128;                      // bytes of `last_`
constexpr std::uint64_t kMostMicroseconds = 100'000'000'000;  // more than a day

bool isDigit(char c) { return c >= '0' && c <= '9'; }

// All of it, and digits only.
std::optional<std::uint64_t> wholeNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// The message of a line, without syslog's header, which ends in "haproxy[123]: ". Only the first bracket is
// looked at: in what HAProxy writes otherwise, that of its date comes before anything that a client chose.
std::string_view messageOf(std::string_view line) {
  const std::size_t bracket = line.find('[');
  if (line.starts_with("ordo ") || bracket == std::string_view::npos) return line;
  std::size_t end = bracket + 1;
  while (end < line.size() && isDigit(line[end])) ++end;
  if (end == bracket + 1 || !line.substr(end).starts_with("]: ")) return {};
  return line.substr(end + 3);
}

// Cuts off what is before the next space, or all.
std::string_view word(std::string_view& text) {
  const std::size_t end = std::min(text.find(' '), text.size());
  const std::string_view first = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return first;
}

std::optional<double> secondsOf(std::string_view time) {
  const bool fine = time.starts_with("us=");
  if (!fine && !time.starts_with("ms=")) return std::nullopt;
  const std::optional<std::uint64_t> value = wholeNumber(time.substr(3));
  if (!value || *value > kMostMicroseconds) return std::nullopt;
  // 0 is something below the clock's step.
  return (*value == 0 ? 0.5 : static_cast<double>(*value)) * (fine ? 1e-6 : 1e-3);
}

// A termination state, as "--", "SC" or "sH"; of four letters with what became of a cookie.
std::optional<LoggedRequest::End> endOf(std::string_view state) {
  constexpr std::string_view kCauses = "CcSsPLRIDUKT-", kPhases = "RQCHDLTX-", kCookies = "NIDVEOUPR-";
  const bool shaped =
      (state.size() == 2 || state.size() == 4) && kCauses.find(state[0]) != std::string_view::npos &&
      kPhases.find(state[1]) != std::string_view::npos &&
      std::ranges::all_of(state.substr(2), [&](char c) { return kCookies.find(c) != kCookies.npos; });
  if (!shaped) return std::nullopt;
  if (state[0] == 'C' || state[0] == 'c') return LoggedRequest::End::kLeft;
  // The server broke off (S), said nothing in time (s), went down under it (D), or answered nonsense (PH).
  if (state[0] == 'S' || state[0] == 's' || state[0] == 'D' || state.starts_with("PH"))
    return LoggedRequest::End::kFailed;
  return LoggedRequest::End::kAnswered;
}

}  // namespace

std::optional<LoggedRequest> readLogLine(std::string_view line, const HaproxyOptions& names) {
  if (line.ends_with('\r')) line.remove_suffix(1);
  std::string_view message = messageOf(line);
  if (word(message) != "ordo") return std::nullopt;
  std::string_view server = word(message);
  const std::string_view time = word(message);
  const std::string_view code = word(message);
  const bool silent = code == "-1" && !message.empty();
  const std::optional<std::uint64_t> status = wholeNumber(code);
  const std::optional<LoggedRequest::End> end =
      message.empty() ? LoggedRequest::End::kAnswered : endOf(message);
  // A space at the end of a line is no state.
  if (!end || line.ends_with(' ')) return std::nullopt;
  if (!server.starts_with(names.backend) || !server.substr(names.backend.size()).starts_with('/'))
    return std::nullopt;
  server.remove_prefix(names.backend.size() + 1);
  const auto pool = std::ranges::find(names.servers, server);
  const std::optional<double> seconds = secondsOf(time);
  if (pool == names.servers.end() || !seconds) return std::nullopt;
  if (!silent && (!status || *status < 100 || *status > 599)) return std::nullopt;
  // Who left before there was an answer has no other sign.
  return LoggedRequest{static_cast<Pool>(pool - names.servers.begin()), *seconds,
                       silent ? -1 : static_cast<int>(*status),
                       silent && *end == LoggedRequest::End::kAnswered ? LoggedRequest::End::kFailed : *end};
}

Status LogFollower::open(bool at_its_end) {
  // Not a FIFO's open, which would wait.
  Descriptor file(::open(file_.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.isOpen())
    return fail(errno == ENOENT ? ErrorCode::kNotFound : ErrorCode::kUnavailable, "the balancer's log {}: {}",
                file_.string(), std::strerror(errno));
  struct stat now{};
  if (::fstat(file.get(), &now) != 0 || !S_ISREG(now.st_mode))
    return fail(ErrorCode::kUnavailable, "the balancer's log {} is no ordinary file", file_.string());
  open_ = std::move(file);
  at_ = 0;
  last_.clear();
  carry_.clear();
  skip_ = false;
  if (!at_its_end || now.st_size == 0) return {};
  // From one byte before its end, which says whether a line ended there.
  at_ = static_cast<std::uint64_t>(now.st_size) - 1;
  skip_ = true;
  return {};
}

Result<bool> LogFollower::drain(const std::function<void(std::string_view)>& line) {
  std::array<char, 65536> buffer;
  for (std::size_t sum = 0; sum < kMostAtOnce;) {
    const ssize_t got = ::pread(open_.get(), buffer.data(), buffer.size(), static_cast<off_t>(at_));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0)
      return fail(ErrorCode::kUnavailable, "the balancer's log {}: {}", file_.string(), std::strerror(errno));
    if (got == 0) return true;
    std::string_view text(buffer.data(), static_cast<std::size_t>(got));
    at_ += text.size();
    sum += text.size();
    last_.append(text);
    if (last_.size() > kRemembered) last_.erase(0, last_.size() - kRemembered);
    for (std::size_t end = 0; (end = text.find('\n')) != std::string_view::npos;) {
      const bool whole = !skip_ && carry_.size() + end <= kLongest;
      if (whole && carry_.empty())
        line(text.substr(0, end));
      else if (whole)
        line(carry_.append(text.substr(0, end)));
      carry_.clear();
      skip_ = false;
      text.remove_prefix(end + 1);
    }
    skip_ = skip_ || carry_.size() + text.size() > kLongest;
    if (skip_)
      carry_.clear();
    else
      carry_.append(text);
  }
  return false;
}

// Whether what was read is not what is there: the file was cut, or written anew in its place.
bool LogFollower::wasChanged() const {
  std::string now(last_.size(), '\0');
  const ssize_t got = ::pread(open_.get(), now.data(), now.size(), static_cast<off_t>(at_ - last_.size()));
  return got != static_cast<ssize_t>(now.size()) || now != last_;
}

Result<bool> LogFollower::read(const std::function<void(std::string_view)>& line) {
  // What was there before the first look is not ours to count; what a later file has, is.
  if (!open_.isOpen()) ORDO_TRY(open(true));
  const bool cut = wasChanged();
  if (cut) ORDO_TRY(open(false));
  struct stat here{}, there{};
  const bool exists = ::stat(file_.c_str(), &there) == 0;
  gone_ = gone_ || !exists;
  ORDO_TRY_ASSIGN(const bool all, drain(line));
  // Who moves a log away makes a new one before its writer knows: the old one is done with once the new one
  // has something.
  const bool moved = exists && ::fstat(open_.get(), &here) == 0 &&
                     (here.st_dev != there.st_dev || here.st_ino != there.st_ino);
  if (!moved || there.st_size == 0) return !cut && all;
  const bool gone = std::exchange(gone_, false);
  ORDO_TRY(open(false));
  ORDO_TRY_ASSIGN(const bool all_of_new, drain(line));
  return !cut && !gone && all && all_of_new;
}

LogMetrics::LogMetrics(std::filesystem::path file, HaproxyOptions names, const Balancer& balancer,
                       Clock clock)
    : follower_(std::move(file)), names_(std::move(names)), balancer_(balancer), clock_(std::move(clock)) {
  if (!clock_)
    clock_ = [] {
      return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
    };
}

Status LogMetrics::begin() {
  ORDO_TRY(follower_.read([](std::string_view) {}));
  return {};
}

void LogMetrics::follow() {
  bool news = false;
  const Result<bool> whole = follower_.read([&](std::string_view line) {
    const std::optional<LoggedRequest> request = readLogLine(line, names_);
    if (!request) return;
    const auto pool = static_cast<std::size_t>(request->pool);
    if (request->end == LoggedRequest::End::kAnswered) latency_[pool].add(request->seconds);
    news = true;
  });
  if (whole && !*whole) {
    latency_ = {};
    ++life_;
  }
  if (news) news_s_ = std::max(clock_(), news_s_);
}

Result<Figures> LogMetrics::read() {
  follow();
  Figures figures;
  for (std::size_t i = 0; i < kPools && news_s_ > 0; ++i)
    figures[i] =
        Counters{.latency = latency_[i], .instance = fmt::format("the log's {}", life_), .at_s = news_s_};
  return counted(std::move(figures), balancer_);
}

}  // namespace ordo::loop
