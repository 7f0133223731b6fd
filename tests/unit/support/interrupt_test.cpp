#include "support/interrupt.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <functional>
#include <thread>

namespace ordo {
namespace {

// How a process ends that does this, which ends by itself with 0 or 1.
int endOf(const std::function<bool()>& what) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(what() ? 0 : 1);
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST(InterruptTest, EachSignalIsHeardUntilItIsForgotten) {
  EXPECT_FALSE(interrupted());
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    EXPECT_EQ(endOf([signal] {
                if (interrupted()) return false;
                ::raise(signal);
                if (!interrupted()) return false;
                forgetInterrupt();
                return !interrupted();
              }),
              0)
        << signal;
  }
}

// `timeout` sends SIGTERM to the process and to its group, systemd a SIGHUP after it.
TEST(InterruptTest, WhatComesAtOnceIsOneRequest) {
  EXPECT_EQ(endOf([] {
              interrupted();
              for (const int signal : {SIGTERM, SIGTERM, SIGHUP, SIGINT}) ::raise(signal);
              return interrupted().load();
            }),
            0);
}

TEST(InterruptTest, WhoAsksAgainLaterMeansNow) {
  const int status = endOf([] {
    interrupted();
    ::raise(SIGINT);
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    ::raise(SIGINT);
    return false;
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 130);
}

TEST(InterruptTest, UnderNohupAHangupIsNothing) {
  EXPECT_EQ(endOf([] {
              ::signal(SIGHUP, SIG_IGN);
              interrupted();
              ::raise(SIGHUP);
              return !interrupted();
            }),
            0);
}

}  // namespace
}  // namespace ordo
