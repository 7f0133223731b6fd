#include "support/dialogue.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <thread>

#include "support/clock.h"
#include "support/files.h"
#include "tests/fakes/eventually.h"

namespace ordo {
namespace {

using testing::HasSubstr;

constexpr double kGrace = 20;  // more than anything that ends takes on a busy machine

std::unique_ptr<Dialogue> talkTo(const std::string& script, DialogueOptions options = {}) {
  auto dialogue = Dialogue::start({"sh", "-c", script}, std::move(options));
  EXPECT_TRUE(dialogue) << dialogue.error().message;
  return dialogue ? *std::move(dialogue) : nullptr;
}

// The line of `file`, which a process that was started writes.
std::string lineIn(const std::filesystem::path& file) {
  std::string line;
  fakes::eventually([&] {
    const auto text = readFile(file);
    if (text) line = *text;
    return line.ends_with('\n');
  });
  line.pop_back();
  return line;
}

bool diesSoon(pid_t pid) {
  const auto alive = [&] {
    const auto stat = readFile(fmt::format("/proc/{}/stat", pid));
    return stat && stat->find(") Z ") == std::string::npos;
  };
  return fakes::eventually([&] { return !alive(); });
}

TEST(DialogueTest, LineByLine) {
  const auto dialogue = talkTo("while read line; do echo \"<$line>\"; done; echo bye >&2; exit 4");
  for (const char* word : {"one", "two"}) {
    ASSERT_TRUE(dialogue->say(word));
    EXPECT_EQ(dialogue->hear()->value(), fmt::format("<{}>", word));
  }
  const ProcessResult end = dialogue->end(kGrace);
  EXPECT_EQ(end.exit_code, 4);
  EXPECT_EQ(end.err, "bye\n");
  EXPECT_FALSE(end.timed_out);
}

TEST(DialogueTest, SeveralLinesAtOnceAreHeardOneByOne) {
  const auto dialogue = talkTo("printf 'a\\n\\nb\\n'");
  EXPECT_EQ(dialogue->hear()->value(), "a");
  EXPECT_EQ(dialogue->hear()->value(), "");
  EXPECT_EQ(dialogue->hear()->value(), "b");
  EXPECT_EQ(*dialogue->hear(), std::nullopt);
  EXPECT_EQ(*dialogue->hear(), std::nullopt);
}

TEST(DialogueTest, LinesLongerThanAnyPipeFlowInBothDirections) {
  const auto dialogue = talkTo("cat");
  const std::string line(3u << 20, 'x');
  ASSERT_TRUE(dialogue->say(line));
  EXPECT_EQ(dialogue->hear()->value(), line);
}

TEST(DialogueTest, ALineWithoutEndIsCorrupt) {
  EXPECT_EQ(talkTo("printf half")->hear().error().code, ErrorCode::kCorrupt);
  DialogueOptions options;
  options.max_line_bytes = 1000;
  const auto endless = talkTo("yes | tr -d '\\n'", options)->hear();
  EXPECT_EQ(endless.error().code, ErrorCode::kCorrupt);
  EXPECT_THAT(endless.error().message, HasSubstr("more than 1000 bytes"));
}

TEST(DialogueTest, WhoWritesWithoutBeingAskedWaits) {
  DialogueOptions options;
  options.max_line_bytes = 1000;
  const auto dialogue = talkTo("yes", options);
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(dialogue->hear()->value(), "y");
}

TEST(DialogueTest, SilenceHasAnEnd) {
  DialogueOptions options;
  options.silence_s = 0.2;
  const auto quiet = talkTo("sleep 100", options);
  EXPECT_EQ(quiet->hear().error().code, ErrorCode::kDeadlineExceeded);
  const Status unread = quiet->say(std::string(1u << 20, 'x'));
  EXPECT_EQ(unread.error().code, ErrorCode::kDeadlineExceeded);
}

TEST(DialogueTest, StoppingEndsAllWaiting) {
  std::atomic<bool> stop = false;
  DialogueOptions options;
  options.stop = &stop;
  const auto dialogue = talkTo("sleep 100", options);
  const std::jthread stopper([&stop, hearer = ::gettid()] {
    fakes::untilItWaits(hearer);
    stop = true;
  });
  EXPECT_EQ(dialogue->hear().error().message, "stopped");
  EXPECT_TRUE(dialogue->end(kGrace).timed_out);
}

TEST(DialogueTest, OnlyTheEndOfItsErrorsIsKept) {
  const auto dialogue =
      talkTo("i=0; while [ $i -lt 3000 ]; do echo line $i >&2; i=$((i+1)); done; echo; echo last >&2");
  ASSERT_TRUE(dialogue->hear());
  const ProcessResult end = dialogue->end(kGrace);
  EXPECT_LT(end.err.size(), 10'000u);
  EXPECT_TRUE(end.err.ends_with("line 2999\nlast\n")) << end.err;
}

TEST(DialogueTest, WhoDoesNotEndIsKilledWithAllItStarted) {
  const TempDir dir = *TempDir::create();
  const auto dialogue =
      talkTo(fmt::format("trap '' TERM; sleep 100 & echo $! > {}/pid; sleep 100", dir.path().string()));
  const int grandchild = std::stoi("0" + lineIn(dir.path() / "pid"));
  ASSERT_GT(grandchild, 0);
  const ProcessResult end = dialogue->end(0.1);
  EXPECT_TRUE(end.timed_out);
  EXPECT_TRUE(diesSoon(grandchild));
}

TEST(DialogueTest, WhatItStartedDiesWithItAlsoWhenItEndsByItself) {
  const TempDir dir = *TempDir::create();
  const auto dialogue = talkTo(fmt::format("sleep 100 & echo $! > {}/pid", dir.path().string()));
  EXPECT_FALSE(dialogue->end(kGrace).timed_out);
  EXPECT_TRUE(diesSoon(std::stoi("0" + lineIn(dir.path() / "pid"))));
}

TEST(DialogueTest, ItDiesWithItsParent) {
  const TempDir dir = *TempDir::create();
  const std::string file = (dir.path() / "pid").string();
  const pid_t parent = ::fork();
  if (parent == 0) {
    const auto dialogue = Dialogue::start({"sh", "-c", fmt::format("echo $$ > {}; exec sleep 100", file)});
    if (dialogue) (void)(*dialogue)->hear();
    ::_exit(0);
  }
  const pid_t child = std::stoi("0" + lineIn(file));
  ASSERT_GT(child, 0);
  ::kill(parent, SIGKILL);
  ::waitpid(parent, nullptr, 0);
  EXPECT_TRUE(diesSoon(child));
}

TEST(DialogueTest, ProcessorTimeIsThatOfAllItStarted) {
  const std::string burn = "i=0; while [ $i -lt 150000 ]; do i=$((i+1)); done; echo burnt";
  // By itself, by a child that is gone, by one that lives, and by a child of that.
  for (const char* how :
       {"{0}; sleep 100", "({0}); sleep 100", "({0}; sleep 100); :", "(({0}; sleep 100); :); :"}) {
    const auto dialogue = talkTo("echo ready; read x; " + fmt::format(fmt::runtime(how), burn));
    ASSERT_TRUE(dialogue->hear());
    const double before_s = dialogue->cpuSeconds();
    ASSERT_TRUE(dialogue->say("go"));
    ASSERT_TRUE(dialogue->hear());
    double spent_s = 0;
    // A child that has just ended is nobody's for a moment: not alive, and not waited for yet.
    // It takes about 0.1 s.
    EXPECT_TRUE(fakes::eventually([&] { return (spent_s = dialogue->cpuSeconds() - before_s) > 0.02; }))
        << how;
    dialogue->end(0);
    EXPECT_GE(dialogue->cpuSeconds() - before_s, spent_s) << how;
  }
}

TEST(DialogueTest, WhereIdleTimeCountsNeitherWaitingNorWorkingGoesOnForEver) {
  const auto idle = talkTo("sleep 100; echo ready", {.silence_s = 0.5, .counts_idle_time = true});
  EXPECT_EQ(idle->hear().error().code, ErrorCode::kDeadlineExceeded);
  const auto endless = talkTo("while :; do :; done", {.silence_s = 0.5, .counts_idle_time = true});
  const auto heard = endless->hear();
  ASSERT_FALSE(heard);
  EXPECT_THAT(heard.error().message, HasSubstr("worked for"));
}

TEST(DialogueTest, VariablesReplaceOurs) {
  DialogueOptions options;
  options.environment = {"HOME=elsewhere"};
  const auto dialogue = talkTo("echo $HOME; [ -n \"$PATH\" ] && echo path", options);
  EXPECT_EQ(dialogue->hear()->value(), "elsewhere");
  EXPECT_EQ(dialogue->hear()->value(), "path");
}

}  // namespace
}  // namespace ordo
