#include "sandbox/handover.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string_view>

namespace ordo::sandbox {
namespace {

class HandoverTest : public testing::Test {
 protected:
  HandoverTest() { EXPECT_EQ(::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends_), 0); }
  ~HandoverTest() override {
    ::close(ends_[0]);
    if (ends_[1] >= 0) ::close(ends_[1]);
  }

  int ends_[2] = {-1, -1};
};

TEST_F(HandoverTest, ADescriptorArrivesAsOneOfTheReceivers) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  const SpawnReply sent{42};
  ASSERT_TRUE(sendWithFd(ends_[0], &sent, sizeof sent, pipe[1]));
  SpawnReply received{};
  int fd = -1;
  ASSERT_TRUE(receiveWithFd(ends_[1], &received, sizeof received, fd));
  EXPECT_EQ(received.pid, 42);
  ASSERT_GE(fd, 0);
  EXPECT_NE(fd, pipe[1]);
  EXPECT_NE(::fcntl(fd, F_GETFD) & FD_CLOEXEC, 0);
  ASSERT_EQ(::write(fd, "!", 1), 1);
  char read = 0;
  EXPECT_EQ(::read(pipe[0], &read, 1), 1);
  EXPECT_EQ(read, '!');
  for (const int open : {pipe[0], pipe[1], fd}) ::close(open);
}

TEST_F(HandoverTest, AMessageNeedsNoDescriptor) {
  const SpawnReply sent{-7};
  ASSERT_TRUE(sendWithFd(ends_[0], &sent, sizeof sent, -1));
  SpawnReply received{};
  int fd = 3;
  ASSERT_TRUE(receiveWithFd(ends_[1], &received, sizeof received, fd));
  EXPECT_EQ(received.pid, -7);
  EXPECT_EQ(fd, -1);
}

TEST_F(HandoverTest, TheEndOfTheOtherSideIsNoSignal) {
  ::close(ends_[1]);
  ends_[1] = -1;
  SpawnReply message{1};
  int fd = -1;
  EXPECT_FALSE(sendWithFd(ends_[0], &message, sizeof message, -1));
  EXPECT_FALSE(receiveWithFd(ends_[0], &message, sizeof message, fd));
}

}  // namespace
}  // namespace ordo::sandbox
