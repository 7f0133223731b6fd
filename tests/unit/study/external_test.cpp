#include "study/external.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "support/files.h"
#include "support/json.h"
#include "tests/fakes/eventually.h"
#include "tests/unit/study/toy_host.h"

namespace ordo::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

// A method in the shell: `greet` says that it is ready and keeps the task, `ask` asks and keeps the answer.
constexpr std::string_view kShell = R"sh(
greet() { echo '{"ordo_method":1}'; read -r task; }
ask() { echo "{\"sequences\":[$1]}"; read -r answer; case $answer in *true*) exit 0 ;; esac; }
)sh";

ExternalProgram shellProgram(std::string_view script) {
  return {.argv = {"sh", "-c", fmt::format("{}{}", kShell, script)}};
}

Method shellMethod(std::string_view script) { return externalMethod("shell", shellProgram(script)); }

study::Run runOf(Method method, std::uint64_t compiles = 100) {
  ToySite site;
  Result<study::Run> run = runMethod(site, toySubject(1000), toyOptions(std::move(method), compiles));
  EXPECT_TRUE(run) << run.error().message;
  return run ? *std::move(run) : study::Run{};
}

std::string failureOf(std::string_view script) { return runOf(shellMethod(script)).failure; }

// Asks for 2; 2,2; 2,2,2 and so on: "dec" takes 1 off.
constexpr std::string_view kMoreDecs = "greet; s=2; while :; do ask \"[$s],[]\"; s=$s,2; done";

// What a batch system sends to everybody says nothing of the method: the run is to be made again.
TEST(ExternalTest, WhatSomebodyElseEndsIsNoFailureOfTheMethod) {
  for (const std::string_view signal : {"TERM", "HUP"}) {
    ToySite site;
    const Result<study::Run> run =
        runMethod(site, toySubject(1000),
                  toyOptions(shellMethod(fmt::format("greet; ask '[2]'; kill -{} $$", signal)), 100));
    ASSERT_FALSE(run) << run->failure;
    EXPECT_EQ(run.error().code, ErrorCode::kUnavailable);
    EXPECT_THAT(run.error().message, HasSubstr("the method was killed by signal"));
  }
  EXPECT_THAT(failureOf("greet; ask '[2]'; kill -SEGV $$"), HasSubstr("before its budget was used"));
}

class MoreDecs final : public Attempt {
 public:
  Status run(search::SearchContext& context) override {
    for (search::Sequence sequence{2}; !context.done(); sequence.push_back(2))
      context.evaluate({sequence, {}});
    return {};
  }
};

// Whoever proposes the sequences, the same is counted and found.
TEST(ExternalTest, IsCountedLikeASearcher) {
  const study::Run theirs = runOf(shellMethod(kMoreDecs), 40);
  const study::Run ours = runOf({"ours", [](const Task&) { return std::make_unique<MoreDecs>(); }}, 40);
  EXPECT_EQ(theirs.failure, "");
  EXPECT_EQ(theirs.key.method, "shell");
  EXPECT_EQ(theirs.statistics.evaluations, 40u);
  EXPECT_EQ(theirs.statistics.passes, ours.statistics.passes);
  EXPECT_EQ(theirs.statistics.measurements, ours.statistics.measurements);
  EXPECT_EQ(theirs.statistics.sequence_hits, ours.statistics.sequence_hits);
  ASSERT_EQ(theirs.improvements.size(), ours.improvements.size());
  for (std::size_t i = 0; i < ours.improvements.size(); ++i) {
    EXPECT_EQ(theirs.improvements[i].evaluation, ours.improvements[i].evaluation);
    EXPECT_EQ(theirs.improvements[i].value, ours.improvements[i].value);
    EXPECT_EQ(theirs.improvements[i].actions, ours.improvements[i].actions);
  }
  ASSERT_EQ(theirs.checkpoints.size(), ours.checkpoints.size());
  EXPECT_EQ(valueOf(theirs.checkpoints.back().own, "cost"), valueOf(ours.checkpoints.back().own, "cost"));
}

TEST(ExternalTest, HearsWhatItsSequencesAreWorth) {
  const TempDir dir = *TempDir::create();
  const std::string script =
      "greet; echo '{\"sequences\":[[2,2],[7],[8],[]]}'; read -r answer; echo \"$answer\" >" +
      dir.path().string() + "/answer; echo \"$task\" >" + dir.path().string() + "/task";
  const study::Run run = runOf(shellMethod(script));
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(*readFile(dir.path() / "answer"), "{\"values\":[998.0,null,null,1000.0],\"done\":false}\n");
  const auto task = parseJson(*readFile(dir.path() / "task"), "task");
  ASSERT_TRUE(task) << task.error().message;
  EXPECT_EQ((*task)["program"], "toy/a");
  EXPECT_EQ((*task)["budget"], 98);
  EXPECT_EQ((*task)["actions"].size(), kToyActions.size());
}

