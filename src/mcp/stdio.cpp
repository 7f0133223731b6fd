#include "mcp/stdio.h"

#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>

namespace ordo::mcp {
namespace {

constexpr int kLookMs = 100;                                  // ms between looks at `stop`
constexpr auto kLastWords = std::chrono::milliseconds(5000);  // for what was asked before the input ended
constexpr std::size_t kLastLooks = kLastWords.count() / kLookMs;

class Pipe final : public Client {
 public:
  explicit Pipe(int output) : output_(output) {}

  void say(std::string line) override {
    const std::lock_guard lock(mutex_);
    line += '\n';
    std::string_view rest = line;
    while (!rest.empty() && !broken_) {
      const ssize_t written = ::write(output_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written < 0)
        broken_ = true;
      else
        rest.remove_prefix(static_cast<std::size_t>(written));
    }
  }
  bool canBeAsked() const override { return true; }
  // Whether nobody reads any more, as when the client is gone.
  bool broken() {
    pollfd end{output_, 0, 0};
    if (::poll(&end, 1, 0) == 1 && (end.revents & (POLLERR | POLLHUP | POLLNVAL)) != 0) broken_ = true;
    return broken_;
  }

 private:
  const int output_;
  std::mutex mutex_;
  std::atomic<bool> broken_{false};
};

}  // namespace

Status serveStdio(Server& server, int input, int output, const std::atomic<bool>& stop) {
  const auto client = std::make_shared<Pipe>(output);
  std::string line;
  bool too_long = false;  // the line that is being read
  std::array<char, 1 << 16> buffer{};
  while (!stop && !client->broken()) {
    pollfd ready{input, POLLIN, 0};
    const int count = ::poll(&ready, 1, kLookMs);
    if (count < 0 && errno != EINTR)
      return fail(ErrorCode::kUnavailable, "cannot read requests: {}", std::strerror(errno));
    if (count <= 0) continue;
    const ssize_t size = ::read(input, buffer.data(), buffer.size());
    if (size < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (size < 0) return fail(ErrorCode::kUnavailable, "cannot read requests: {}", std::strerror(errno));
    if (size == 0) break;
    std::string_view text(buffer.data(), static_cast<std::size_t>(size));
    while (!text.empty()) {
      const std::size_t end = text.find('\n');
      const std::string_view part = text.substr(0, end);
      too_long = too_long || line.size() + part.size() > kMaxMessage;
      if (!too_long) line += part;
      if (end == std::string_view::npos) break;
      text.remove_prefix(end + 1);
      if (too_long)
        client->say(writeFault(nullptr, {kParseError, "the message is larger than 1 MiB"}));
      else if (line.find_first_not_of(" \r\t") != std::string::npos)
        server.take(line, client);
      line.clear();
      too_long = false;
    }
    if (too_long) line.clear();
  }
  for (std::size_t looks = 0; !stop && !client->broken(); ++looks) {
    if (server.drain(std::chrono::milliseconds(kLookMs))) return {};
    if (looks == kLastLooks) server.hurry(*client);
  }
  server.forget(*client);
  return {};
}

}  // namespace ordo::mcp
