#include "runtime/faster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "notation/action.h"
#include "support/files.h"
#include "tests/unit/runtime/program_fixture.h"
#include "tests/unit/sandbox/processes.h"

namespace ordo::runtime {
namespace {

using testing::AllOf;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::string_view kLoop = R"(
#include <stdio.h>
#include <stdlib.h>
int main(int argc, char** argv) {
  unsigned x = 1;
  for (int i = 0; i < 300000; i++) x = x * 31 + (x >> 7) + (unsigned)argc;
  printf("%u %s\n", x, argc > 1 ? argv[1] : "");
  return 0;
})";

class FasterTest : public ProgramFixture {
 protected:
  Result<Faster> find(std::string_view text, const FasterOptions& options) {
    load(text);
    for (const char* text_of : {"function(loop(loop-rotate))", "function(reg2mem)", "cgscc(inline)"})
      spec_.actions.push_back({text_of, notation::kPipeline, text_of});
    return findFaster(*engine_, *input_, spec_, 0, limits_, options);
  }
  // With more time until there was enough: a busy machine comes to little at first.
  Result<Faster> findInTime(FasterOptions options, const std::function<bool(const Faster&)>& enough) {
    for (;;) {
      Result<Faster> found = find(kLoop, options);
      if (!found || enough(*found) || options.budget_s > 100) return found;
      options.budget_s *= 3;
    }
  }
  std::string refusal(std::string_view text, const FasterOptions& options) {
    const Result<Faster> found = find(text, options);
    EXPECT_FALSE(found);
    return found ? "" : found.error().message;
  }
  static FasterOptions options(double budget_s) {
    FasterOptions options;
    options.budget_s = budget_s;
    options.run = timing::Input{.args = {"word"}, .exit = 0};
    return options;
  }

  // Stock opt has no sanitizer and cannot load a plugin that needs one, so there the proof of a finalist with
  // one of our own passes fails, and which candidates become finalists is a matter of time.
  static bool wasTried(const Faster& found) { return sandbox::kSanitized || found.timing.trials > 0; }
  static void expectNoneRefused(const Faster& found) {
    if (sandbox::kSanitized) return;
    EXPECT_EQ(found.timing.refused, 0) << found.timing.why;
    EXPECT_GE(found.timing.trials, 1) << found.timing.why;
    for (const Raced& raced : found.raced) EXPECT_EQ(raced.failure, "");
  }

  std::vector<search::Limit> limits_;
};
TEST_F(FasterTest, TheResultIsTheBaselineUnlessItIsShownToBeFaster) {
  const Result<Faster> found = findInTime(options(5), wasTried);
  ASSERT_TRUE(found) << found.error().message;
  const recipe::Timing& timing = found->timing;
  EXPECT_THAT(timing.verdict, AnyOf("faster", "slower", "no difference shown", "void"));
  EXPECT_EQ(timing.verdict == "faster", found->best != search::Sequence{0});
  EXPECT_FALSE(timing.why.empty());
  EXPECT_GT(timing.candidates, 0);
  expectNoneRefused(*found);
  EXPECT_EQ(timing.checked, "exit status and standard output in every run, on 1 input");
  EXPECT_EQ(found->figure.metric, "runtime");
  EXPECT_GT(found->figure.baseline, 0);
  EXPECT_LE(found->figure.tuned, found->figure.baseline);
  ASSERT_FALSE(found->raced.empty());
  for (const Raced& raced : found->raced) {
    EXPECT_THAT(raced.actions, Not(IsEmpty()));
    EXPECT_GE(raced.pairs, 1u) << "what never ran is not listed";
    EXPECT_LT(std::abs(raced.score), 3);
    if (raced.failure.empty()) {
      EXPECT_LE(raced.score, found->raced.front().score);
    }
  }
}

TEST_F(FasterTest, WithImmediateRewardsTheTrialsStillDecide) {
  FasterOptions immediate = options(10);
  immediate.reward = Reward::kImmediate;
  const Result<Faster> found = findInTime(immediate, [](const Faster& each) {
    return each.rewards && each.rewards->known > 0 && wasTried(each);
  });
  ASSERT_TRUE(found) << found.error().message;
  ASSERT_TRUE(found->rewards);
  const recipe::Timing& timing = found->timing;
  EXPECT_THAT(timing.verdict, AnyOf("faster", "slower", "no difference shown", "void"));
  EXPECT_EQ(timing.verdict == "faster", found->best != search::Sequence{0});
  EXPECT_GT(timing.candidates, 0);
  expectNoneRefused(*found);
  EXPECT_GT(found->rewards->known, 0) << "three passes make few programs";
  EXPECT_LE(std::abs(found->rewards->rank_correlation), 1);
}

TEST_F(FasterTest, WhatCannotBeTimedIsRefusedWithTheRemedy) {
  EXPECT_THAT(refusal("int main(void) { return 3; }\n", options(5)),
              AllOf(HasSubstr("the baseline exited with status 3"), HasSubstr("docs/timing.md")));
  EXPECT_THAT(refusal("int f(void) { return 3; }\n", options(5)), HasSubstr("main"));
  EXPECT_THAT(refusal("#include <stdlib.h>\nint main(void) { abort(); }\n", options(5)),
              HasSubstr("was killed by signal 6"));
  EXPECT_THAT(refusal("#include <stdio.h>\n#include <unistd.h>\n"
                      "int main(void) { printf(\"%d\\n\", getpid()); }\n",
                      options(5)),
              HasSubstr("does not do the same twice"));
  FasterOptions unsaid = options(5);
  unsaid.run.reset();
  EXPECT_THAT(refusal(kLoop, unsaid), HasSubstr("--run './program ARGUMENTS'"));
  EXPECT_THAT(
      refusal("int main(void) { for (volatile long i = 0; i < 400000000; i++) {} return 0; }\n", options(5)),
      HasSubstr("takes a budget of"));
}

TEST_F(FasterTest, ABudgetThatNobodyGaveGrowsWithTheRuns) {
  FasterOptions unsaid = options(1e-3);
  unsaid.most_s = 1e6;
  const Result<Faster> found = find(kLoop, unsaid);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_THAT(found->notes, Contains(HasSubstr("so the budget became")));
}

TEST_F(FasterTest, ProgramsOfOneKindHaveNothingToBeTimed) {
  // With a profile it would be moved to where hot code lies.
  FasterOptions unprofiled = options(4);
  unprofiled.profile = false;
  const Result<Faster> found = find("int main(void) { return 0; }\n", unprofiled);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->best, search::Sequence{0});
  EXPECT_EQ(found->timing.verdict, "no difference shown");
  EXPECT_EQ(found->timing.why, "no candidate has other code than the baseline");
}

TEST_F(FasterTest, WhatIsBeyondALimitIsNotTimed) {
  limits_ = {{"ir_instructions", 0}};
  const Result<Faster> found = find(kLoop, options(4));
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->best, search::Sequence{0});
  EXPECT_EQ(found->timing.candidates, 0);
  EXPECT_GT(found->statistics.beyond, 0u);
}

TEST_F(FasterTest, AnInterruptionLeavesTheBaseline) {
  const std::atomic<bool> stop = true;
  FasterOptions stopped = options(60);
  stopped.stop = &stop;
  const Result<Faster> found = find(kLoop, stopped);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->best, search::Sequence{0});
  EXPECT_EQ(found->timing.verdict, "void");
  EXPECT_THAT(found->timing.why, HasSubstr("interrupted"));
}

}  // namespace
}  // namespace ordo::runtime
