#include "builds/running.h"

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <functional>

#include "support/files.h"
#include "tests/fakes/eventually.h"

namespace ordo::builds {
namespace {

namespace fs = std::filesystem;
using fakes::eventually;

// In the place of clang: a script that says its number and goes on for as long as nobody ends it.
class RunningTest : public testing::Test {
 protected:
  void SetUp() override {
    script(
        "#!/bin/sh\ntrap 'echo cleaned >>log; exit 3' TERM INT\necho $$ >pid.new\nmv pid.new pid\n"
        "while :; do sleep 0.05; done\n");
  }

  void script(const std::string& text) {
    std::ofstream(dir_.path() / "clang") << text;
    fs::permissions(dir_.path() / "clang", fs::perms::owner_all);
  }

  Invocation invocation() const { return {{"clang"}, (dir_.path() / "clang").string(), true, ""}; }

  // Runs it in a process of its own until it has begun.
  pid_t start() {
    const pid_t pid = ::fork();
    if (pid == 0) {
      if (::chdir(dir_.path().c_str()) != 0) ::_exit(1);
      Result<RunningCompiler> running = RunningCompiler::start(invocation(), false);
      ::_exit(running ? running->wait() : 1);
    }
    EXPECT_TRUE(eventually([&] { return fs::exists(dir_.path() / "pid"); }));
    std::ifstream(dir_.path() / "pid") >> compiler_;
    return pid;
  }

  static int endOf(pid_t pid) {
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
  }

  // Whoever adopts it may not have waited for it yet.
  bool isGone() const {
    std::ifstream stat(fmt::format("/proc/{}/stat", compiler_));
    std::string number, name, state;
    return !(stat >> number >> name >> state) || state == "Z";
  }

  const TempDir dir_ = *TempDir::create();
  pid_t compiler_ = 0;
};

TEST_F(RunningTest, ASignalEndsTheCompilerFirst) {
  const pid_t pid = start();
  ::kill(pid, SIGTERM);
  const int status = endOf(pid);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM) << status;
  EXPECT_EQ(*readFile(dir_.path() / "log"), "cleaned\n");
  EXPECT_TRUE(isGone());
}

TEST_F(RunningTest, TheCompilerEndsWithUsWhateverEndsUs) {
  const pid_t pid = start();
  ::kill(pid, SIGKILL);
  endOf(pid);
  EXPECT_TRUE(eventually([&] { return isGone(); }));
  EXPECT_EQ(*readFile(dir_.path() / "log"), "cleaned\n");
}

TEST_F(RunningTest, ItsStatusIsThatOfAShell) {
  for (const auto& [text, status] : {std::pair("exit 7", 7), std::pair("kill -9 $$", 128 + 9)}) {
    script(fmt::format("#!/bin/sh\n{}\n", text));
    Result<RunningCompiler> running = RunningCompiler::start(invocation(), false);
    ASSERT_TRUE(running);
    EXPECT_EQ(running->wait(), status);
  }
}

TEST_F(RunningTest, WhatRunsItselfForEverIsToldSo) {
  ::setenv("ORDO_CC_DEPTH", "6", 1);
  testing::internal::CaptureStderr();
  EXPECT_EQ(become(invocation()), EXIT_FAILURE);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("runs itself"), std::string::npos);
  ::unsetenv("ORDO_CC_DEPTH");
}

}  // namespace
}  // namespace ordo::builds
