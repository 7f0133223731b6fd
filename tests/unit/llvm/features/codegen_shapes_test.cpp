#include "llvm/features/codegen_shapes.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Constants.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

using testing::UnorderedElementsAre;
using Values = std::map<std::string_view, std::int64_t>;

// The shapes that there are, for comparison with a count by hand.
Values shapes(std::string_view text) {
  Values values = named("codegen_shapes", *parseText(text));
  std::erase_if(values, [](const auto& element) { return element.second == 0; });
  return values;
}

TEST(CodegenShapesTest, OfALoopAsByHand) {
  EXPECT_EQ(shapes(R"(
define i32 @sum(ptr %p, i32 %n) {
entry:
  %empty = icmp eq i32 %n, 0
  br i1 %empty, label %exit, label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %acc = phi i32 [ 7, %entry ], [ %more, %loop ]
  %wide = zext i32 %i to i64
  %at = getelementptr i32, ptr %p, i64 %wide
  %x = load i32, ptr %at
  %more = add i32 %acc, %x
  %next = add i32 %i, 300
  %done = icmp eq i32 %next, %n
  br i1 %done, label %exit, label %loop
exit:
  %r = phi i32 [ 0, %entry ], [ %more, %loop ]
  ret i32 %r
}
)"),
            (Values{{"icmp_branch", 2},
                    {"icmp_zero_branch", 1},
                    {"branch", 2},
                    {"branch_to_next", 2},
                    {"branch_to_self", 1},
                    {"phi", 3},
                    {"phi_values", 6},
                    {"phi_zeros", 2},
                    {"phi_consts", 1},
                    {"zext_32", 1},
                    {"folded_index", 1},
                    {"load_element", 1},
                    {"load_32", 1},
                    {"add", 1},
                    {"add_const", 1},
                    {"binary_const_32", 1},
                    {"return_value", 1},
                    {"functions", 1},
                    {"arguments", 2},
                    {"blocks", 3},
                    {"alive_across_blocks", 2 + 4}}));
}

TEST(CodegenShapesTest, OfCallsAndFrames) {
  const Values values = shapes(R"(
@text = internal constant [6 x i8] c"hello\00"
declare i32 @printf(ptr, ...)
declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)
declare void @llvm.lifetime.start.p0(ptr)
define internal i32 @f(ptr %from, ptr %callee) {
  %buffer = alloca [200 x i8]
  call void @llvm.lifetime.start.p0(ptr %buffer)
  call void @llvm.memcpy.p0.p0.i64(ptr %buffer, ptr %from, i64 200, i1 false)
  %n = call i32 (ptr, ...) @printf(ptr @text, ptr %buffer, ptr %from, i32 0, i32 5, i64 1000, i32 1, i32 2)
  call void %callee()
  %r = tail call i32 (ptr, ...) @printf(ptr null, i32 %n)
  ret i32 %r
}
)");
  EXPECT_EQ(values, (Values{{"memcpy_large", 1},     {"call", 2},
                            {"call_indirect", 1},    {"call_variadic", 2},
                            {"call_used", 2},        {"call_tail", 1},
                            {"args_on_stack", 2},    {"arg_global", 1},
                            {"arg_stack", 1},        {"arg_argument", 1},
                            {"arg_zero", 2},         {"arg_const", 3},
                            {"arg_const_wide", 1},   {"arg_value", 1},
                            {"return_call", 1},      {"functions", 1},
                            {"local_functions", 1},  {"calling_functions", 1},
                            {"frames", 1},           {"large_frames", 1},
                            {"arguments", 2},        {"blocks", 1},
                            {"allocas", 1},          {"saved", 2},
                            {"saving_functions", 1}, {"saved_by_returns", 2},
                            {"globals", 1},          {"constant_bytes", 6}}));
}

TEST(CodegenShapesTest, WhatIsNotEmittedCountsNothing) {
  EXPECT_EQ(shapes(R"(
@there = external constant i32
declare void @far()
define available_externally void @elsewhere() {
  ret void
}
)"),
            Values{});
}

// Every instruction is one shape of some sort, whatever it is of.
TEST(CodegenShapesTest, AnyInstructionOfTheSamplesIsCounted) {
  for (const auto& module : compiledSamples()) {
    const Values values = named("codegen_shapes", *module);
    for (const auto& [name, count] : values) EXPECT_GE(count, 0) << name;
    EXPECT_GT(values.at("functions"), 0);
  }
}

TEST(CodegenShapesTest, ConstantsFitByTheirSign) {
  llvm::LLVMContext context;
  const auto constant = [&](std::int64_t value) {
    return llvm::ConstantInt::getSigned(llvm::Type::getInt64Ty(context), value);
  };
  EXPECT_TRUE(fitsConstant(constant(127), 8));
  EXPECT_FALSE(fitsConstant(constant(128), 8));
  EXPECT_TRUE(fitsConstant(constant(-128), 8));
  EXPECT_FALSE(fitsConstant(llvm::ConstantFP::get(llvm::Type::getDoubleTy(context), 1), 8));
}

}  // namespace
}  // namespace ordo::features
