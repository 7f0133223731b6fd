#include "runtime/opening.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/unit/runtime/program_fixture.h"

namespace ordo::runtime {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::StartsWith;

// A call that must be inlined, as C++ has of std::allocator, in a loop with a branch that a run tells of.
constexpr std::string_view kProgram = R"(
#include <stdio.h>
__attribute__((gnu_inline, always_inline)) extern inline unsigned next(unsigned x) { return x * 1664525u + 1; }
static unsigned rare(unsigned x) { return x * 3 + (x >> 2); }
int main(int argc, char** argv) {
  unsigned x = 1, total = 0;
  for (int i = 0; i < 100000; i++) {
    x = next(x);
    total += x >> 24 == 7 ? rare(x) : x >> 16;
  }
  printf("%u %d\n", total, argc);
  return argv == 0;
})";

class OpeningTest : public ProgramFixture {
 protected:
  void open(std::string_view text) {
    load(text);
    bench_ = std::make_unique<BuiltField>(*engine_, *input_, spec_, 0, std::vector{timing::Input{.exit = 0}},
                                          timing::RigOptions{}, 1, *TempDir::create());
    ASSERT_TRUE(bench_->prepare());
    options_.on_phase = [this](std::string_view phase) { phases_.emplace_back(phase); };
  }
  Opening opening() { return {*engine_, *input_, spec_, 0, limits_, options_, *bench_, clock_}; }

  std::vector<search::Limit> limits_;
  FasterOptions options_;
  std::vector<std::string> phases_;
  std::unique_ptr<BuiltField> bench_;
  SteadyClock clock_;
};

TEST_F(OpeningTest, WithoutTimeNothingIsDecided) {
  open(kProgram);
  Opening stages = opening();
  ASSERT_TRUE(stages.decideCalls(0) && stages.decideStraight(0) && stages.decideLoops(0));
  EXPECT_THAT(stages.prefix(), IsEmpty());
  EXPECT_EQ(bench_->size(), 0u);
  EXPECT_EQ(spec_.actions.size(), 1u);
  EXPECT_THAT(phases_, IsEmpty());
}

TEST_F(OpeningTest, CallsAreDecidedBesideTheProfile) {
  open(kProgram);
  Opening stages = opening();
  ASSERT_TRUE(stages.decideProfile(0.1));
  EXPECT_THAT(stages.notes(), IsEmpty());
  ASSERT_GT(spec_.actions.size(), 1u);
  EXPECT_THAT(spec_.actions[1].text, StartsWith("ordo-profile<"));
  EXPECT_EQ(stages.races().candidates, 1u);

  const Status calls = stages.decideCalls(0.5);
  ASSERT_TRUE(calls) << calls.error().message;
  EXPECT_THAT(phases_, testing::Contains(HasSubstr("looking at 2 calls")));
  const auto decided = [](const env::Action& action) { return action.text.starts_with("ordo-call<1;"); };
  EXPECT_EQ(std::ranges::count_if(spec_.actions, decided), 2) << "both ways";
  ASSERT_TRUE(stages.decideStraight(0.5) && stages.decideLoops(0.5));
}

TEST_F(OpeningTest, AProgramWithoutAProfileIsToldOf) {
  open("#include <unistd.h>\nint main(int argc, char** argv) { _exit(argc > 3 ? argv[1][0] : 0); }\n");
  Opening stages = opening();
  ASSERT_TRUE(stages.decideProfile(1));
  EXPECT_THAT(stages.notes(), ElementsAre(HasSubstr("tuned without a profile: ")));
  EXPECT_EQ(spec_.actions.size(), 1u);
  EXPECT_THAT(stages.prefix(), IsEmpty());
}

TEST_F(OpeningTest, AnInterruptionEndsEachStage) {
  const std::atomic<bool> stop = true;
  options_.stop = &stop;
  open(kProgram);
  Opening stages = opening();
  ASSERT_TRUE(stages.decideProfile(60) && stages.decideCalls(60) && stages.decideLoops(60));
  EXPECT_EQ(bench_->size(), 0u);
  EXPECT_THAT(stages.prefix(), IsEmpty());
}

}  // namespace
}  // namespace ordo::runtime
