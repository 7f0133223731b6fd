#include "llvm/features/ir2vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "tests/unit/llvm/features/ir2vec_oracle.h"

namespace ordo::features {
namespace {

Vector entity(const char* section, const char* name) {
  const Json json = *parseJson(*readFile(dataDir() / "ir2vec/vocabulary.json"), "vocabulary");
  return json[section][name].get<Vector>();
}

TEST(Ir2VecTest, EqualsLlvmsToolOnCompiledPrograms) {
  const auto modules = compiledSamples();
  if (modules.empty() || !findProgram({"llvm-ir2vec-22"}))
    GTEST_SKIP() << "needs clang-22 and llvm-ir2vec-22";
  const Ir2VecOracle oracle;
  for (const ir::OwnedModule& module : modules) {
    EXPECT_EQ(oracle.disagreement(*module), "");
  }
}

TEST(Ir2VecTest, IsWhatTheDefinitionSaysByHand) {
  const auto module = parseText(R"(
declare void @ext()
define i32 @f(i32 %x) {
  %y = add i32 %x, 1
  ret i32 %y
}
define void @g() {
  ret void
dead:
  ret void
})");
  // The weights of opcode, type and argument are LLVM's: 1, 0.5 and 0.2.
  const Vector add = entity("Opcodes", "Add"), ret = entity("Opcodes", "Ret");
  const Vector integer = entity("Types", "IntegerTy"), nothing = entity("Types", "VoidTy");
  const Vector variable = entity("Arguments", "Variable"), constant = entity("Arguments", "Constant");
  const auto symbolic = floats("ir2vec_functions", *module);
  const auto flow = floats("ir2vec_flow_functions", *module);
  ASSERT_EQ(symbolic.size(), 2 * embedding::kDim);
  for (std::size_t i = 0; i < embedding::kDim; ++i) {
    const double y = add[i] + 0.5 * integer[i] + 0.2 * (variable[i] + constant[i]);
    const double back = ret[i] + 0.5 * nothing[i];
    EXPECT_NEAR(symbolic[i], y + back + 0.2 * variable[i], 1e-6);
    EXPECT_NEAR(flow[i], y + back + y, 1e-6);
    EXPECT_NEAR(symbolic[embedding::kDim + i], back, 1e-6) << "unreachable blocks do not count";
  }
}

TEST(Ir2VecTest, LongChainsStayNumbers) {
  std::string text = "define i32 @f(i32 %x0) {\n";
  for (int i = 0; i < 2000; ++i) text += fmt::format("  %x{} = add i32 %x{}, %x{}\n", i + 1, i, i);
  const auto module = parseText(text + "  ret i32 %x2000\n}\n");
  for (const float x : floats("ir2vec_flow", *module)) EXPECT_TRUE(std::isfinite(x));
}

TEST(Ir2VecTest, AModuleWithoutBodiesHasNoRowsAndIsZero) {
  const auto module = parseText("declare void @f()");
  EXPECT_TRUE(floats("ir2vec_functions", *module).empty());
  EXPECT_THAT(floats("ir2vec", *module), testing::Each(0.0f));
}

// Each in a process of its own, because a process reads the vocabulary once.
TEST(Ir2VecDeathTest, ABadVocabularyIsAnErrorThatNamesTheFile) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  const auto say = [](const char* text) {
    const TempDir dir = TempDir::create().value();
    if (*text != 0) {
      std::filesystem::create_directories(dir.path() / "ir2vec");
      ORDO_CHECK(writeFile(dir.path() / "ir2vec" / "vocabulary.json", text).has_value(), "no file");
    }
    ::setenv("ORDO_DATA", dir.path().c_str(), 1);
    const Status loaded = embedding::loadVocabulary();
    std::fputs(loaded ? "loaded" : loaded.error().message.c_str(), stderr);
    std::_Exit(loaded ? 0 : 1);
  };
  EXPECT_EXIT(say(""), testing::ExitedWithCode(1), "vocabulary.json");
  EXPECT_EXIT(say("no JSON"), testing::ExitedWithCode(1), "vocabulary.json");
  EXPECT_EXIT(say("{}"), testing::ExitedWithCode(1), "no section 'Opcodes'");
  EXPECT_EXIT(say(R"({"Opcodes": {"Ret": [1]}})"), testing::ExitedWithCode(1),
              "'Ret' must have 64 numbers; make the file with 'ordo train ir2vec'");
}

}  // namespace
}  // namespace ordo::features
