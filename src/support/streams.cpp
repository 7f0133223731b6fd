#include "support/streams.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace ordo {
namespace {

// The first errors of writing to stdout.
std::atomic<int> g_failed{0};
std::atomic<bool> g_unread{false};

// A handler that does nothing, unlike SIG_IGN, is not inherited through exec.
void ignore(int) {}

// stdio's way to write; the cookie is the descriptor. Whatever happens, all of it counts as written.
ssize_t writeWhatCanBe(void* cookie, const char* bytes, std::size_t size) {
  const int fd = static_cast<int>(reinterpret_cast<std::intptr_t>(cookie));
  const int saved = errno;
  for (std::size_t at = 0; at < size;) {
    const ssize_t written = ::write(fd, bytes + at, size - at);
    if (written >= 0) {
      at += static_cast<std::size_t>(written);
    } else if (errno != EINTR) {
      if (fd == STDOUT_FILENO && errno == EPIPE) g_unread = true;
      if (fd == STDOUT_FILENO && errno != EPIPE && g_failed == 0) g_failed = errno;
      break;
    }
  }
  errno = saved;
  return static_cast<ssize_t>(size);
}

std::FILE* streamOf(int fd) {
  cookie_io_functions_t functions{};
  functions.write = writeWhatCanBe;
  return ::fopencookie(reinterpret_cast<void*>(std::intptr_t{fd}), "w", functions);
}

}  // namespace

void prepareStreams() {
  for (int fd = 0; fd < 3; ++fd) {
    // The lowest number that is free is this one.
    if (::fcntl(fd, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", fd == 0 ? O_RDONLY : O_WRONLY));
  }
  for (const int signal : {SIGPIPE, SIGXFSZ}) {
    struct sigaction before{};
    ::sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_DFL) continue;
    struct sigaction action{};
    action.sa_handler = ignore;
    action.sa_flags = SA_RESTART;
    ::sigaction(signal, &action, nullptr);
  }
}

void neverFailToPrint() {
  static std::FILE* const out = streamOf(STDOUT_FILENO);
  static std::FILE* const err = streamOf(STDERR_FILENO);
  if (out != nullptr && out != stdout) {
    std::fflush(stdout);
    std::setvbuf(out, nullptr, ::isatty(STDOUT_FILENO) == 1 ? _IOLBF : _IOFBF, BUFSIZ);
    stdout = out;
  }
  if (err != nullptr && err != stderr) {
    std::setvbuf(err, nullptr, _IONBF, 0);
    stderr = err;
  }
}

std::string outputProblem(bool also_unread) {
  std::fflush(stdout);
  if (g_failed != 0) return std::strerror(g_failed);
  return also_unread && g_unread ? std::strerror(EPIPE) : "";
}

}  // namespace ordo
