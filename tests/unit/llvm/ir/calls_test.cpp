#include "llvm/ir/calls.h"

#include <gtest/gtest.h>
#include <llvm/IR/InstrTypes.h>
#include <llvm/IR/Module.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

// Of the five calls in @main two are of functions that have a body: @hot, in a loop, and @cold.
constexpr std::string_view kCalls = R"(
declare void @ext()
declare void @llvm.donothing()
define void @hot() {
  ret void
}
define void @cold() {
  call void @hot()
  ret void
}
define void @main(i1 %c, ptr %f) !prof !0 {
entry:
  call void @ext()
  call void %f()
  br label %loop
loop:
  call void @hot()
  call void @llvm.donothing()
  br i1 %c, label %loop, label %exit, !prof !1
exit:
  call void @cold()
  ret void
}
!0 = !{!"function_entry_count", i64 10}
!1 = !{!"branch_weights", i32 99, i32 1}
)";

std::vector<CallSite> visited(bool with_heat, std::size_t most, std::vector<std::string>& names) {
  Result<OwnedModule> module = parse(kCalls, "calls");
  EXPECT_TRUE(module) << module.error().message;
  std::vector<CallSite> sites;
  visitCalls(**module, with_heat, [&](const CallSite& site) {
    sites.push_back(site);
    names.push_back(site.call->getCalledFunction()->getName().str());
    return sites.size() < most;
  });
  return sites;
}

TEST(CallsTest, CallsOfFunctionsWithABodyAreNumberedInTheOrderOfTheModule) {
  std::vector<std::string> names;
  const std::vector<CallSite> sites = visited(/*with_heat=*/false, 9, names);
  EXPECT_EQ(names, (std::vector<std::string>{"hot", "hot", "cold"}));
  for (std::size_t i = 0; i < sites.size(); ++i) EXPECT_EQ(sites[i].number, i);
}

TEST(CallsTest, HeatIsDepthAndWhatAProfileSays) {
  std::vector<std::string> names;
  const std::vector<CallSite> sites = visited(/*with_heat=*/true, 9, names);
  ASSERT_EQ(sites.size(), 3u);
  EXPECT_EQ(sites[0].count, std::nullopt);  // nobody knows of @cold
  EXPECT_EQ(sites[1].depth, 1u);
  ASSERT_TRUE(sites[1].count && sites[2].count);
  EXPECT_NEAR(static_cast<double>(*sites[1].count), 1000, 10);  // 10 times in, 99 in 100 go on
  EXPECT_EQ(sites[2].depth, 0u);
  EXPECT_NEAR(static_cast<double>(*sites[2].count), 10, 1);
}

TEST(CallsTest, AVisitEndsWhenItIsToldTo) {
  std::vector<std::string> names;
  EXPECT_EQ(visited(/*with_heat=*/false, 2, names).size(), 2u);
}

}  // namespace
}  // namespace ordo::ir
