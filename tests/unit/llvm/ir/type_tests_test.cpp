#include "llvm/ir/type_tests.h"

#include <gtest/gtest.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"

namespace ordo::ir {
namespace {

bool ask(const std::string& text) {
  const Result<OwnedModule> module = parse(text, "test");
  EXPECT_TRUE(module);
  return module && hasTypeTests(**module);
}

TEST(TypeTestsTest, OnlyTestsThatAreAskedCount) {
  EXPECT_TRUE(ask(R"(
    declare i1 @llvm.type.test(ptr, metadata)
    define i1 @f(ptr %p) {
      %known = call i1 @llvm.type.test(ptr %p, metadata !"A")
      ret i1 %known
    })"));
  EXPECT_FALSE(ask("declare i1 @llvm.type.test(ptr, metadata)"));
  EXPECT_FALSE(ask("@table = constant [1 x ptr] zeroinitializer, !type !0\n!0 = !{i64 0, !\"A\"}"));
}

}  // namespace
}  // namespace ordo::ir
