// The compiler opens BASE.in for reading first and waits for somebody who writes, then BASE.out for writing
// and waits for somebody who reads. So both are open here from the beginning and to the end, without waiting
// for anybody: .in for both directions, for which nobody else is needed, .out for reading. When nobody writes
// any more, what a compiler has left behind is thrown away; the next may have come before that was seen.
#include "advice/serve.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>

#include "advice/mlgo.h"
#include "notation/decisions.h"
#include "support/child.h"

namespace ordo::advice {
namespace {

namespace fs = std::filesystem;
constexpr int kMomentMs = 50;

// A pipe with a name, removed with this.
class NamedPipe {
 public:
  static Result<NamedPipe> make(fs::path path) {
    if (::mkfifo(path.c_str(), 0600) != 0)
      return fail(ErrorCode::kUnavailable, "cannot make the pipe {}: {}", path.string(),
                  std::strerror(errno));
    return NamedPipe(std::move(path));
  }
  NamedPipe(NamedPipe&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  NamedPipe& operator=(NamedPipe&&) = delete;
  ~NamedPipe() {
    if (!path_.empty()) ::unlink(path_.c_str());
  }

  Result<Descriptor> open(int flags) const {
    const int fd = ::open(path_.c_str(), flags | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
      return fail(ErrorCode::kUnavailable, "cannot open {}: {}", path_.string(), std::strerror(errno));
    return Descriptor(fd);
  }

 private:
  explicit NamedPipe(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

void drain(int fd) {
  std::array<char, 4096> nothing;
  while (::read(fd, nothing.data(), nothing.size()) > 0) {
  }
}

}  // namespace

Result<Served> serveChannel(const fs::path& base, env::Advisor& advisor, const std::atomic<bool>& stop,
                            const std::function<bool()>& until) {
  ORDO_TRY_ASSIGN(const NamedPipe in, NamedPipe::make(base.string() + ".in"));
  ORDO_TRY_ASSIGN(const NamedPipe out, NamedPipe::make(base.string() + ".out"));
  ORDO_TRY_ASSIGN(const Descriptor answers, in.open(O_RDWR));
  ORDO_TRY_ASSIGN(const Descriptor questions, out.open(O_RDONLY));
  Served served;
  std::size_t compiles = 0;  // of `stream`
  std::optional<MlgoStream> stream;
  while (!stop) {
    pollfd waiting{questions.get(), POLLIN, 0};
    std::array<char, 1 << 16> piece;
    const bool ready = ::poll(&waiting, 1, kMomentMs) > 0;
    const ssize_t size = ready ? ::read(questions.get(), piece.data(), piece.size()) : -1;
    if (size > 0) {
      if (!stream) stream.emplace(advisor.spec(), "the channel"), compiles = 0;
      std::string reply;
      const Status fed =
          stream->feed({piece.data(), static_cast<std::size_t>(size)}, [&](const env::Advice& asked) {
            if (compiles != stream->compilations()) {
              compiles = stream->compilations();
              ++served.compiles;
              advisor.begin(asked.module);
            }
            const std::vector<std::uint8_t> allowed = notation::allowedBy(advisor.spec(), asked.features);
            reply += mlgoAnswer(advisor.advise({asked.features, allowed, asked.usual}));
            ++served.answers;
          });
      ORDO_TRY(fed);
      // A few bytes at a time, which the pipe always has room for: the compiler waits for each.
      if (!reply.empty() &&
          ::write(answers.get(), reply.data(), reply.size()) != static_cast<ssize_t>(reply.size()))
        return fail(ErrorCode::kUnavailable, "cannot answer on the channel: {}", std::strerror(errno));
      continue;
    }
    if (size == 0 && stream) {
      stream.reset();
      drain(answers.get());
    }
    if (until()) break;
    if (size == 0) ::usleep(kMomentMs * 100);  // nobody is there to be waited for
  }
  return served;
}

}  // namespace ordo::advice
