#include "builds/rival.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <functional>

#include "recipe/order.h"

namespace ordo::builds {
namespace {

using recipe::Message;
using testing::HasSubstr;

// A process in the place of the copy, which does `what` with its end of the socket.
struct Fake {
  explicit Fake(const std::function<void(int socket)>& what) {
    int ends[2];
    EXPECT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
    ours = Descriptor(ends[0]);
    pid = ::fork();
    if (pid == 0) {
      ours.close();
      (void)recipe::sendMessage(ends[1], Message::Kind::kHello, std::to_string(::getpid()));
      what(ends[1]);
      ::_exit(0);
    }
    ::close(ends[1]);
  }

  Descriptor ours;
  pid_t pid = -1;
};

bool isGone(pid_t pid) { return ::kill(pid, 0) != 0 && errno == ESRCH; }

TEST(RivalTest, AnObjectArrivesWhole) {
  const std::string large(3'000'000, 'o');
  Fake fake([&](int socket) { (void)recipe::sendMessage(socket, Message::Kind::kObject, large); });
  {
    Rival rival(std::move(fake.ours));
    EXPECT_EQ(*rival.object(10), large);
  }
  EXPECT_TRUE(isGone(fake.pid));
}

TEST(RivalTest, WhyThereIsNoneIsSaid) {
  Fake said([](int socket) { (void)recipe::sendMessage(socket, Message::Kind::kFailed, "no way"); });
  EXPECT_THAT(Rival(std::move(said.ours)).object(10).error().message, HasSubstr("no way"));
  Fake crashed([](int) { ::raise(SIGKILL); });
  EXPECT_THAT(Rival(std::move(crashed.ours)).object(10).error().message, HasSubstr("without a word"));
  Fake half([](int socket) { (void)::send(socket, "oops", 4, MSG_NOSIGNAL); });
  EXPECT_EQ(Rival(std::move(half.ours)).object(10).error().code, ErrorCode::kCorrupt);
}

TEST(RivalTest, NobodyWaitsForEver) {
  Fake fake([](int) { ::pause(); });
  {
    Rival rival(std::move(fake.ours));
    EXPECT_THAT(rival.object(0.05).error().message, HasSubstr("in time"));
  }
  EXPECT_TRUE(isGone(fake.pid));
}

TEST(RivalTest, WhatNobodyAskedForEnds) {
  Fake fake([](int) { ::pause(); });
  {
    Rival rival(std::move(fake.ours));
  }
  EXPECT_TRUE(isGone(fake.pid));
  int ends[2];
  ASSERT_EQ(::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends), 0);
  ::close(ends[1]);
  {
    const Rival nobody{Descriptor(ends[0])};
  }  // and this returns
}

TEST(RivalTest, OrphansAreOurs) {
  adoptOrphans();
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const pid_t compiler = ::fork();
  if (compiler == 0) {
    if (::fork() == 0) {
      char byte;
      ::close(ends[1]);
      (void)!::read(ends[0], &byte, 1);  // until the test closes its end
      ::_exit(7);
    }
    ::_exit(0);
  }
  ::close(ends[0]);
  ASSERT_EQ(::waitpid(compiler, nullptr, 0), compiler);
  ::close(ends[1]);
  int status = 0;
  EXPECT_GT(::waitpid(-1, &status, 0), 0);
  EXPECT_EQ(WEXITSTATUS(status), 7);
}

}  // namespace
}  // namespace ordo::builds