// 100 "inc"s make the program a tenth larger, which is too much to be measured.
TEST(ExternalTest, WhatIsScreenedOutIsWorseThanTheBest) {
  const TempDir dir = *TempDir::create();
  const std::string answer = (dir.path() / "answer").string();
  ToySite site;
  RunOptions options = toyOptions(shellMethod(
      "greet; s=6; for i in $(seq 99); do s=$s,6; done; echo \"{\\\"sequences\\\":[[0],[$s]]}\"; read -r a;"
      "echo \"$a\" >" +
      answer));
  options.objective = {.metric = "cost", .screen = "count"};
  options.max_length = 100;
  const auto run = runMethod(site, toySubject(1000), options);
  ASSERT_TRUE(run) << run.error().message;
  EXPECT_EQ(run->statistics.screened, 1u);
  const auto values = parseJson(*readFile(answer), "answer");
  const double best = (*values)["values"][0], screened = (*values)["values"][1];
  EXPECT_NEAR(screened / best, 1100.0 / 996, 1e-9);
}

TEST(ExternalTest, ABatchIsCutWhereTheBudgetEnds) {
  const TempDir dir = *TempDir::create();
  const std::string answer = (dir.path() / "answer").string();
  const study::Run run =
      runOf(shellMethod("greet; echo '{\"sequences\":[[2],[2],[2],[2],[2],[2],[2],[2],[2],[2]]}'; read -r a; "
                        "echo \"$a\" >" +
                        answer),
            10);
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.statistics.evaluations, 10u);
  const auto json = parseJson(*readFile(answer), "answer");
  EXPECT_EQ((*json)["values"].size(), 8u);
  EXPECT_TRUE((*json)["done"]);
}

TEST(ExternalTest, MayEndBeforeItsBudget) {
  const study::Run run = runOf(shellMethod("greet; ask '[2]'; ask '[2,2]'"));
  EXPECT_EQ(run.failure, "");
  EXPECT_EQ(run.statistics.evaluations, 4u);
  EXPECT_EQ(run.checkpoints.back().evaluations, 4u);
  EXPECT_EQ(run.improvements.back().value, 998);
}

TEST(ExternalTest, OneThatDiesIsAFailureWithItsLastWords) {
  const study::Run run =
      runOf(shellMethod("greet; ask '[2]'; echo 'out of ideas:' >&2; echo '  none left' >&2; exit 3"));
  EXPECT_EQ(run.failure,
            "the method broke: exited with status 3 before its budget was used; its last words: out of "
            "ideas: none left");
  // What happened until then is on record all the same.
  EXPECT_EQ(run.statistics.evaluations, 3u);
  EXPECT_EQ(run.improvements.size(), 1u);
  EXPECT_THAT(failureOf("greet; kill -SEGV $$"), HasSubstr("signal 11 (Segmentation fault)"));
  EXPECT_THAT(failureOf("exit 0"), HasSubstr("ended before it was ready, without a word"));
}

TEST(ExternalTest, LastWordsAreTheEndOfManyInOneLine) {
  const std::string failure = failureOf("seq 100000 >&2; echo ValueError: no >&2; exit 1");
  EXPECT_LT(failure.size(), 700u);
  EXPECT_TRUE(failure.ends_with(" 100000 ValueError: no")) << failure;
  EXPECT_THAT(failure, AllOf(HasSubstr("its last words: ... 99"), Not(HasSubstr("\n"))));
}

TEST(ExternalTest, RubbishIsAFailureThatQuotesIt) {
  EXPECT_THAT(failureOf("echo hello; read -r x"), HasSubstr("its first line should be"));
  EXPECT_THAT(failureOf("echo '{\"ordo_method\":7}'; read -r x"), HasSubstr("version 7"));
  EXPECT_THAT(failureOf("greet; echo what; read -r x"), HasSubstr("wrote 'what'"));
  EXPECT_THAT(failureOf("greet; ask '[99]'"), HasSubstr("the action 99, and they go from 0 to 8"));
  EXPECT_THAT(failureOf("greet; ask \"[$(yes 1, | head -n 20 | tr -d '\\n')1]\""),
              HasSubstr("has 21 actions"));
  EXPECT_THAT(failureOf("greet; printf '{\"seq'"), HasSubstr("ended in the middle of a line"));
  EXPECT_THAT(failureOf("greet; yes | tr -d '\\n'"), HasSubstr("wrote a line of more than"));
}

