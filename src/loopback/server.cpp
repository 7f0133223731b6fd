#include "loopback/server.h"

#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>

#include "loopback/threads.h"
#include "support/error.h"

namespace ordo::loopback {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

constexpr double kBytesPerSecond = 256 << 10;
constexpr auto kLookAtStream = std::chrono::milliseconds(50);

Clock::time_point after(Seconds time) {
  return Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
}

// Whether it happens until then. Errors of the socket count as that: what reads or writes next says so.
bool await(socket_t socket, short events, Clock::time_point until) {
  for (;;) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
    pollfd one{.fd = socket, .events = events, .revents = 0};
    const int ready = ::poll(&one, 1, static_cast<int>(std::max<std::int64_t>(left.count(), 0)));
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

// One connection. `read` is the time for a pause, and `write` that for a piece of an answer.
class Stream final : public httplib::Stream {
 public:
  Stream(socket_t socket, Seconds read, Seconds write) : socket_(socket), read_(read), write_(write) {}

  // Whether a request begins, or bytes of it are here already, before so long; its time begins then.
  bool begins(Seconds within) {
    if (from_ == to_ && !await(socket_, POLLIN, after(within))) return false;
    until_ = after(2 * read_);
    return true;
  }

  // Whether it was waited for in vain: what still comes is the rest of that, and no new request.
  bool isGivenUp() const { return given_up_; }

  bool is_readable() const override {
    return from_ != to_ || await(socket_, POLLIN, std::min(until_, after(read_)));
  }

  bool is_writable() const override { return await(socket_, POLLOUT, after(write_)) && isThere(); }

  // Whether the other end is: it may have more to say, or nothing yet.
  bool isThere() const {
    char byte = 0;
    const ssize_t seen = ::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
    return seen > 0 || (seen < 0 && errno == EAGAIN);  // 0: it has gone
  }

  ssize_t read(char* to, std::size_t size) override {
    if (from_ == to_) {
      if (!is_readable()) {
        given_up_ = true;
        return -1;
      }
      const ssize_t got = ::recv(socket_, buffer_.data(), buffer_.size(), MSG_DONTWAIT);
      if (got <= 0) return got;
      from_ = 0;
      to_ = static_cast<std::size_t>(got);
    }
    const std::size_t count = std::min(size, to_ - from_);
    std::memcpy(to, buffer_.data() + from_, count);
    from_ += count;
    return static_cast<ssize_t>(count);
  }

  ssize_t write(const char* bytes, std::size_t size) override {
    const Clock::time_point until = after(write_ + Seconds(static_cast<double>(size) / kBytesPerSecond));
    for (std::size_t done = 0; done < size;) {
      if (!await(socket_, POLLOUT, std::min(until, after(write_)))) return -1;
      const ssize_t taken = ::send(socket_, bytes + done, size - done, MSG_DONTWAIT | MSG_NOSIGNAL);
      if (taken < 0 && errno != EAGAIN && errno != EINTR) return -1;
      done += static_cast<std::size_t>(std::max<ssize_t>(taken, 0));
    }
    return static_cast<ssize_t>(size);
  }

  void get_remote_ip_and_port(std::string& ip, int& port) const override { tell(::getpeername, ip, port); }
  void get_local_ip_and_port(std::string& ip, int& port) const override { tell(::getsockname, ip, port); }
  socket_t socket() const override { return socket_; }

 private:
  // Listeners of this folder are on 127.0.0.1 only.
  template <class End>
  void tell(End end, std::string& ip, int& port) const {
    sockaddr_in address{};
    socklen_t size = sizeof address;
    ip = "127.0.0.1";
    port = end(socket_, reinterpret_cast<sockaddr*>(&address), &size) == 0 ? ntohs(address.sin_port) : 0;
  }

  const socket_t socket_;
  const Seconds read_, write_;
  Clock::time_point until_;  // of the request that is being read
  std::array<char, 16384> buffer_{};
  std::size_t from_ = 0, to_ = 0;  // what of it is not taken yet
  bool given_up_ = false;
};

// Whether what this thread has answered is, or has left behind, bytes that belong to no request.
thread_local bool t_unread = false;

// The connection whose request this thread answers.
thread_local const Stream* t_stream = nullptr;

// Answers go nowhere but here, and httplib would take seconds to make a megabyte smaller (Brotli's quality
// 11).
void sendPlain(httplib::Request& request) { request.headers.erase("Accept-Encoding"); }

// httplib reads content for these methods only.
bool bringsUnread(const httplib::Request& request) {
  static constexpr std::array<std::string_view, 5> kRead = {"POST", "PUT", "PATCH", "PRI", "DELETE"};
  if (std::ranges::find(kRead, request.method) != kRead.end()) return false;
  return request.has_header("Transfer-Encoding") || request.has_header("Content-Length");
}

}  // namespace

Server::Server() {
  new_task_queue = [] { return new Threads(); };
  set_pre_routing_handler([](const httplib::Request& request, httplib::Response&) {
    t_unread = bringsUnread(request);
    return HandlerResponse::Unhandled;
  });
}

bool Server::clientIsThere() {
  ORDO_CHECK(t_stream != nullptr, "no request is answered by this thread");
  return t_stream->isThere();
}

void Server::letManyWait() {
  // Of a socket that listens already this only changes how many may wait.
  ORDO_CHECK(::listen(svr_sock_, SOMAXCONN) == 0, "the server is not bound");
}

bool Server::process_and_close_socket(socket_t socket) {
  const auto seconds = [](time_t whole, time_t micro) {
    return Seconds(static_cast<double>(whole) + static_cast<double>(micro) * 1e-6);
  };
  Stream stream(socket, seconds(read_timeout_sec_, read_timeout_usec_),
                seconds(write_timeout_sec_, write_timeout_usec_));
  t_stream = &stream;
  bool sound = false;
  for (std::size_t left = keep_alive_max_count_; left > 0; --left) {
    // In short looks, so that a server that ends waits for no idle connection.
    const Clock::time_point until = after(seconds(keep_alive_timeout_sec_, 0));
    bool begun = false;
    while (!begun && svr_sock_ != INVALID_SOCKET && Clock::now() < until)
      begun = stream.begins(kLookAtStream);
    bool closed = false;
    t_unread = true;  // unless it is a request
    sound = begun && process_request(stream, left == 1, closed, sendPlain);
    if (!sound || closed || t_unread || stream.isGivenUp()) break;
  }
  t_stream = nullptr;
  ::shutdown(socket, SHUT_RDWR);
  ::close(socket);
  return sound;
}

}  // namespace ordo::loopback
