#include "sandbox/confined.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/files.h"
#include "tests/fakes/eventually.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::sandbox {
namespace {

using testing::HasSubstr;

class ConfinedTest : public testing::Test {
 protected:
  ConfinedProgram shell(const std::string& script) const {
    return {.executable = "/bin/bash",
            .argv = {"bash", "-c", script},
            .environment = {"PATH=/usr/bin:/bin", "NAME=value"},
            .dir = dir.path()};
  }
  static ConfinedRun run(const ConfinedProgram& program) {
    Result<ConfinedRun> result = runConfined(program);
    EXPECT_TRUE(result) << result.error().message;
    return result ? std::move(*result) : ConfinedRun{};
  }

  TempDir dir = TempDir::create().value();
};

TEST_F(ConfinedTest, SaysHowItEndedAndWhatItTook) {
  const ConfinedRun ran =
      run(shell("echo out; echo err >&2; for ((i = 0; i < 20000; ++i)); do :; done; exit 3"));
  EXPECT_EQ(ran.exit_code, 3);
  EXPECT_EQ(ran.out, "out\n");
  EXPECT_EQ(ran.ending(), "exited with status 3");
  EXPECT_GT(ran.user_s, 0);
  EXPECT_GE(ran.wall_s, 0.9 * ran.user_s);
  EXPECT_EQ(ran.instructions.has_value(), countersProblem().empty());
  if (ran.instructions) {
    EXPECT_GT(*ran.instructions, 20000u);
  }

  EXPECT_EQ(ran.err, "");
  ConfinedProgram loud = shell("echo out; echo err >&2");
  loud.keep_errors = true;
  EXPECT_EQ(run(loud).err, "err\n");

  const ConfinedRun killed = run(shell("kill -SEGV $$"));
  EXPECT_EQ(killed.signal, SIGSEGV);
  EXPECT_EQ(killed.exit_code, -1);
}

TEST_F(ConfinedTest, GetsItsArgumentsInputAndEnvironmentOnly) {
  ConfinedProgram program = shell("cat; pwd; env | sort | grep -v -e PWD -e SHLVL -e '^_'; echo $0 $1");
  program.argv.insert(program.argv.end(), {"name", "argument"});
  ASSERT_TRUE(writeFile(dir.path() / "input", "read\n"));
  program.input = dir.path() / "input";
  EXPECT_EQ(run(program).out,
            fmt::format("read\n{}\nNAME=value\nPATH=/usr/bin:/bin\nname argument\n", dir.path().string()));
  EXPECT_EQ(run(shell("cat; ls /proc/self/fd | wc -l")).out, "4\n");  // the fourth is that of ls itself
}

TEST_F(ConfinedTest, StaysOnItsProcessor) {
  ConfinedProgram program = shell("grep Cpus_allowed_list /proc/self/status");
  program.processor = 0;
  EXPECT_EQ(run(program).out, "Cpus_allowed_list:\t0\n");
}

TEST_F(ConfinedTest, OneThatHangsIsEndedWithAllItStarted) {
  ConfinedProgram program = shell("sleep 100 & echo $!; wait");
  program.wall_s = 0.3;
  const ConfinedRun ran = run(program);
  EXPECT_TRUE(ran.timed_out);
  EXPECT_EQ(ran.exit_code, -1);
  EXPECT_LT(ran.wall_s, 20);  // of 100, however busy the machine is
  EXPECT_THAT(ran.ending(), HasSubstr("ran past its time"));
  EXPECT_TRUE(ends(std::stoi(ran.out)));
}

TEST_F(ConfinedTest, NothingStaysBehindAndNothingLeavesTheGroup) {
  const ConfinedRun ran = run(shell("sleep 100 & echo $!; setsid true || echo refused"));
  EXPECT_FALSE(ran.timed_out);
  EXPECT_THAT(ran.out, HasSubstr("refused"));
  EXPECT_TRUE(ends(std::stoi(ran.out)));
}

TEST_F(ConfinedTest, WritesInItsFolderOnly) {
  const TempDir other = TempDir::create().value();
  ASSERT_TRUE(writeFile(other.path() / "file", "kept\n"));
  const std::string file = (other.path() / "file").string();
  const ConfinedRun ran = run(shell(fmt::format(
      "echo a >inside && cat inside; echo b >{0}; echo b >{0}.new; rm -f {0}; mv {0} x; cat {0}", file)));
  EXPECT_EQ(ran.out, "a\nkept\n");
  EXPECT_EQ(readFile(file).value(), "kept\n");
  EXPECT_FALSE(std::filesystem::exists(file + ".new"));
}

TEST_F(ConfinedTest, HasNoNetwork) {
  const ConfinedRun ran =
      run(shell("(exec 3<>/dev/tcp/127.0.0.1/9) 2>&1; (exec 3<>/dev/udp/127.0.0.1/9) 2>&1"));
  // Refused by us, not by whoever does not listen.
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("ermission denied"));
}

