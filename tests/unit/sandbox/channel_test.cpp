#include "sandbox/channel.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "support/clock.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::sandbox {
namespace {

std::size_t bytesHeld(int fd) {
  struct stat info{};
  EXPECT_EQ(::fstat(fd, &info), 0);
  return static_cast<std::size_t>(info.st_blocks) * 512;
}

TEST(ChannelTest, MappingsOfOneDescriptorShareTheirMemory) {
  auto created = Channel::create();
  ASSERT_TRUE(created);
  auto other = Channel::map(created->fd);
  ASSERT_TRUE(other);
  created->channel.payload()[7] = std::byte{42};
  created->channel.header().progress = 3;
  EXPECT_EQ(other->payload()[7], std::byte{42});
  EXPECT_EQ(other->header().progress, 3u);
  ::close(created->fd);
}

TEST(ChannelTest, TheMappingOutlivesItsDescriptorAndIsSharedWithAFork) {
  Patience patience;
  auto created = Channel::create();
  ASSERT_TRUE(created);
  ::close(created->fd);
  const Channel& channel = created->channel;
  const pid_t child = ::fork();
  if (child == 0) {
    channel.payload().back() = std::byte{7};
    channel.header().reply.store(1);
    wake(channel.header().reply);
    ::_exit(0);
  }
  EXPECT_TRUE(waitForChange(channel.header().reply, 0, kSoon, patience));
  EXPECT_EQ(channel.payload().back(), std::byte{7});
  ::waitpid(child, nullptr, 0);
}

TEST(ChannelTest, TheDescriptorDoesNotSurviveExec) {
  auto created = Channel::create();
  ASSERT_TRUE(created);
  EXPECT_NE(::fcntl(created->fd, F_GETFD) & FD_CLOEXEC, 0);
  ::close(created->fd);
}

TEST(ChannelTest, MappingSomethingThatIsNoDescriptorIsAnError) {
  const auto channel = Channel::map(-1);
  ASSERT_FALSE(channel);
  EXPECT_EQ(channel.error().code, ErrorCode::kUnavailable);
}

TEST(ChannelTest, TrimGivesBackAllButWhatIsToBeKept) {
  constexpr std::size_t kUsed = std::size_t{8} << 20;
  constexpr std::size_t kKept = std::size_t{1} << 20;
  auto created = Channel::create();
  ASSERT_TRUE(created);
  const Channel& channel = created->channel;
  std::fill_n(channel.payload().begin(), kUsed, std::byte{1});
  channel.header().progress = 5;
  ASSERT_GE(bytesHeld(created->fd), kUsed);
  channel.trim(kKept);
  EXPECT_LE(bytesHeld(created->fd), kKept + Channel::kPayloadOffset);
  EXPECT_EQ(channel.payload()[kKept - 1], std::byte{1});
  EXPECT_EQ(channel.payload()[kKept], std::byte{0});
  EXPECT_EQ(channel.header().progress, 5u);
  ::close(created->fd);
}

TEST(ChannelTest, TrimmingToTheWholePayloadDoesNothing) {
  auto created = Channel::create();
  ASSERT_TRUE(created);
  created->channel.payload().back() = std::byte{1};
  created->channel.trim(created->channel.payload().size());
  EXPECT_EQ(created->channel.payload().back(), std::byte{1});
  ::close(created->fd);
}

TEST(ChannelTest, MovingKeepsTheMapping) {
  auto created = Channel::create();
  ASSERT_TRUE(created);
  ::close(created->fd);
  created->channel.payload()[0] = std::byte{9};
  Channel moved = std::move(created->channel);
  EXPECT_EQ(moved.payload()[0], std::byte{9});
}

TEST(WaitForChangeTest, ReturnsAtOnceIfTheWordDiffersAlready) {
  Patience patience;
  const std::atomic<std::uint32_t> word{2};
  EXPECT_TRUE(waitForChange(word, 1, 0, patience));
  EXPECT_TRUE(waitForChange(word, 1, -1, patience));
}

TEST(WaitForChangeTest, GivesUpAfterItsTimeAndNotBefore) {
  Patience patience;
  const std::atomic<std::uint32_t> word{1};
  const SteadyClock clock;
  const double start = clock.seconds();
  EXPECT_FALSE(waitForChange(word, 1, 0.05, patience));
  EXPECT_GE(clock.seconds() - start, 0.05);
}

TEST(WaitForChangeTest, NoTimeAtAllIsATimeout) {
  Patience patience;
  const std::atomic<std::uint32_t> word{1};
  EXPECT_FALSE(waitForChange(word, 1, 0, patience));
}

TEST(WaitForChangeTest, ATimeThatNoTimespecHoldsIsWaitedForInParts) {
  Patience patience;
  std::atomic<std::uint32_t> word{1};
  std::thread waker([&] {
    word.store(2);
    wake(word);
  });
  EXPECT_TRUE(waitForChange(word, 1, 1e300, patience));
  waker.join();
}

TEST(PatienceTest, SpinsLongerWhileWaitsAreShortAndHardlyWhenTheyAreLong) {
  Patience patience;
  const double first = patience.spinSeconds();
  for (int i = 0; i < 50; ++i) patience.learn(200e-6);
  EXPECT_GT(patience.spinSeconds(), 200e-6);
  EXPECT_LE(patience.spinSeconds(), 1e-3);
  for (int i = 0; i < 50; ++i) patience.learn(20e-3);
  EXPECT_EQ(patience.spinSeconds(), first);
  // A pause of an hour is forgotten after a few short waits.
  patience.learn(3600);
  for (int i = 0; i < 10; ++i) patience.learn(100e-6);
  EXPECT_GT(patience.spinSeconds(), 100e-6);
}

// Either order of waiting and waking, a thousand times: a wake-up that gets lost would hang.
TEST(WaitForChangeTest, LosesNoWakeUp) {
  Patience patience;
  std::atomic<std::uint32_t> ping{0}, pong{0};
  std::thread other([&] {
    Patience own;
    for (std::uint32_t i = 0; i < 1000; ++i) {
      waitForChange(ping, i, -1, own);
      // Every few rounds past the spinning, so that the other side sleeps.
      if (i % 8 == 0) std::this_thread::sleep_for(std::chrono::microseconds(100));
      pong.store(i + 1);
      wake(pong);
    }
  });
  for (std::uint32_t i = 0; i < 1000; ++i) {
    ping.store(i + 1);
    wake(ping);
    ASSERT_TRUE(waitForChange(pong, i, kSoon, patience));
  }
  other.join();
}

}  // namespace
}  // namespace ordo::sandbox
