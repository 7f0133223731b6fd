#include "engine/function_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

#include "engine/input.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

using testing::Contains;
using testing::Not;

TEST(FunctionUriTest, IsAProgramAndAName) {
  const auto uri = functionUri("suite/chess#_Z4playv");
  ASSERT_TRUE(uri);
  EXPECT_EQ(uri->program, "suite/chess");
  EXPECT_EQ(uri->function, "_Z4playv");
  EXPECT_EQ(functionUri("a#b.c#f")->program, "a#b.c");
  for (const char* none : {"suite/chess", "suite/chess#", "#play", "#", ""})
    EXPECT_FALSE(functionUri(none)) << none;
}

TEST(FunctionUriTest, AFileMayBeCalledSo) {
  const TempDir dir = *TempDir::create();
  const std::string file = dir.path() / "a#b.c";
  EXPECT_TRUE(functionUri(file));
  std::ofstream(file) << "int b;";
  EXPECT_FALSE(functionUri(file));
}

TEST(FunctionProgramTest, FunctionsAreThoseThatAreLeftOnceCallsAreInlined) {
  const auto engine = *Engine::start({.limits = {}, .remember_crashes = false});
  const Input input = *prepareInput("suite/chess", Baseline{}, {});
  const env::SessionSpec spec{"chess", input.compiled.bytes, {}, input.settings()};
  const Result<std::vector<std::string>> given = functionNames(*engine, spec);
  const Result<std::string> inlined = inlinedProgram(*engine, spec);
  ASSERT_TRUE(given && inlined);
  const std::vector<std::string> left = *functionNames(*engine, {"chess", *inlined, {}, spec.settings});
  EXPECT_LT(left.size(), given->size());
  EXPECT_THAT(left, Contains("main"));
  EXPECT_THAT(left, Not(Contains("")));
  EXPECT_FALSE(inlinedProgram(*engine, {"none", "no program", {}, ""}));
}

}  // namespace
}  // namespace ordo::engine
