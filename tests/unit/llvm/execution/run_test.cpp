#include "llvm/execution/run.h"

#include <gtest/gtest.h>

#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

TEST(RunTest, SaysHowARunEnded) {
  Machine machine;
  machine.beginInput(Rng(1));
  machine.memory().beginInput(Rng(1), 0, {}, false, {});
  const Symbols symbols;
  Slot slot;
  EXPECT_EQ(machine.run([](Slot*) {}, &slot, symbols, {}).ending, Ending::kReturned);
  EXPECT_EQ(machine.run([](Slot*) { __builtin_trap(); }, &slot, symbols, {}).ending, Ending::kCrashed);
  EXPECT_EQ(machine.run([](Slot*) { Machine::current().leave(); }, &slot, symbols, {}).ending, Ending::kLeft);
  const Outcome given_up =
      machine.run([](Slot*) { Machine::current().giveUp("because"); }, &slot, symbols, {});
  EXPECT_EQ(given_up.ending, Ending::kVoid);
  EXPECT_EQ(given_up.why, "because");
  // The thread sanitizer holds signals back until a loop ends.
#if !defined(__SANITIZE_THREAD__)
  const auto forever = [](Slot*) {
    for (volatile bool more = true; more;) {
    }
  };
  EXPECT_EQ(machine.run(forever, &slot, symbols, {.cpu_s = 0.05}).ending, Ending::kHung);
#endif
  EXPECT_EQ(machine.run([](Slot*) {}, &slot, symbols, {}).ending, Ending::kReturned) << "none of this lasts";
}

TEST(RunTest, LocatesWhatHasAName) {
  Symbols symbols;
  symbols.add(1000, 8, "a", true, false);
  symbols.add(2000, 8, "b", false, true);
  symbols.sort();
  Symbols elsewhere;
  elsewhere.add(5000, 8, "a", true, false);
  elsewhere.sort();
  EXPECT_EQ(symbols.locate(1004), elsewhere.locate(5004));
  EXPECT_NE(symbols.locate(1004), elsewhere.locate(5000));
  EXPECT_EQ(symbols.locate(2004).in, Place::In::kModule);
  EXPECT_EQ(symbols.locate(1500).in, Place::In::kNowhere);
  EXPECT_TRUE(symbols.isFunction(2000));
  EXPECT_FALSE(symbols.isFunction(2001));
  EXPECT_FALSE(symbols.isFunction(1000));
}

constexpr std::string_view kCalls = R"(
declare i32 @other(ptr, i32)
declare i32 @pure(i32) nounwind willreturn memory(none)
define i32 @f(i32 %x) {
  %p = alloca i32
  %a = call i32 @other(ptr %p, i32 %x)
  %b = call i32 @pure(i32 %x)
  %c = load i32, ptr %p
  %d = add i32 %a, %b
  %e = add i32 %d, %c
  ret i32 %e
})";

// What somebody else fills in is the same in every version, and what it is told counts.
TEST(RunTest, AnswersForFunctionsOfOthers) {
  EXPECT_EQ(compareOne(kCalls, kCalls).verdict, Verdict::kEqual);
  std::string wrong(kCalls);
  wrong.replace(wrong.find("@other(ptr %p, i32 %x)"), 22, "@other(ptr %p, i32 1 )");
  EXPECT_EQ(compareOne(kCalls, wrong).verdict, Verdict::kWrong);
}

TEST(RunTest, OthersAreToldAnyNan) {
  constexpr std::string_view kOriginal = R"(
declare void @other(double)
define void @f() { %nan = fdiv double 0.0, 0.0  call void @other(double %nan)  ret void })";
  EXPECT_EQ(compareOne(kOriginal, R"(
declare void @other(double)
define void @f() { call void @other(double 0x7FF8000000000123)  ret void })")
                .verdict,
            Verdict::kEqual);
}

TEST(RunTest, PureCallsMayGoAndComeTwice) {
  constexpr std::string_view kUnused = R"(
declare i32 @pure(i32) nounwind willreturn memory(none)
define i32 @f(i32 %x) { %a = call i32 @pure(i32 %x)  %b = call i32 @pure(i32 %x)  %r = sub i32 %a, %b  ret i32 %r })";
  EXPECT_EQ(compareOne(kUnused, "define i32 @f(i32 %x) { ret i32 0 }").verdict, Verdict::kEqual);
  constexpr std::string_view kImpure = R"(
declare void @other()
define i32 @f(i32 %x) { call void @other()  ret i32 0 })";
  EXPECT_EQ(compareOne(kImpure, "define i32 @f(i32 %x) { ret i32 0 }").verdict, Verdict::kWrong);
}

}  // namespace
}  // namespace ordo::execution
