#include "support/process.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/files.h"
#include "support/rng.h"
#include "support/stop_scope.h"
#include "tests/fakes/eventually.h"

namespace ordo {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

ProcessResult shell(const std::string& script, ProcessOptions options = {}) {
  const auto result = runProcess({"sh", "-c", script}, options);
  EXPECT_TRUE(result) << result.error().message;
  return result ? *result : ProcessResult{};
}

bool alive(pid_t pid) {
  // A zombie answers kill(0) too, so look at its state.
  const auto stat = readFile(fmt::format("/proc/{}/stat", pid));
  return stat && stat->find(") Z ") == std::string::npos;
}

bool diesSoon(pid_t pid) {
  return fakes::eventually([&] { return !alive(pid); });
}

// The number that a process writes into `file`, once it is there.
pid_t pidIn(const fs::path& file) {
  std::string text;
  fakes::eventually([&] {
    text = readFile(file).value_or("");
    return text.ends_with('\n');
  });
  return std::stoi(text);
}

// A program that counts its runs in a file beside it, and does something about it.
ProcessResult runCounted(const TempDir& dir, const std::string& then, bool repeatable) {
  ProcessOptions options;
  options.dir = dir.path();
  options.repeatable = repeatable;
  const auto result = runProcess({"bash", "-c", "echo x >>runs; " + then}, options);
  EXPECT_TRUE(result);
  return result.value_or(ProcessResult{});
}

std::size_t runsIn(const TempDir& dir) { return readFile(dir.path() / "runs").value_or("").size() / 2; }

// A batch system signals everything in a job.
TEST(ProcessTest, WhatSomebodyElseEndsIsStartedAnewIfThatIsHarmless) {
  for (const std::string signal : {"TERM", "HUP", "KILL"}) {
    const TempDir once = TempDir::create().value(), always = TempDir::create().value(),
                  never = TempDir::create().value();
    const std::string first = "[ $(wc -l <runs) -gt 1 ] || kill -" + signal + " $$; echo done";
    EXPECT_EQ(runCounted(once, first, true).out, "done\n") << signal;
    EXPECT_EQ(runsIn(once), 2u);
    EXPECT_TRUE(runCounted(always, "kill -" + signal + " $$", true).disturbed());
    EXPECT_EQ(runsIn(always), 3u);
    EXPECT_TRUE(runCounted(never, first, false).disturbed());
    EXPECT_EQ(runsIn(never), 1u);
  }
}

// It may go on just when nobody listens any more, and come to a good end that nobody has heard of.
TEST(ProcessTest, WhatIsStoppedAndGoesOnAtAnyTimeIsHeardToItsEnd) {
  std::vector<std::jthread> threads;
  for (int tenths = 17; tenths < 29; ++tenths) {
    threads.emplace_back([tenths] {
      const TempDir dir = TempDir::create().value();
      const std::string go_on =
          fmt::format("(sleep {}.{}; kill -CONT $$) >/dev/null 2>&1 &", tenths / 10, tenths % 10);
      EXPECT_EQ(
          runCounted(dir, "[ $(wc -l <runs) -gt 1 ] || { " + go_on + " kill -STOP $$; }; echo done", true)
              .out,
          "done\n")
          << tenths;
    });
  }
}

TEST(ProcessTest, WhatSomebodyElseStopsForGoodIsStartedAnewIfThatIsHarmless) {
  const TempDir dir = TempDir::create().value();
  EXPECT_EQ(runCounted(dir, "[ $(wc -l <runs) -gt 1 ] || kill -STOP $$; echo done", true).out, "done\n");
  EXPECT_EQ(runsIn(dir), 2u);
}

TEST(ProcessTest, AProgramThatCrashesIsNotRunAgain) {
  const TempDir dir = TempDir::create().value();
  EXPECT_EQ(runCounted(dir, "kill -SEGV $$", true).signal, SIGSEGV);
  EXPECT_EQ(runsIn(dir), 1u);
}

TEST(ProcessTest, CollectsOutputErrorsAndStatus) {
  const ProcessResult result = shell("echo out; echo err >&2; exit 7");
  EXPECT_EQ(result.out, "out\n");
  EXPECT_EQ(result.err, "err\n");
  EXPECT_EQ(result.exit_code, 7);
  EXPECT_FALSE(result.ok());
  EXPECT_EQ(result.ending(), "exited with status 7");
}

TEST(ProcessTest, ASignalIsNotAnExit) {
  const ProcessResult result = shell("kill -SEGV $$");
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_EQ(result.signal, SIGSEGV);
  EXPECT_THAT(result.ending(), HasSubstr("was killed by signal 11 (Segmentation fault)"));
}

TEST(ProcessTest, ArgumentsArriveAsTheyAre) {
  const auto result = runProcess({"printf", "%s|", "a b", "", "*", "$HOME", "'\"\\", "\n"});
  EXPECT_EQ(result->out, "a b||*|$HOME|'\"\\|\n|");
}

TEST(ProcessTest, RunsInTheGivenFolder) {
  const TempDir dir = *TempDir::create();
  ProcessOptions options;
  options.dir = dir.path();
  EXPECT_EQ(shell("pwd -P", options).out, fs::canonical(dir.path()).string() + "\n");
  options.dir = "/proc/nonexistent/folder";
  EXPECT_EQ(runProcess({"true"}, options).error().code, ErrorCode::kUnavailable);
}

TEST(ProcessTest, AMissingProgramIsNotFound) {
  EXPECT_EQ(runProcess({"no-such-program-here"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(runProcess({"/proc/nonexistent/program"}).error().code, ErrorCode::kNotFound);
  EXPECT_EQ(runProcess({"/"}).error().code, ErrorCode::kNotFound);
}

TEST(ProcessTest, InputAndOutputLargerThanAnyPipeFlowTogether) {
  ProcessOptions options;
  options.input.resize(5u << 20);
  for (std::size_t i = 0; i < options.input.size(); ++i) options.input[i] = static_cast<char>(i * 31);
  const auto result = runProcess({"cat"}, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->out == options.input);
}

TEST(ProcessTest, WithoutInputTheProgramReadsTheEndAtOnce) { EXPECT_EQ(shell("cat; echo end").out, "end\n"); }

TEST(ProcessTest, AProgramThatDoesNotReadItsInputIsNoProblem) {
  ProcessOptions options;
  options.input.assign(5u << 20, 'x');
  EXPECT_EQ(shell("exec <&-; echo done", options).out, "done\n");
  EXPECT_TRUE(shell("exit 0", options).ok());
}

TEST(ProcessTest, ATimeoutEndsTheWholeGroup) {
  const TempDir dir = *TempDir::create();
  ProcessOptions options;
  options.timeout_s = 0.3;
  const std::string file = (dir.path() / "pid").string();
  const ProcessResult result = shell(fmt::format("sleep 100 & echo $! > {}; wait", file), options);
  EXPECT_TRUE(result.timed_out);
  EXPECT_EQ(result.exit_code, -1);
  EXPECT_THAT(result.ending(), HasSubstr("ran past its limit"));
  EXPECT_TRUE(diesSoon(pidIn(file)));
}

TEST(ProcessTest, ATimeoutAlsoEndsAProgramThatClosedItsOutput) {
  ProcessOptions options;
  options.timeout_s = 0.3;
  EXPECT_TRUE(shell("exec >&- 2>&-; sleep 100", options).timed_out);
}

TEST(ProcessTest, EndlessOutputIsCutOff) {
  ProcessOptions options;
  options.max_output_bytes = 1u << 20;
  const auto result = runProcess({"yes"}, options);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->timed_out);
  EXPECT_LT(result->out.size(), 2u << 20);
}

TEST(ProcessTest, AChildDiesWithItsParent) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "pid").string();
  const pid_t parent = ::fork();
  if (parent == 0) {
    (void)runProcess({"sh", "-c", fmt::format("echo $$ > {}; exec sleep 100", file)});
    ::_exit(0);
  }
  const pid_t child = pidIn(file);
  EXPECT_TRUE(alive(child));
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(diesSoon(child));
}

TEST(ProcessTest, WorksWithoutAStandardInputOfOurOwn) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(0);
    ProcessOptions options;
    options.input = "text";
    const auto result = runProcess({"cat"}, options);
    ::_exit(result && result->out == "text" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(ProcessTest, ThreadsGetTheirOwnAnswers) {
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([i] {
      for (int round = 0; round < 25; ++round) {
        const auto result = runProcess({"echo", std::to_string(i)});
        EXPECT_EQ(result->out, fmt::format("{}\n", i));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST(FindProgramTest, TakesTheFirstThatIsThere) {
  EXPECT_THAT(findProgram({"no-such-program", "sh"}).value(), testing::EndsWith("/sh"));
  EXPECT_EQ(findProgram({"/bin/sh"}), "/bin/sh");
  EXPECT_EQ(findProgram({"no-such-program"}), std::nullopt);
  EXPECT_EQ(findProgram({}), std::nullopt);
}

TEST(ShellQuoteTest, PlainWordsStayPlain) {
  EXPECT_EQ(shellQuote({"opt-22", "-passes=a,b", "x.bc"}), "opt-22 -passes=a,b x.bc");
  EXPECT_EQ(shellQuote({"-passes=f(a<b;c>)"}), "'-passes=f(a<b;c>)'");
  EXPECT_EQ(shellQuote({"", "it's"}), "'' 'it'\\''s'");
}

TEST(ShellQuoteTest, AShellReadsTheSameWordsBack) {
  Rng rng(1);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::string> words{"printf", "%s\\0"};
    std::string expected;
    for (std::size_t i = rng.between(1, 6); i > 0; --i) {
      std::string word(rng.below(12), ' ');
      for (char& c : word) c = static_cast<char>(rng.between(1, 126));
      words.push_back(word);
      expected += word + '\0';
    }
    EXPECT_EQ(shell(shellQuote(words)).out, expected);
  }
}

TEST(ProcessTest, TheFlagOfTheThreadEndsWhatItWaitsForAndIsGoneWithItsScope) {
  std::atomic<bool> stop{false};
  {
    const StopScope scope(&stop);
    std::jthread stopper([&] { stop = true; });
    const auto result = runProcess({"sleep", "100"});
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_TRUE(result->timed_out);
    EXPECT_LT(result->seconds, 90);
    // Other threads have nothing to do with it.
    std::jthread([] { EXPECT_TRUE(runProcess({"true"})->ok()); });
  }
  EXPECT_TRUE(runProcess({"true"})->ok());
}

}  // namespace
}  // namespace ordo
