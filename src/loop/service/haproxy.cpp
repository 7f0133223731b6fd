#include "loop/service/haproxy.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <set>

#include "support/child.h"

namespace ordo::loop {
namespace {

constexpr std::size_t kMostAnswer = 4u << 20;

// Letters, digits and a few signs, as HAProxy's own names are: nothing that ends a command.
bool isName(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::ranges::all_of(name, [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.';
  });
}

std::vector<std::string_view> split(std::string_view text, char by) {
  std::vector<std::string_view> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(by, begin), text.size());
    parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

std::uint64_t number(std::string_view text) {
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

}  // namespace

HaproxyRows readRows(std::string_view csv, const std::string& backend) {
  HaproxyRows rows;
  std::vector<std::string_view> columns;
  for (const std::string_view line : split(csv, '\n')) {
    if (line.starts_with("# ")) {
      columns = split(line.substr(2), ',');
      continue;
    }
    // What is quoted, and may have commas, comes last.
    const std::vector<std::string_view> fields = split(line, ',');
    std::map<std::string, std::string> row;
    for (std::size_t i = 0; i < std::min(fields.size(), columns.size()); ++i)
      row.emplace(columns[i], fields[i]);
    if (row["pxname"] == backend) rows.emplace(row["svname"], row);
  }
  return rows;
}

Result<std::array<ServerCounts, kPools>> readStatistics(std::string_view csv, const HaproxyOptions& options) {
  std::array<ServerCounts, kPools> counts;
  const HaproxyRows rows = readRows(csv, options.backend);
  for (std::size_t i = 0; i < kPools; ++i) {
    const auto row = rows.find(options.servers[i]);
    if (row == rows.end())
      return fail(ErrorCode::kCorrupt, "HAProxy has no server {}/{}; name those of its file in loop.toml",
                  options.backend, options.servers[i]);
    const auto field = [&](const char* name) {
      const auto found = row->second.find(name);
      return found == row->second.end() ? std::string() : found->second;
    };
    const auto count = [&](const char* name) { return number(field(name)); };
    // What HAProxy answers itself in a server's stead (503 for one that refuses, 502, 504) is in no hrsp_ of
    // that server. `srv_abrt` is part of `eresp`.
    counts[i] = {.up = field("status").starts_with("UP") || field("status") == "no check",
                 .errors = count("hrsp_5xx") + count("eresp") + count("econ"),
                 .redispatches = count("wredis") + count("wretr"),
                 .aborts = count("cli_abrt"),
                 .tries = count("stot"),
                 .failed_checks = count("chkfail"),
                 .falls = count("chkdown"),
                 .queued = count("qcur"),
                 .serves = count("weight") > 0};
  }
  return counts;
}

Result<Haproxy> Haproxy::create(const HaproxyOptions& options) {
  for (const std::string& name : options.servers)
    if (!isName(name))
      return fail(ErrorCode::kInvalidArgument, "'{}' is no name of a server of HAProxy", name);
  const std::set<std::string> different(options.servers.begin(), options.servers.end());
  if (different.size() != kPools)
    return fail(ErrorCode::kInvalidArgument,
                "production, control and canary of [haproxy] have to be three servers, not {}",
                fmt::join(options.servers, ", "));
  if (!isName(options.backend))
    return fail(ErrorCode::kInvalidArgument, "'{}' is no name of a backend of HAProxy", options.backend);
  if (options.socket.string().size() >= sizeof(sockaddr_un::sun_path))
    return fail(ErrorCode::kInvalidArgument, "the path of HAProxy's socket is too long: {}",
                options.socket.string());
  return Haproxy(options);
}

Result<std::string> Haproxy::ask(const std::string& command) const {
  const auto failed = [&](std::string_view what) {
    return fail(ErrorCode::kUnavailable, "HAProxy's socket {}: {}", options_.socket.string(), what);
  };
  const Descriptor socket(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!socket.isOpen()) return failed(std::strerror(errno));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::strncpy(address.sun_path, options_.socket.c_str(), sizeof address.sun_path - 1);
  if (::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
    return failed(std::strerror(errno));
  const std::string line = command + "\n";
  if (::send(socket.get(), line.data(), line.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(line.size()))
    return failed("it does not take the command");
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::duration<double>(options_.timeout_s);
  std::string answer;
  std::array<char, 16384> buffer;
  for (;;) {
    const double left = std::chrono::duration<double>(deadline - std::chrono::steady_clock::now()).count();
    pollfd ready{.fd = socket.get(), .events = POLLIN, .revents = 0};
    if (left <= 0 || ::poll(&ready, 1, static_cast<int>(left * 1000) + 1) == 0)
      return failed("it does not answer");
    const ssize_t size = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (size == 0) return answer;
    if (size < 0 && (errno == EAGAIN || errno == EINTR)) continue;
    if (size < 0) return failed(std::strerror(errno));
    answer.append(buffer.data(), static_cast<std::size_t>(size));
    if (answer.size() > kMostAnswer) return failed("it says too much");
  }
}

Result<std::array<int, kPools>> Haproxy::weights() const {
  std::array<int, kPools> weights{};
  for (std::size_t i = 0; i < kPools; ++i) {
    ORDO_TRY_ASSIGN(const std::string answer,
                    ask(fmt::format("get weight {}/{}", options_.backend, options_.servers[i])));
    // "10 (initial 0)"
    const auto [end, error] = std::from_chars(answer.data(), answer.data() + answer.size(), weights[i]);
    if (error != std::errc() || weights[i] < 0 || weights[i] > kWeights)
      return fail(ErrorCode::kUnavailable, "HAProxy says of {}/{}: {}", options_.backend, options_.servers[i],
                  answer.substr(0, std::min<std::size_t>(answer.find('\n'), 200)));
  }
  return weights;
}

Status Haproxy::set(const Shares& shares) {
  const std::array<int, kPools> wanted = weightsOf(shares);
  // The canary's first: should only some be taken, it has too little rather than too much.
  for (const std::size_t i : {2u, 1u, 0u}) {
    ORDO_TRY_ASSIGN(const std::string answer, ask(fmt::format("set weight {}/{} {}", options_.backend,
                                                              options_.servers[i], wanted[i])));
    if (answer.find_first_not_of(" \n") != std::string::npos)
      return fail(ErrorCode::kUnavailable, "HAProxy says to a weight of {}/{}: {}", options_.backend,
                  options_.servers[i], answer.substr(0, std::min<std::size_t>(answer.find('\n'), 200)));
  }
  ORDO_TRY_ASSIGN(const auto real, weights());
  if (real != wanted)
    return fail(ErrorCode::kUnavailable, "HAProxy's weights of {} are {}, {} and {}, not {}, {} and {}",
                options_.backend, real[0], real[1], real[2], wanted[0], wanted[1], wanted[2]);
  return {};
}

Result<Shares> Haproxy::get() {
  ORDO_TRY_ASSIGN(const auto real, weights());
  const double sum = std::max(1, real[0] + real[1] + real[2]);
  return Shares{.control = real[1] / sum, .canary = real[2] / sum};
}

Result<std::array<ServerCounts, kPools>> Haproxy::counts() const {
  ORDO_TRY_ASSIGN(const std::string csv, ask("show stat"));
  return readStatistics(csv, options_);
}

}  // namespace ordo::loop
