#include "llvm/execution/entries.h"

#include <gmock/gmock.h>
#include <llvm/IR/Module.h>

#include "llvm/ir/module.h"
#include "tests/unit/llvm/execution/versions.h"

namespace ordo::execution {
namespace {

using testing::ElementsAre;

TEST(EntriesTest, MakesAModuleStandAlone) {
  const auto text = module(R"(
@llvm.global_ctors = appending global [2 x { i32, ptr, ptr }] [{ i32, ptr, ptr } { i32 9, ptr @late, ptr null }, { i32, ptr, ptr } { i32 1, ptr @early, ptr null }]
@g = internal thread_local global i32 0
define internal void @late() { ret void }
define internal void @early() { ret void }
define void @many(...) { call void @other(i32 1)  ret void }
declare void @other(i32)
declare void @given()
)");
  const auto parsed = *ir::parse(text, "test");
  const Prepared prepared = prepare(*parsed, [](const std::string& name) { return name == "given"; });
  EXPECT_EQ(ir::verify(*parsed), "");
  EXPECT_THAT(prepared.entries, ElementsAre("late", "early"));  // @many takes what no slot says
  EXPECT_THAT(prepared.constructors, ElementsAre("early", "late"));
  ASSERT_EQ(prepared.variables.size(), 1u);
  EXPECT_FALSE(prepared.variables[0].visible);
  EXPECT_FALSE(parsed->getFunction("other")->isDeclaration());
  EXPECT_TRUE(parsed->getFunction("given")->isDeclaration());
}

}  // namespace
}  // namespace ordo::execution
