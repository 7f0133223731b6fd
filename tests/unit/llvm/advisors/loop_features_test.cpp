#include "llvm/advisors/loop_features.h"

#include <gtest/gtest.h>
#include <llvm/Target/TargetMachine.h>

#include <algorithm>
#include <map>

#include "env/advice_log.h"
#include "env/plain_advisors.h"
#include "llvm/actions/clang_pipeline.h"
#include "llvm/advisors/vector_advisor.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "notation/decisions.h"

namespace ordo::advisors {
namespace {

// A loop by hand: `head` are the phis beside the index, `body` computes, `end` follows the latch's branch.
std::string loop(std::string_view arguments, std::string_view head, std::string_view body,
                 std::string_view metadata = "", std::string_view result = "ret void",
                 std::string_view type = "void") {
  return fmt::format(R"(target triple = "x86_64-pc-linux-gnu"
define {} @f({}, i64 %n) #0 {{
entry:
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
{}
{}
  %next = add nuw nsw i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop{}
end:
  {}
}}
attributes #0 = {{ "target-cpu"="x86-64" }}
declare void @g()
)",
                     type, arguments, head, body, metadata.substr(0, metadata.find('\n')), result) +
         std::string(metadata.substr(std::min(metadata.find('\n'), metadata.size())));
}

constexpr std::string_view kCopy =
    "  %pa = getelementptr i8, ptr %a, i64 %i\n  %x = load i8, ptr %pa\n"
    "  %w = zext i8 %x to i32\n  %y = mul i32 %w, 3\n  %pb = getelementptr i32, ptr %b, i64 %i\n"
    "  store i32 %y, ptr %pb";

// What is asked when such a module is compiled with all but the usual pipeline's own simplifications.
env::AdviceLog asked(const std::string& text) {
  ir::initialiseTargets();
  const Result<ir::OwnedModule> module = ir::parse(text, "test");
  EXPECT_TRUE(module) << module.error().message;
  const auto machine = ir::makeTargetMachine(**module, {});
  EXPECT_TRUE(machine);
  env::UsualAdvisor usual(notation::vectorFactorsDecision());
  env::AdviceLog log;
  env::LoggedAdvisor logged(usual, log);
  actions::runClangO3(**module, **machine, [&](llvm::PassBuilder& builder) {
    adviseVectorizing(builder, [&] { return std::make_unique<env::LentAdvisor>(logged); });
  });
  return log;
}

// Features that are not 0, of the one question.
std::map<std::string, float> featuresOf(const std::string& text) {
  const env::AdviceLog log = asked(text);
  EXPECT_EQ(log.advice.size(), 1u);
  std::map<std::string, float> features;
  if (log.advice.empty()) return features;
  const std::vector<std::string>& names = notation::vectorFactorsDecision().features;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const float value = log.advice[0].features[i]; value != 0) features[names[i]] = value;
  return features;
}

TEST(LoopFeaturesTest, MemoryTypesAndWorkAreCounted) {
  auto features = featuresOf(loop("ptr %a, ptr noalias %b", "", kCopy));
  EXPECT_EQ(features["register_bits"], 128);
  EXPECT_EQ(features["vector_registers"], 16);
  EXPECT_EQ(features["loads_8"], 1);
  EXPECT_EQ(features["loads_next"], 1);
  EXPECT_EQ(features["stores_32"], 1);
  EXPECT_EQ(features["stores_next"], 1);
  EXPECT_EQ(features["zero_extend_4"], 1);
  EXPECT_EQ(features["multiply_32"], 1);
  EXPECT_EQ(features["narrowest_bits"], 8);
  EXPECT_EQ(features["widest_bits"], 32);
  EXPECT_EQ(features["depth"], 1);
  EXPECT_EQ(features["most_trips"], 0) << "nobody knows";
  EXPECT_FALSE(features.contains("pointers_to_check"));
  EXPECT_FALSE(features.contains("compare_64")) << "the loop's end is no work";
}

