#include "check/culprit.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/stock.h"
#include "env/choices.h"
#include "notation/action.h"
#include "support/files.h"

namespace ordo::check {
namespace {

using testing::AllOf;
using testing::HasSubstr;

class CulpritTest : public testing::Test {
 protected:
  CulpritTest() : dir_(*TempDir::create()) {
    setInstallPrefix(std::filesystem::path(ORDO_BIN_DIR).parent_path());
    EXPECT_TRUE(writeFile(dir_.path() / "part.c", "int twice(int x) { int y = x + x; return y; }\n"));
    input_ = *engine::prepareInput((dir_.path() / "part.c").string(), {}, {});
    for (const char* pass : {"verify", "mem2reg", "verify", "instcombine", "verify"}) {
      actions_.push_back({pass, notation::kPipeline, pass});
    }
  }

  TempDir dir_;
  engine::Input input_;
  std::vector<env::Action> actions_;
};

// "Wrong" is to be smaller than it was, as without local variables: mem2reg is to blame.
TEST_F(CulpritTest, IsThePassAfterWhichItIsWrong) {
  int asked = 0;
  const auto culprit = findCulprit(input_, actions_, [&](const std::string& bitcode) -> Result<bool> {
    ++asked;
    return bitcode.size() < engine::runStock(input_.compiled.bytes, {actions_[0]}, input_.codegen)->size();
  });
  ASSERT_TRUE(culprit) << culprit.error().message;
  EXPECT_EQ(culprit->index, 1u);
  EXPECT_EQ(culprit->action.text, "mem2reg");
  EXPECT_LT(culprit->after.size(), culprit->before.size());
  EXPECT_LE(asked, 3);
}

// Of choices the culprit is a function: here the one that is made smaller.
TEST_F(CulpritTest, OfChoicesIsTheFunctionToBlame) {
  ASSERT_TRUE(writeFile(dir_.path() / "part.c",
                        "int twice(int x) { int y = x + x; return y; }\n"
                        "int once(int x) { return x; }\nint more(int x) { return x + 1; }\n"));
  input_ = *engine::prepareInput((dir_.path() / "part.c").string(), {}, {});
  const std::vector<env::Action> actions{
      actions_[0],
      env::choose({{"", "dce", "mem2reg,instcombine"}, {{"more", 1}, {"once", 1}, {"twice", 2}}}),
      actions_[2]};
  const auto culprit = findCulprit(input_, actions, [&](const std::string& bitcode) -> Result<bool> {
    return bitcode.size() < engine::runStock(input_.compiled.bytes, {actions[0]}, input_.codegen)->size();
  });
  ASSERT_TRUE(culprit) << culprit.error().message;
  EXPECT_EQ(culprit->index, 1u);
  EXPECT_EQ(culprit->action.text, env::choose({{"", "mem2reg,instcombine"}, {{"twice", 1}}}).text);
  EXPECT_EQ(culprit->shown(), "mem2reg,instcombine of twice");

  Bug bug{&input_, actions, culprit->after, "twice returns 7, not 6", nullptr, &*culprit};
  ASSERT_TRUE(saveBug(bug, dir_.path() / "bug", 20));
  EXPECT_THAT(*readFile(dir_.path() / "bug" / "README.md"),
              AllOf(HasSubstr("`mem2reg,instcombine of twice`"), HasSubstr("before.bc -o after.1.bc"),
                    HasSubstr("after.1.bc -o after.bc")));
}

TEST_F(CulpritTest, IsFiledWithTheCommandsThatShowIt) {
  const auto culprit = findCulprit(input_, actions_, [&](const std::string& bitcode) -> Result<bool> {
    return bitcode.size() < engine::runStock(input_.compiled.bytes, {actions_[0]}, input_.codegen)->size();
  });
  ASSERT_TRUE(culprit) << culprit.error().message;
  differ::FunctionReport function;
  function.name = "twice";
  function.input = "twice(3)";
  Bug bug{&input_, actions_, culprit->after, "functions: twice returns 7, not 6", &function, &*culprit};
  const auto where = dir_.path() / "bugs" / "1";
  const Status saved = saveBug(bug, where, 20);
  ASSERT_TRUE(saved) << saved.error().message;
  const std::string text = *readFile(where / "README.md");
  EXPECT_THAT(text, AllOf(HasSubstr("twice returns 7"), HasSubstr("twice(3)"), HasSubstr("-passes=mem2reg"),
                          HasSubstr("Number 1 of the sequence"), HasSubstr("ordo-differ")));
  EXPECT_EQ(*readFile(where / "original.bc"), input_.compiled.bytes);
  EXPECT_EQ(*readFile(where / "before.bc"), culprit->before);
  // mem2reg is innocent, so there is nothing that llvm-reduce could keep.
  EXPECT_FALSE(std::filesystem::exists(where / "reduced.ll"));
}

}  // namespace
}  // namespace ordo::check