TEST(ExternalTest, SilenceIsAFailure) {
  ExternalProgram program = shellProgram("greet; sleep 100");
  program.silence_s = 0.2;
  program.grace_s = 0.1;
  EXPECT_THAT(runOf(externalMethod("shell", program)).failure, HasSubstr("said nothing for 0.2 s"));
}

TEST(ExternalTest, ClosingItsOutputIsNoEnd) {
  ExternalProgram program = shellProgram("greet; ask '[2]'; exec >&-; sleep 100");
  program.grace_s = 0.1;
  EXPECT_THAT(runOf(externalMethod("shell", program)).failure, HasSubstr("closed its output and went on"));
}

// It has used its budget, so what it found stands; it is only not waited for.
TEST(ExternalTest, OneThatDoesNotStopIsStopped) {
  for (const char* script :
       {"greet; while :; do echo '{\"sequences\":[[2]]}'; read -r x; done",
        "greet; while echo '{\"sequences\":[[2]]}'; do :; done", "greet; yes '{\"sequences\":[[2]]}'"}) {
    ExternalProgram program = shellProgram(script);
    program.grace_s = 0.2;
    const study::Run run = runOf(externalMethod("shell", program), 20);
    EXPECT_EQ(run.failure, "") << script;
    EXPECT_EQ(run.statistics.evaluations, 20u);
  }
}

TEST(ExternalTest, CtrlCEndsIt) {
  std::atomic<bool> stop = false;
  ExternalProgram program = shellProgram("greet; sleep 100");
  program.stop = &stop;
  RunOptions options = toyOptions(externalMethod("shell", program));
  options.stop = &stop;
  ToySite site;
  const std::jthread stopper([&stop, runner = ::gettid()] {
    fakes::untilItWaits(runner);
    stop = true;
  });
  const auto run = runMethod(site, toySubject(1000), options);
  ASSERT_FALSE(run);
  EXPECT_EQ(run.error().code, ErrorCode::kDeadlineExceeded);
}

TEST(ExternalTest, ItsProcessorTimeIsItsThinking) {
  const std::string burn = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done;";  // about 0.1 s
  const study::Run run =
      runOf(shellMethod(fmt::format("{0} greet; {0} ask '[2]'; ({0} :); ask '[2,2]'", burn)));
  EXPECT_EQ(run.failure, "");
  ASSERT_EQ(run.improvements.size(), 2u);
  EXPECT_GT(run.start_cpu_s, 0.02);
  EXPECT_GT(run.improvements[0].cpu_s, run.start_cpu_s + 0.02);
  EXPECT_GT(run.improvements[1].cpu_s, run.improvements[0].cpu_s + 0.02);
  EXPECT_GE(run.method_cpu_s, run.start_cpu_s + 0.04);
  EXPECT_GE(run.checkpoints.back().cpu_s, run.method_cpu_s);
  EXPECT_LT(run.harness_cpu_s, run.method_cpu_s);
}

TEST(ExternalTest, AStudyGoesOnAfterAMethodBroke) {
  const TempDir dir = *TempDir::create();
  const auto writer = *StudyWriter::open(dir.path() / "s.sqlite", toySettings(), {});
  ToyHost host;
  Plan plan = toyPlan({"toy/100"}, 2);
  plan.methods.push_back(shellMethod("greet; exit 1"));
  plan.methods.push_back(externalMethod("gone", {.argv = {"/proc/nonexistent/program"}}));
  const auto outcome = runPlan(host, *writer, plan, {});
  ASSERT_TRUE(outcome) << outcome.error().message;
  EXPECT_EQ(outcome->progress.done, 8u);
  EXPECT_EQ(outcome->progress.failed, 4u);
}

TEST(ExternalTest, AProbeStartsItAndEndsIt) {
  EXPECT_TRUE(probe(shellProgram("greet; sleep 100")));
  EXPECT_EQ(probe({.argv = {"/proc/nonexistent/program"}}).error().code, ErrorCode::kNotFound);
  EXPECT_THAT(probe(shellProgram("echo no module named x >&2; exit 1")).error().message,
              HasSubstr("ended before it was ready; its last words: no module named x"));
}

}  // namespace
}  // namespace ordo::study
