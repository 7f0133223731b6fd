#include "timing/rig.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>

namespace ordo::timing {
namespace {

using testing::HasSubstr;

class RigTest : public testing::Test {
 protected:
  std::filesystem::path script(const char* name, const std::string& text) {
    const std::filesystem::path path = dir.path() / name;
    EXPECT_TRUE(writeFile(path, "#!/bin/sh\n" + text));
    return path;
  }

  std::string refusal(const std::filesystem::path& baseline, const std::filesystem::path& candidate,
                      const RigOptions& options = {}) {
    const auto rig = Rig::create(baseline, candidate, {Input{}}, options);
    return rig ? "" : rig.error().message;
  }

  TempDir dir = TempDir::create().value();
};

TEST_F(RigTest, RunsAllInputsAndAddsThemUp) {
  ASSERT_TRUE(writeFile(dir.path() / "in.txt", "hello\n"));
  const auto program = script("a", "read line; echo \"$1 $line\"; exit 3\n");
  std::vector<Input> inputs{{.name = "one", .args = {"x"}, .input = dir.path() / "in.txt"}, {.name = "two"}};
  const auto rig = Rig::create(program, program, inputs, {});
  ASSERT_TRUE(rig) << rig.error().message;
  const Result<Reading> reading = (*rig)->run(Arm::kCandidate);
  ASSERT_TRUE(reading);
  EXPECT_EQ(reading->failure, "");
  EXPECT_GT(reading->cpu_s, 0);
  // A millisecond's run: processor time has what making the process took, too.
  EXPECT_GE(reading->wall_s + 0.005, 0.9 * reading->cpu_s);
  EXPECT_EQ(reading->cycles.has_value(), (*rig)->countersProblem().empty());
  EXPECT_GE((*rig)->othersShare(), 0);
  EXPECT_LE((*rig)->othersShare(), 1);
}

TEST_F(RigTest, WhatCannotBeComparedIsRefused) {
  const auto a = script("a", "echo 1\n");
  EXPECT_EQ(refusal(a, script("same", "echo 1 # the same\n")), "");
  EXPECT_THAT(refusal(a, script("b", "echo 12\n")),
              HasSubstr("the candidate has other output from byte 1 on"));
  EXPECT_EQ(refusal(a, script("b", "echo 12\n"), {.compare_output = false}), "");
  EXPECT_THAT(refusal(a, script("c", "echo 1; exit 2\n")), HasSubstr("the candidate exited with status 2"));
  EXPECT_THAT(refusal(a, script("d", "echo 1; kill -SEGV $$\n")), HasSubstr("was killed by signal 11"));
  EXPECT_THAT(refusal(script("e", "echo $$\n"), a), HasSubstr("does not do the same twice"));
  EXPECT_THAT(refusal(dir.path() / "none", a), HasSubstr("none"));
}

TEST_F(RigTest, AnExitStatusCanBeAskedFor) {
  const auto a = script("a", "exit 3\n");
  EXPECT_TRUE(Rig::create(a, a, {{.exit = 3}}, {}));
  const auto refused = Rig::create(a, a, {{.name = "it", .exit = 0}}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "it: the baseline exited with status 3");
}

TEST_F(RigTest, InputIsMadeOfItsParts) {
  ASSERT_TRUE(writeFile(dir.path() / "head", "a\n"));
  ASSERT_TRUE(writeFile(dir.path() / "body", "b\n"));
  ASSERT_TRUE(writeFile(dir.path() / "tail", "c"));
  const auto program = script("a", "cat\n");
  Input input{.input = dir.path() / "body",
              .before = dir.path() / "head",
              .after = dir.path() / "tail",
              .repeat = 3,
              .output = hashBytes("a\nb\nb\nb\nc")};
  const auto rig = Rig::create(program, program, {input}, {});
  ASSERT_TRUE(rig) << rig.error().message;
  EXPECT_EQ((*rig)->run(Arm::kTwin)->failure, "");
  input.repeat = 4;
  const auto refused = Rig::create(program, program, {input}, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message, "run: the baseline prints something else than is expected");
  input.after = dir.path() / "none";
  EXPECT_EQ(Rig::create(program, program, {input}, {}).error().code, ErrorCode::kNotFound);
}

TEST_F(RigTest, AnotherCandidateCanBeEntered) {
  const auto a = script("a", "echo 1\n");
  const auto rig = Rig::create(a, a, {Input{}}, {});
  ASSERT_TRUE(rig) << rig.error().message;
  ASSERT_TRUE((*rig)->enter(script("b", "echo 2\n")));
  EXPECT_THAT((*rig)->run(Arm::kCandidate)->failure, HasSubstr("the candidate has other output"));
  EXPECT_EQ((*rig)->run(Arm::kBaseline)->failure, "");
  ASSERT_TRUE((*rig)->enter(script("c", "echo 1 # again\n")));
  EXPECT_EQ((*rig)->run(Arm::kCandidate)->failure, "");
  EXPECT_FALSE((*rig)->enter(dir.path() / "none"));
}

// What a run leaves is killed, but not gone at once.
TEST_F(RigTest, ACandidateThatSomebodyStillRunsCanBeReplaced) {
  ::setenv("TMPDIR", dir.path().c_str(), 1);
  const auto rig = Rig::create("/bin/sleep", "/bin/sleep", {{.args = {"0"}}}, {});
  ::unsetenv("TMPDIR");
  ASSERT_TRUE(rig) << rig.error().message;
  std::vector<std::string> copies;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir.path())) {
    if (entry.is_regular_file()) copies.push_back(entry.path());
  }
  ASSERT_FALSE(copies.empty());
  std::vector<pid_t> left(copies.size());
  for (std::size_t i = 0; i < copies.size(); ++i) {
    std::string name = "sleep", seconds = "1000";
    char* argv[] = {name.data(), seconds.data(), nullptr};
    ASSERT_EQ(::posix_spawn(&left[i], copies[i].c_str(), nullptr, nullptr, argv, nullptr), 0);
  }
  const Status entered = (*rig)->enter("/bin/sleep");
  for (const pid_t pid : left) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  EXPECT_TRUE(entered) << entered.error().message;
}

