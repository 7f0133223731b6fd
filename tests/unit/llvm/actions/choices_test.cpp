#include "llvm/actions/choices.h"

#include <gmock/gmock.h>
#include <llvm/IR/Function.h>

#include "tests/unit/llvm/actions/stock.h"

namespace ordo::actions {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using Numbers = std::map<std::string, std::size_t>;

// Three that are alike, so that what differs in the end was chosen.
constexpr std::string_view kAlike = R"(
target triple = "x86_64-pc-linux-gnu"
declare i32 @outside(i32)
define i32 @a(i32 %x) minsize {
  %y = add i32 %x, 0
  %z = call i32 @outside(i32 %y)
  ret i32 %z
}
define i32 @"b \FF\22"(i32 %x) minsize {
  %y = add i32 %x, 0
  %z = call i32 @outside(i32 %y)
  ret i32 %z
}
define i32 @c(i32 %x) minsize {
  %y = add i32 %x, 0
  %z = call i32 @outside(i32 %y)
  ret i32 %z
}
)";

class ChoicesTest : public testing::Test {
 protected:
  Result<bool> apply(const std::vector<std::string>& sequences, const Numbers& functions) {
    const auto machine = machineFor(module_);
    PipelineRunner runner(*module_, *machine);
    return applyChoices(*module_, runner, sequences, functions);
  }

  std::vector<std::string> namesOf(const std::function<bool(const llvm::Function&)>& has) const {
    std::vector<std::string> names;
    for (const llvm::Function& function : *module_)
      if (has(function)) names.push_back(function.getName().str());
    return names;
  }
  // Those whose addition is gone.
  std::vector<std::string> shorter() const {
    return namesOf(
        [](const llvm::Function& f) { return !f.isDeclaration() && f.getInstructionCount() == 2; });
  }
  std::vector<std::string> with(llvm::Attribute::AttrKind kind) const {
    return namesOf([&](const llvm::Function& f) { return f.hasFnAttribute(kind); });
  }

  ir::OwnedModule module_ = parsed(kAlike);
};

TEST_F(ChoicesTest, OnlyTheChosenFunctionsChange) {
  EXPECT_TRUE(apply({"", "instsimplify"}, {{"b \xff\"", 1}}).value());
  EXPECT_THAT(shorter(), ElementsAre("b \xff\""));
}

TEST_F(ChoicesTest, WhoIsNotNamedGetsTheFirst) {
  EXPECT_TRUE(apply({"instsimplify", ""}, {{"a", 1}}).value());
  EXPECT_THAT(shorter(), ElementsAre("b \xff\"", "c"));
}

TEST_F(ChoicesTest, AttributesAreThoseOfTheChosenAloneAndStandBeforePasses) {
  EXPECT_TRUE(apply({"", "-minsize,+cold", "+optsize,instsimplify", "-minsize"},
                    {{"a", 1}, {"c", 2}, {"outside", 3}, {"nobody", 1}})
                  .value());
  EXPECT_THAT(with(llvm::Attribute::MinSize), ElementsAre("b \xff\"", "c"));
  EXPECT_THAT(with(llvm::Attribute::Cold), ElementsAre("a"));
  EXPECT_THAT(with(llvm::Attribute::OptimizeForSize), ElementsAre("c"));
  EXPECT_THAT(with(llvm::Attribute::OptimizeNone), IsEmpty());
  EXPECT_THAT(shorter(), ElementsAre("c"));
}

// What is for size is not unrolled.
TEST_F(ChoicesTest, PassesRunWithTheAttributesOfTheirSequence) {
  module_ = parsed(clangBitcode("c",
                                "void a(int* p) { for (int i = 0; i < 4; i++) p[i] = i * i; }\n"
                                "void b(int* p) { for (int i = 0; i < 4; i++) p[i] = i * i; }\n",
                                "-O2"));
  constexpr std::string_view kPasses = "sroa,loop(loop-rotate,indvars),loop-unroll<O2>,simplifycfg";
  EXPECT_TRUE(
      apply({"", fmt::format("+minsize,+optsize,{}", kPasses), std::string(kPasses)}, {{"a", 1}, {"b", 2}}));
  EXPECT_GT(module_->getFunction("a")->size(), 1u);
  EXPECT_EQ(module_->getFunction("b")->size(), 1u);
}

