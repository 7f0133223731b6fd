#include "llvm/actions/call_hints.h"

#include <gtest/gtest.h>

#include <sstream>

#include "llvm/actions/pipeline.h"
#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

// Calls 0 and 1 are of small(), which -O3 inlines, 2 and 3 of large(), which it does not; 4 and 5 are of
// functions that are not to be, or cannot be, inlined.
constexpr std::string_view kCalls = R"(
int printf(const char*, ...);
static int small(int x) { return x * 3; }
int large(int x) {
#define MORE printf("%d %d %d %d\n", x, x + 1, x + 2, x + 3);
#define MANY MORE MORE MORE MORE MORE MORE MORE MORE
  MANY MANY MANY
  return x;
}
__attribute__((noinline)) static int never(int x) { return x + printf("never"); }
__attribute__((target("avx2"))) static int other(int x) { return x + printf("other"); }
int f(int x) { return small(x) + small(x + 1) + large(x) + large(x + 1); }
int g(int x) { return never(x) + other(x); })";

// The text of kCalls after the hints and `then`.
std::string after(std::string_view hints, std::string_view then = "default<O3>") {
  const ir::OwnedModule module = parsed(clangBitcode("c", kCalls, "-O3"));
  const auto machine = machineFor(module);
  PipelineRunner runner(*module, *machine);
  const Result<bool> changed = runner.run(fmt::format("{}{}{}", hints, then.empty() ? "" : ",", then));
  EXPECT_TRUE(changed) << changed.error().message;
  EXPECT_EQ(ir::verify(*module), "");
  return ir::print(*module);
}

// How many lines of `text` call it.
std::size_t callsOf(std::string_view function, const std::string& text) {
  std::size_t found = 0;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);)
    found += line.find(" call ") != line.npos && line.find(fmt::format("@{}(", function)) != line.npos;
  return found;
}

TEST(CallHintTest, IsReadFromTheNameOfAPass) {
  const std::optional<CallHint> hint = parseCallHint("ordo-call<17;alwaysinline>");
  ASSERT_TRUE(hint);
  EXPECT_EQ(hint->call, 17u);
  EXPECT_TRUE(hint->inlined);
  EXPECT_FALSE(parseCallHint("ordo-call<0;noinline>")->inlined);
  for (const char* bad :
       {"ordo-call", "ordo-call<>", "ordo-call<1>", "ordo-call<1;>", "ordo-call<-1;noinline>",
        "call<1;noinline>", "ordo-call<1;inline>", "ordo-call<1;noinline", "ordo-call<1;noinline>x",
        "ordo-call<1x;noinline>", "ordo-call<99999999999999999999999;noinline>", "ordo-call<;noinline>"})
    EXPECT_FALSE(parseCallHint(bad)) << bad;
}

TEST(CallHintTest, TheInlinerDoesWhatItSays) {
  EXPECT_EQ(callsOf("small", after("no-op-module")), 0u);
  EXPECT_EQ(callsOf("small", after("ordo-call<1;noinline>")), 1u);
  EXPECT_EQ(callsOf("large", after("no-op-module")), 2u);
  EXPECT_EQ(callsOf("large", after("ordo-call<3;alwaysinline>")), 1u);
  EXPECT_EQ(callsOf("large", after("ordo-call<2;alwaysinline>,ordo-call<3;alwaysinline>")), 0u);
}

TEST(CallHintTest, ALaterOneTakesThePlaceOfAnEarlier) {
  EXPECT_EQ(after("ordo-call<1;noinline>,ordo-call<1;alwaysinline>", ""),
            after("ordo-call<1;alwaysinline>", ""));
}

TEST(CallHintTest, WhatSomebodyHasDecidedStays) {
  const std::string given = after("no-op-module", "");
  EXPECT_EQ(after("ordo-call<4;alwaysinline>", ""), given);  // never()
  EXPECT_EQ(after("ordo-call<5;alwaysinline>", ""), given);  // for another processor
  EXPECT_EQ(after("ordo-call<6;alwaysinline>", ""), given);  // there is none
  EXPECT_NE(after("ordo-call<0;alwaysinline>", ""), given);
}

TEST(CallHintTest, OnceGivenNothingChanges) {
  const ir::OwnedModule module = parsed(clangBitcode("c", kCalls, "-O3"));
  EXPECT_TRUE(applyCallHint(*module, {1, true}));
  EXPECT_FALSE(applyCallHint(*module, {1, true}));
  EXPECT_TRUE(applyCallHint(*module, {1, false}));
}

}  // namespace
}  // namespace ordo::actions
