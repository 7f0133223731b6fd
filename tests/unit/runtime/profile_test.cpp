#include "runtime/profile.h"

#include <gmock/gmock.h>

#include "check/validate.h"
#include "engine/baseline.h"
#include "engine/reach.h"
#include "engine/replay.h"
#include "tests/unit/runtime/program_fixture.h"

namespace ordo::runtime {
namespace {

using testing::EndsWith;
using testing::StartsWith;

// Which way the branch goes, and what is called, nobody knows who has not seen a run.
constexpr std::string_view kProgram = R"(
#include <stdio.h>
#include <stdlib.h>
int rare(int x);
static int usual(int x) { return x & 0xff; }
int main(int argc, char** argv) {
  unsigned x = 1, total = 0;
  for (int i = 0; i < 100000; i++) {
    x = x * 1664525u + 1013904223u;
    int (*volatile call)(int) = x >> 24 == 9 ? rare : usual;
    total += x >> 24 == 7 ? (unsigned)rare(i) : (unsigned)call((int)(x >> 16));
  }
  printf("%u %d\n", total, argc);
  return argv == 0;
}
int rare(int x) { return x * 3 + (x >> 2); })";

class ProfileTest : public ProgramFixture {
 protected:
  void open(std::string_view text) {
    load(text);
    bench_ = std::make_unique<BuiltField>(*engine_, *input_, spec_, 0, std::vector{timing::Input{}},
                                          timing::RigOptions{}, 1, *TempDir::create());
    ASSERT_TRUE(bench_->prepare());
  }
  Result<env::Action> profile() { return profileAction(*engine_, *input_, spec_.program, *bench_); }

  std::unique_ptr<BuiltField> bench_;
};

TEST_F(ProfileTest, ARunSaysWhichWayBranchesGo) {
  open(kProgram);
  const Result<env::Action> action = profile();
  ASSERT_TRUE(action) << action.error().message;
  EXPECT_THAT(action->text, StartsWith("ordo-profile<"));
  EXPECT_THAT(action->text, EndsWith(">,pgo-icall-prom,function(pgo-memop-opt)"));
  EXPECT_EQ(profile()->text, action->text) << "the same run counts the same";

  // Other code, that does the same.
  spec_.actions.push_back(*action);
  const Result<Added> added = bench_->add({1, 0});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->code, Added::Code::kNew);
  ASSERT_TRUE(bench_->enter(0));
  EXPECT_EQ(bench_->runner().run(timing::Arm::kCandidate)->failure, "");

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "stock opt, which has no sanitizer, cannot load a plugin that needs one";
#endif
  expectStockMakes({spec_.actions[1], spec_.actions[0]}, bench_->hash(0));
}

TEST_F(ProfileTest, ARunThatLeavesNoCountsGivesNone) {
  open("#include <unistd.h>\nint main(int argc, char** argv) { _exit(argc > 3 ? argv[1][0] : 0); }\n");
  const Result<env::Action> action = profile();
  ASSERT_FALSE(action);
  EXPECT_EQ(action.error().code, ErrorCode::kUnsupported);
  EXPECT_EQ(action.error().message, "a run of it, built to count, leaves counts that say nothing");
}

}  // namespace
}  // namespace ordo::runtime
