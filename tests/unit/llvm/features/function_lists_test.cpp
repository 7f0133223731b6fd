// function_names, function_instructions and function_hashes, which are lists in the same order.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

std::vector<std::string> names(const llvm::Module& module) {
  const std::string bytes = extract("function_names", module);
  EXPECT_TRUE(bytes.empty() || bytes.back() == '\0');
  std::vector<std::string> all;
  for (std::size_t i = 0; i < bytes.size(); i += all.back().size() + 1) all.emplace_back(bytes.c_str() + i);
  return all;
}

std::vector<std::int64_t> numbers(const char* feature, const llvm::Module& module) {
  const std::string bytes = extract(feature, module);
  std::vector<std::int64_t> all(bytes.size() / sizeof(std::int64_t));
  if (!bytes.empty()) std::memcpy(all.data(), bytes.data(), bytes.size());
  return all;
}

std::vector<std::int64_t> instructions(const llvm::Module& module) {
  return numbers("function_instructions", module);
}

TEST(FunctionListsTest, AreOfFunctionsWithABodyInTheirOrder) {
  const ir::OwnedModule module = parseText(R"(
declare void @outside()
define i32 @second(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define internal void @"odd \FF\22\01,"() {
  ret void
}
define void @0() {
  call void @outside()
  br label %end
end:
  ret void
}
declare void @llvm.trap()
@same = alias i32 (i32), ptr @second
define available_externally void @a() {
  ret void
}
)");
  EXPECT_THAT(names(*module), testing::ElementsAre("second", "odd \xff\"\x01,", "", "a"));
  EXPECT_THAT(instructions(*module), testing::ElementsAre(2, 1, 3, 1));
}

TEST(FunctionListsTest, HashesKnowAFunctionAgain) {
  const auto hashes = [](const std::string& text) { return numbers("function_hashes", *parseText(text)); };
  const auto before = hashes(R"(
@.str = private constant [3 x i8] c"ab\00"
declare void @puts(ptr)
define void @f() minsize {
  call void @puts(ptr @.str)
  ret void
}
define i32 @g(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
)");
  // Its string has another name, and attributes another number.
  const auto after = hashes(R"(
@.str = private constant [3 x i8] c"zz\00"
@.str.1 = private constant [3 x i8] c"ab\00"
declare void @puts(ptr)
define i32 @other(i32 %x) cold {
  ret i32 %x
}
define void @f() minsize {
  call void @puts(ptr @.str.1)
  ret void
}
define i32 @g(i32 %x) minsize {
  %y = add i32 %x, 1
  ret i32 %y
}
define i32 @h(i32 %x) {
  %y = add i32 %x, 2
  ret i32 %y
}
)");
  ASSERT_EQ(before.size(), 2u);
  ASSERT_EQ(after.size(), 4u);
  EXPECT_EQ(before[0], after[1]);
  EXPECT_NE(before[1], after[2]) << "for size";
  EXPECT_NE(before[1], after[3]) << "another number";
}

TEST(FunctionListsTest, OfNoFunctionsAreEmpty) {
  const ir::OwnedModule module = parseText("declare void @f()\n@g = global i32 0");
  EXPECT_THAT(names(*module), testing::IsEmpty());
  EXPECT_THAT(instructions(*module), testing::IsEmpty());
}

TEST(FunctionListsTest, TheirInstructionsAreAllThatThereAre) {
  const auto modules = compiledSamples();
  if (modules.empty()) GTEST_SKIP() << "needs clang-22";
  for (const ir::OwnedModule& module : modules) {
    const std::vector<std::int64_t> each = instructions(*module);
    EXPECT_EQ(each.size(), names(*module).size());
    EXPECT_EQ(std::accumulate(each.begin(), each.end(), std::int64_t{0}), module->getInstructionCount());
  }
}

}  // namespace
}  // namespace ordo::features
