#include "llvm/actions/loop_hints.h"

#include <gmock/gmock.h>

#include "llvm/actions/pipeline.h"
#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

using testing::HasSubstr;
using testing::Not;

// What a loop is like right before the vectorizer.
constexpr std::string_view kPrefix =
    "function(sroa<modify-cfg>,instcombine<no-verify-fixpoint>,loop-simplify,lcssa,"
    "loop(loop-rotate,indvars),loop-simplify,lcssa)";

constexpr std::string_view kLoops = R"(
void add(short* restrict to, const short* restrict from, int n) {
  for (int i = 0; i < n; i++) to[i] = (short)(to[i] + 3 * from[i]);
}
float sum(const float* of, int n) {
  float total = 0;
  for (int i = 0; i < n; i++) total += of[i];
  return total;
}
int dot(const signed char* a, const signed char* b, int n) {
  int total = 0;
  for (int i = 0; i < n; i++) total += a[i] * b[i];
  return total;
})";

// The text of kLoops after the hint and `then`.
std::string after(std::string_view hint, std::string_view then, const std::string& level = "-O3") {
  const ir::OwnedModule module = parsed(clangBitcode("c", kLoops, level));
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  EXPECT_TRUE(runner.run(kPrefix));
  const Result<bool> changed = runner.run(fmt::format("{}{}{}", hint, then.empty() ? "" : ",", then));
  EXPECT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(ir::verify(*module), "");
  return ir::print(*module);
}

TEST(LoopHintTest, IsReadFromTheNameOfAPass) {
  const std::optional<LoopHint> hint = parseLoopHint("ordo-loop<17;width=8;interleave=2>");
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->loop, 17u);
  EXPECT_EQ(hint->width, 8u);
  EXPECT_EQ(hint->interleave, 2u);
  EXPECT_EQ(hint->unroll, std::nullopt);
  EXPECT_EQ(parseLoopHint("ordo-loop<0;unroll=4>")->unroll, 4u);
  for (const char* bad :
       {"ordo-loop", "ordo-loop<>", "ordo-loop<1>", "ordo-loop<1;>", "ordo-loop<-1;width=2>",
        "loop<1;width=2>", "ordo-loop<1;width=3>", "ordo-loop<1;width=128>", "ordo-loop<1;interleave=32>",
        "ordo-loop<1;width=0>", "ordo-loop<1;width=2;width=4>", "ordo-loop<1;depth=2>",
        "ordo-loop<1;width=2x>", "ordo-loop<1;width>"})
    EXPECT_FALSE(parseLoopHint(bad)) << bad;
}

TEST(LoopHintTest, TheVectorizerDoesWhatItSays) {
  constexpr std::string_view kVectorize = "function(loop-vectorize)";
  EXPECT_THAT(after("ordo-loop<0;width=32>", kVectorize), HasSubstr("<32 x i16>"));
  EXPECT_THAT(after("ordo-loop<2;width=16;interleave=1>", kVectorize), HasSubstr("<16 x i8>"));
  EXPECT_THAT(after("ordo-loop<0;width=1;interleave=1>", kVectorize), Not(HasSubstr("x i16>")));
  EXPECT_THAT(after("ordo-loop<1;width=8>", kVectorize), HasSubstr("x i16>"));  // the others are left alone
}

TEST(LoopHintTest, FloatsAreNotAddedInAnotherOrder) {
  constexpr std::string_view kVectorize = "function(loop-vectorize)";
  const std::string hint = "ordo-loop<1;width=8>";
  EXPECT_THAT(after(hint, kVectorize), Not(HasSubstr("x float>")));
  EXPECT_THAT(after(hint, ""), Not(HasSubstr("vectorize.width")));
  EXPECT_THAT(after(hint, kVectorize, "-Ofast"), HasSubstr("<8 x float>"));  // they may be
}

TEST(LoopHintTest, ALoopThatNobodyHasSimplifiedIsTakenAsOrdered) {
  const ir::OwnedModule module = parsed(R"(
define float @f(float %x, i1 %c) {
entry:
  br i1 %c, label %loop, label %exit
loop:
  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]
  %more = fadd reassoc float %sum, %x
  br i1 %c, label %loop, label %exit
exit:
  ret float 0.0
}
)");
  EXPECT_FALSE(applyLoopHint(*module, {0, 4, {}, {}}));
  EXPECT_TRUE(applyLoopHint(*module, {0, 1, 2, {}}));
}

TEST(LoopHintTest, ItReplacesWhatWasSaidBefore) {
  const std::string text = after("ordo-loop<0;width=4>,ordo-loop<0;width=8;unroll=2>", "");
  EXPECT_THAT(text, HasSubstr("!\"llvm.loop.vectorize.width\", i32 8"));
  EXPECT_THAT(text, HasSubstr("!\"llvm.loop.unroll.count\", i32 2"));
  EXPECT_THAT(text, HasSubstr("!\"llvm.loop.mustprogress\""));
  EXPECT_THAT(text, Not(HasSubstr("width\", i32 4")));
}

TEST(LoopHintTest, ALoopThatIsNotThereIsNoChange) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kLoops, "-O3"));
  EXPECT_FALSE(applyLoopHint(*module, {3, 4, {}, {}}));
  EXPECT_TRUE(applyLoopHint(*module, {2, 4, {}, {}}));
}

}  // namespace
}  // namespace ordo::actions
