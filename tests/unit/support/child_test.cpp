#include "support/child.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

namespace ordo {
namespace {

int statusOf(const Child& child) {
  int status = 0;
  ::waitpid(child.pid, &status, 0);
  return status;
}

TEST(ChildTest, HasPipesToItsThreeStreams) {
  Result<Child> child = startChild({"sh", "-c", "read line; echo \"got $line\"; echo bad >&2; exit 3"});
  ASSERT_TRUE(child) << child.error().message;
  std::string_view input = "word\n";
  while (!input.empty()) feed(child->in, input);
  std::string out, err;
  while (child->out.isOpen()) drain(child->out, out);
  while (child->err.isOpen()) drain(child->err, err);
  EXPECT_EQ(out, "got word\n");
  EXPECT_EQ(err, "bad\n");
  EXPECT_EQ(WEXITSTATUS(statusOf(*child)), 3);
}

TEST(ChildTest, BesideUsItHasWhatIsOurs) {
  ::setenv("ORDO_CHILD_TEST", "7", 1);
  const Result<int> pid = startBeside({"sh", "-c", "exit $ORDO_CHILD_TEST"});
  ::unsetenv("ORDO_CHILD_TEST");
  ASSERT_TRUE(pid) << pid.error().message;
  EXPECT_EQ(WEXITSTATUS(awaitEnd(*pid).value_or(0)), 7);
  EXPECT_FALSE(awaitEnd(*pid)) << "waited for already";
  EXPECT_EQ(startBeside({"no-such-program-here"}).error().code, ErrorCode::kInvalidArgument);
}

TEST(ChildTest, WhatCannotBeStartedIsAnErrorAndNoProcess) {
  EXPECT_EQ(startChild({"no-such-program-here"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(startChild({"true"}, "/proc/nonexistent/folder").error().code, ErrorCode::kUnavailable);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);  // there is none
}

TEST(ChildTest, TheEnvironmentIsTheGivenOne) {
  Result<Child> child =
      startChild({"sh", "-c", "echo $ONLY$HOME"}, {}, std::vector<std::string>{"ONLY=this"});
  std::string out;
  while (child->out.isOpen()) drain(child->out, out);
  EXPECT_EQ(out, "this\n");
  statusOf(*child);
}

TEST(ChildTest, WhatNobodyReadsIsDroppedWithoutASignal) {
  Result<Child> child = startChild({"true"});
  statusOf(*child);
  std::string_view input = "word\n";
  feed(child->in, input);
  EXPECT_TRUE(input.empty());
}

TEST(ChildTest, LeadsAGroupOfItsOwn) {
  Result<Child> child = startChild({"sleep", "100"});
  EXPECT_EQ(::getpgid(child->pid), child->pid);
  ::kill(-child->pid, SIGKILL);
  EXPECT_EQ(WTERMSIG(statusOf(*child)), SIGKILL);
}

}  // namespace
}  // namespace ordo