TEST_F(ChoicesTest, TheySayWhetherTheyChangedAnything) {
  EXPECT_FALSE(apply({""}, {}).value());
  EXPECT_FALSE(apply({"", "-cold"}, {{"a", 1}}).value());
  EXPECT_TRUE(apply({"", "-minsize"}, {{"a", 1}}).value());
  EXPECT_FALSE(apply({"", "-minsize,dce"}, {{"a", 1}}).value());
  EXPECT_FALSE(apply({"", "instsimplify"}, {{"nobody", 1}}).value());
  EXPECT_TRUE(apply({"instsimplify"}, {}).value());
}

TEST_F(ChoicesTest, WhatIsRefusedChangesNothing) {
  const std::string before = ir::writeBitcode(*module_);
  const std::pair<std::vector<std::string>, const char*> wrong[] = {
      {{"instsimplify", "no-such-pass"}, "no-such-pass"},
      {{"no-such-pass", "instsimplify"}, "no-such-pass"},
      {{"instsimplify", "+no-such-attribute,dce"}, "no-such-attribute"},
      {{"instsimplify", "+target-cpu"}, "target-cpu"},
      {{"instsimplify", "-"}, "-"},
      // What is not of functions, and what would end the parentheses around it.
      {{"instsimplify", "globaldce"}, "globaldce"},
      {{"instsimplify", "cgscc(inline)"}, "cgscc"},
      {{"instsimplify", "dce),globaldce,function(dce"}, "dce"},
      {{"instsimplify", "dce,"}, ""},
      {{"instsimplify", "dce,+cold"}, "+cold"},
      // What stock opt would run on everybody, optnone or not.
      {{"instsimplify", "lower-atomic"}, "LowerAtomicPass"},
      {{"instsimplify", "print<domtree>"}, "DominatorTreePrinterPass"},
      {{"", "loop(loop-rotate),lower-matrix-intrinsics<minimal>"}, "LowerMatrixIntrinsicsPass"},
  };
  for (const auto& [sequences, why] : wrong) {
    const Result<bool> changed = apply(sequences, {{"a", 1}});
    ASSERT_FALSE(changed) << sequences.back();
    EXPECT_EQ(changed.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(changed.error().message, HasSubstr(why));
    EXPECT_EQ(ir::writeBitcode(*module_), before) << sequences.back();
  }
}

// All of clang's own simplifications have coro-elide.
TEST_F(ChoicesTest, WhatIsOfCoroutinesIsRefusedWhereThereAreSome) {
  EXPECT_TRUE(apply({"", "function-simplification<Oz>"}, {{"a", 1}}));
  EXPECT_THAT(shorter(), ElementsAre("a"));
  module_ = parsed(std::string(kAlike) + "declare token @llvm.coro.id(i32, ptr, ptr, ptr)\n");
  for (const char* sequence : {"dce,coro-elide", "function-simplification<Oz>"}) {
    const Result<bool> changed = apply({"", sequence}, {{"a", 1}});
    ASSERT_FALSE(changed) << sequence;
    EXPECT_THAT(changed.error().message, HasSubstr("CoroElidePass"));
  }
  EXPECT_THAT(shorter(), IsEmpty());
}

TEST_F(ChoicesTest, RequiredPassesThatChangeNothingAreAllowed) {
  EXPECT_TRUE(
      apply({"", "require<domtree>,verify,loop-mssa(licm),instsimplify,invalidate<all>"}, {{"a", 1}}));
  EXPECT_THAT(shorter(), ElementsAre("a"));
}

// Stock opt leaves out whom a sequence is not for by that attribute, and takes it away from all in the end.
TEST_F(ChoicesTest, AFunctionThatIsOptnoneIsRefusedByName) {
  module_->getFunction("c")->removeFnAttr(llvm::Attribute::MinSize);
  module_->getFunction("c")->addFnAttr(llvm::Attribute::NoInline);
  module_->getFunction("c")->addFnAttr(llvm::Attribute::OptimizeNone);
  const std::string before = ir::writeBitcode(*module_);
  const Result<bool> changed = apply({"", "instsimplify"}, {{"a", 1}});
  ASSERT_FALSE(changed);
  EXPECT_EQ(changed.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(changed.error().message, HasSubstr("'c' is optnone"));
  EXPECT_EQ(ir::writeBitcode(*module_), before);
}

}  // namespace
}  // namespace ordo::actions
