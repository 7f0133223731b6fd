#include "llvm/actions/activity.h"

#include <gtest/gtest.h>
#include <llvm/IR/Function.h>
#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>

#include <string>

#include "llvm/ir/module.h"

namespace ordo::actions {
namespace {

struct Pass {
  std::string called;
  llvm::StringRef name() const { return called; }
  static bool isRequired() { return true; }
};

TEST(ActivityTest, NamesThePassAndItsFunctionWhileItRuns) {
  const Result<ir::OwnedModule> module = ir::parse("define void @zalloc() {\n ret void\n}\n", "a");
  ASSERT_TRUE(module) << module.error().message;
  const llvm::Function& function = *(*module)->getFunction("zalloc");
  llvm::PassInstrumentationCallbacks callbacks;
  noteActivity(callbacks);
  const llvm::PassInstrumentation passes(&callbacks);
  EXPECT_STREQ(activity(), "");
  passes.runBeforePass(Pass{"DSEPass"}, function);
  EXPECT_STREQ(activity(), "the pass DSEPass on function zalloc");
  // Who only runs others says nothing.
  passes.runBeforePass(Pass{"PassManager<llvm::Function>"}, function);
  EXPECT_STREQ(activity(), "the pass DSEPass on function zalloc");
  passes.runAfterPass(Pass{"DSEPass"}, function, llvm::PreservedAnalyses::all());
  EXPECT_STREQ(activity(), "");
}

TEST(ActivityTest, ANameThatIsTooLongEndsEarly) {
  const Result<ir::OwnedModule> module =
      ir::parse("define void @" + std::string(1000, 'x') + "() {\n ret void\n}\n", "a");
  ASSERT_TRUE(module) << module.error().message;
  const llvm::Function& function = *(*module)->begin();
  llvm::PassInstrumentationCallbacks callbacks;
  noteActivity(callbacks);
  const llvm::PassInstrumentation passes(&callbacks);
  passes.runBeforePass(Pass{"DSEPass"}, function);
  const std::string said = activity();
  EXPECT_TRUE(said.starts_with("the pass DSEPass on function xxx"));
  EXPECT_LT(said.size(), 240U);
  passes.runAfterPass(Pass{"DSEPass"}, function, llvm::PreservedAnalyses::all());
}

}  // namespace
}  // namespace ordo::actions