TEST(LoopFeaturesTest, PointersThatMayBeTheSameAreToBeChecked) {
  EXPECT_EQ(featuresOf(loop("ptr %a, ptr %b", "", kCopy))["pointers_to_check"], 1);
}

TEST(LoopFeaturesTest, WhatIsKnownOfTheNumberOfIterations) {
  const std::string text = loop("ptr %a, ptr noalias %b", "", kCopy);
  const auto with = [&](std::string_view how) {
    std::string changed = text;
    changed.replace(changed.find("i64 %n)"), 7, how);
    return featuresOf(changed);
  };
  auto bounded = with("i64 range(i64 40, 56) %n)");
  EXPECT_EQ(bounded["least_trips"], 40);
  EXPECT_EQ(bounded["most_trips"], 55);
  EXPECT_FALSE(bounded.contains("trips"));
  std::string known = text;
  known.replace(known.find("i64 %next, %n"), 13, "i64 %next, 96");
  auto features = featuresOf(known);
  EXPECT_EQ(features["trips"], 96);
  EXPECT_EQ(features["least_trips"], 96);
  EXPECT_EQ(features["most_trips"], 96);
  EXPECT_EQ(features["trips_multiple"], 32);
}

TEST(LoopFeaturesTest, StridesAreToldApart) {
  const auto way = [](std::string_view index) {
    return featuresOf(loop("ptr %a, ptr noalias %b", "",
                           fmt::format("{}\n  %pa = getelementptr i16, ptr %a, i64 %j\n"
                                       "  %x = load i16, ptr %pa\n  %pb = getelementptr i16, ptr %b, i64 %i\n"
                                       "  store i16 %x, ptr %pb",
                                       index)));
  };
  auto strided = way("  %j = mul i64 %i, 3");
  EXPECT_EQ(strided["loads_strided"], 1);
  EXPECT_EQ(strided["stride"], 3);
  EXPECT_EQ(way("  %j = sub i64 5, %i")["loads_reversed"], 1);
  EXPECT_EQ(way("  %pt = getelementptr i64, ptr %a, i64 %i\n  %j = load i64, ptr %pt")["loads_scattered"], 1);
}

TEST(LoopFeaturesTest, SumsAreKnownAndFloatsInOrderMayNotBeWidened) {
  const auto sum = [](std::string_view type, std::string_view add) {
    return loop(
        "ptr %a",
        fmt::format("  %s = phi {0} [ 0{1}, %entry ], [ %t, %loop ]", type, type == "float" ? ".0" : ""),
        fmt::format("  %pa = getelementptr {0}, ptr %a, i64 %i\n  %x = load {0}, ptr %pa\n"
                    "  %t = {1} {0} %s, %x",
                    type, add),
        "", fmt::format("ret {} %t", type), type);
  };
  EXPECT_EQ(featuresOf(sum("i32", "add"))["sum_32"], 1);
  EXPECT_EQ(featuresOf(sum("i64", "xor"))["logic"], 1);
  EXPECT_EQ(featuresOf(sum("float", "fadd"))["float_in_order"], 1);
  EXPECT_EQ(featuresOf(sum("float", "fadd reassoc"))["float_reduction"], 1);
}

TEST(LoopFeaturesTest, NobodyIsAskedAboutCallsAndWhatSomebodyHasSpokenFor) {
  EXPECT_TRUE(asked(loop("ptr %a, ptr %b", "", fmt::format("{}\n  call void @g()", kCopy))).advice.empty());
  EXPECT_TRUE(asked(loop("ptr %a, ptr %b", "", kCopy,
                         ", !llvm.loop !0\n!0 = distinct !{!0, !1}\n"
                         "!1 = !{!\"llvm.loop.vectorize.width\", i32 4}\n"))
                  .advice.empty());
  EXPECT_EQ(asked(loop("ptr %a, ptr %b", "", kCopy,
                       ", !llvm.loop !0\n!0 = distinct !{!0, !1}\n!1 = !{!\"llvm.loop.mustprogress\"}\n"))
                .advice.size(),
            1u);
}

}  // namespace
}  // namespace ordo::advisors