TEST_F(ConfinedTest, MemoryAndFilesHaveLimits) {
  ConfinedProgram hungry = shell("head -c 500M /dev/zero | tail -n 1 | wc -c");
  hungry.memory_bytes = std::size_t{100} << 20;
  EXPECT_EQ(run(hungry).out, "0\n");
  ConfinedProgram talkative = shell("exec cat /dev/zero");
  talkative.file_bytes = 1 << 20;
  const ConfinedRun ran = run(talkative);
  EXPECT_EQ(ran.signal, SIGXFSZ);
  EXPECT_EQ(ran.out.size(), 1u << 20);
}

// Limits that we were started with and may not raise hold; they are no reason not to run. In a child, for
// they cannot be taken back.
TEST_F(ConfinedTest, LowerLimitsOfTheUserHold) {
  if (kSanitized) GTEST_SKIP() << "sanitizers take terabytes of address space";
  std::filesystem::permissions(dir.path(), std::filesystem::perms::all);
  const pid_t child = ::fork();
  if (child == 0) {
    for (const auto& [resource, value] : std::initializer_list<std::pair<__rlimit_resource, rlim_t>>{
             {RLIMIT_AS, rlim_t{2} << 30}, {RLIMIT_CPU, 2}, {RLIMIT_FSIZE, 1 << 20}}) {
      const rlimit both{value, value};
      if (::setrlimit(resource, &both) != 0) ::_exit(1);
    }
    // Root may raise limits.
    if (::geteuid() == 0 && ::setuid(65534) != 0) ::_exit(2);
    const Result<ConfinedRun> ran = runConfined(shell("ulimit -v; ulimit -f; exit 3"));
    if (!ran || ran->exit_code != 3 || ran->out != "2097152\n1024\n") ::_exit(3);
    const Result<ConfinedRun> busy = runConfined(shell("while :; do :; done"));
    if (!busy || !busy->timed_out || busy->ending().find("`ulimit -t`") == std::string::npos) ::_exit(4);
    ::_exit(0);
  }
  int status = 1;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0) << WEXITSTATUS(status);
}

TEST_F(ConfinedTest, IsEndedWhenAskedTo) {
  std::atomic<bool> stop = false;
  ConfinedProgram program = shell("sleep 100");
  program.wall_s = 100;
  program.stop = &stop;
  std::jthread stopper([&stop, runner = ::gettid()] {
    fakes::untilItWaits(runner);
    stop = true;
  });
  EXPECT_TRUE(run(program).timed_out);
}

TEST_F(ConfinedTest, WhatCannotBeStartedIsAnError) {
  ConfinedProgram program = shell("true");
  program.executable = dir.path() / "none";
  EXPECT_EQ(runConfined(program).error().code, ErrorCode::kNotFound);
  ASSERT_TRUE(writeFile(dir.path() / "text", "not executable"));
  program.executable = dir.path() / "text";
  EXPECT_EQ(runConfined(program).error().code, ErrorCode::kUnavailable);
  program = shell("true");
  program.input = dir.path() / "none";
  EXPECT_EQ(runConfined(program).error().code, ErrorCode::kNotFound);
  program = shell("true");
  program.dir = dir.path() / "none";
  EXPECT_FALSE(runConfined(program));
}

// Whatever this kernel can do: what is not done is said, and only that.
TEST_F(ConfinedTest, GapsAreSaid) {
  const TempDir other = TempDir::create().value();
  run(shell(fmt::format("echo a >{}/file", other.path().string())));
  const bool open = std::filesystem::exists(other.path() / "file");
  EXPECT_EQ(open, testing::Matches(testing::Contains(HasSubstr("not protected")))(confinementGaps()));
}

}  // namespace
}  // namespace ordo::sandbox
