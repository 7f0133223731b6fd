#include "builds/rival.h"

#include <signal.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>

#include <cerrno>
#include <charconv>
#include <cmath>

#include "recipe/order.h"

namespace ordo::builds {

using recipe::Message;

namespace {

// For what has been said already.
constexpr double kMoment_s = 0.1;

}  // namespace

void adoptOrphans() { ::prctl(PR_SET_CHILD_SUBREAPER, 1); }

Rival::~Rival() {
  // A copy says its number first of all. Where there is none, nobody has the other end any more.
  if (pid_ <= 0) (void)receive(kMoment_s);
  socket_.close();
  if (pid_ <= 0) return;
  // Ours to wait for, so the number is still its own.
  ::kill(pid_, SIGKILL);
  awaitEnd(pid_);
}

Result<std::string> Rival::object(double patience_s) {
  Result<std::string> object = receive(patience_s);
  if (object || pid_ <= 0) return object;
  return fail(std::move(object).error().context("what was tried beside clang"));
}

Result<std::string> Rival::receive(double patience_s) {
  const double whole = std::floor(patience_s);
  const timeval patience{static_cast<time_t>(whole), static_cast<suseconds_t>((patience_s - whole) * 1e6)};
  ::setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  for (;;) {
    ORDO_TRY_ASSIGN(const std::optional<Message> message, recipe::receiveMessage(socket_.get()));
    if (!message) return fail(ErrorCode::kUnavailable, "it ended without a word");
    switch (message->kind) {
      case Message::Kind::kHello:
        std::from_chars(message->bytes.data(), message->bytes.data() + message->bytes.size(), pid_);
        break;
      case Message::Kind::kObject:
        return message->bytes;
      default:
        return fail(ErrorCode::kUnavailable, "{}", message->bytes);
    }
  }
}

}  // namespace ordo::builds