TEST_F(RigTest, WhatAProgramWritesCanBeHad) {
  const auto plain = script("plain", "echo $1\n");
  const auto rig = Rig::create(plain, plain, {{.name = "one", .args = {"x"}}, {.name = "two"}}, {});
  ASSERT_TRUE(rig) << rig.error().message;
  const std::filesystem::path copy = dir.path() / "copy";
  EXPECT_TRUE(*(*rig)->copyWritten(script("notes", "echo $1; echo $1 >notes\n"), "notes", copy));
  EXPECT_EQ(*readFile(copy), "x\n") << "of the first input";
  EXPECT_FALSE(*(*rig)->copyWritten(plain, "notes", copy)) << "it writes none";
  EXPECT_FALSE(*(*rig)->copyWritten(script("dies", "echo >notes; exit 3\n"), "notes", copy));
  EXPECT_FALSE((*rig)->copyWritten(dir.path() / "none", "notes", copy).has_value());
}

TEST_F(RigTest, AProgramThatHangsIsRefused) {
  const auto rig = Rig::create(script("a", "sleep 30\n"), script("b", "\n"), {{.timeout_s = 0.3}}, {});
  ASSERT_FALSE(rig);
  EXPECT_THAT(rig.error().message, HasSubstr("ran past its time"));
}

// Who looks for something faster does not wait a minute for each candidate that hangs.
TEST_F(RigTest, ACandidateThatHangsCostsLittle) {
  const auto a = script("a", "echo 1\n");
  const auto rig = Rig::create(a, a, {{.timeout_s = 1000}}, {.most_times_baseline = 10});
  ASSERT_TRUE(rig) << rig.error().message;
  ASSERT_TRUE((*rig)->enter(script("b", "sleep 1000; echo 1\n")));
  const Result<Reading> reading = (*rig)->run(Arm::kCandidate);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_THAT(reading->failure, HasSubstr("the candidate ran past its time"));
  EXPECT_LT(reading->wall_s, 500);  // of 1000, however busy the machine is
  EXPECT_EQ((*rig)->run(Arm::kBaseline)->failure, "");
}

// Reads what is there, sees nothing of earlier runs, and changes nothing.
TEST_F(RigTest, EachRunHasAFolderOfItsOwn) {
  const TempDir offered = TempDir::create().value();
  ASSERT_TRUE(writeFile(offered.path() / "data", "kept\n"));
  const auto program = script("a", "cat data; ls; echo lost >data; echo new >left-behind; cat left-behind\n");
  const auto rig = Rig::create(program, program, {Input{}}, {.dir = offered.path()});
  ASSERT_TRUE(rig) << rig.error().message;
  EXPECT_EQ((*rig)->run(Arm::kTwin)->failure, "");
  EXPECT_EQ(readFile(offered.path() / "data").value(), "kept\n");
  EXPECT_FALSE(std::filesystem::exists(offered.path() / "left-behind"));
}

TEST_F(RigTest, AFailureThatComesLaterIsSaid) {
  const TempDir offered = TempDir::create().value();
  ASSERT_TRUE(writeFile(offered.path() / "data", "1\n"));
  const auto program = script("a", "cat data\n");
  const auto rig = Rig::create(program, program, {Input{}}, {.dir = offered.path()});
  ASSERT_TRUE(rig) << rig.error().message;
  ASSERT_TRUE(writeFile(offered.path() / "data", "2\n"));
  EXPECT_THAT((*rig)->run(Arm::kBaseline)->failure,
              HasSubstr("on input 'run' the baseline has other output"));
}

}  // namespace
}  // namespace ordo::timing
