#include "support/streams.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <functional>

namespace ordo {
namespace {

// How a process ends that does this, which ends by itself with 0 or 1.
int endOf(const std::function<bool()>& what) {
  std::fflush(nullptr);  // lest the child print it too
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGPIPE, SIG_DFL);
    ::_exit(what() ? 0 : 1);
  }
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

void replace(int fd, int by) {
  ::dup2(by, fd);
  if (by > 2) ::close(by);
}

// A pipe that nobody reads.
int deadPipe() {
  int ends[2] = {-1, -1};
  if (::pipe(ends) == 0) ::close(ends[0]);
  return ends[1];
}

TEST(StreamsTest, ThoseThatAreClosedAreReplaced) {
  EXPECT_EQ(endOf([] {
              for (int fd = 0; fd < 3; ++fd) ::close(fd);
              prepareStreams();
              char byte = 0;
              return ::read(0, &byte, 1) == 0 && ::write(1, "x", 1) == 1 && ::write(2, "x", 1) == 1 &&
                     ::open("/dev/null", O_RDONLY) > 2;
            }),
            0);
}

TEST(StreamsTest, ThoseThatAreOpenStay) {
  EXPECT_EQ(endOf([] {
              const int pipe = deadPipe();
              replace(1, pipe);
              ::close(0);
              prepareStreams();
              return ::write(1, "x", 1) == -1 && errno == EPIPE;  // and no signal
            }),
            0);
}

TEST(StreamsTest, PrintingToNobodyIsNoProblemUnlessItMatters) {
  EXPECT_EQ(endOf([] {
              replace(1, deadPipe());
              replace(2, deadPipe());
              prepareStreams();
              neverFailToPrint();
              for (int line = 0; line < 10000; ++line) fmt::print("line {}\n", line);
              fmt::print(stderr, "and errors\n");
              return outputProblem().empty() && outputProblem(true) == "Broken pipe";
            }),
            0);
}

TEST(StreamsTest, AFullDiskIsAProblem) {
  EXPECT_EQ(endOf([] {
              replace(1, ::open("/dev/full", O_WRONLY));
              neverFailToPrint();
              fmt::print("a result\n");
              return outputProblem() == "No space left on device";
            }),
            0);
}

TEST(StreamsTest, WhatIsPrintedArrivesInOrder) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  EXPECT_EQ(endOf([&] {
              replace(1, ends[1]);
              fmt::print("before, ");
              neverFailToPrint();
              neverFailToPrint();
              fmt::print("after");
              return outputProblem(true).empty();
            }),
            0);
  char text[64] = {};
  EXPECT_EQ(::read(ends[0], text, sizeof text - 1), 13);
  EXPECT_STREQ(text, "before, after");
  for (const int end : ends) ::close(end);
}

}  // namespace
}  // namespace ordo
