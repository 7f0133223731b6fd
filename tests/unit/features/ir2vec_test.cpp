#include "features/ir2vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>

#include "support/files.h"
#include "support/json.h"
#include "tests/unit/features/sample.h"

namespace ordo::features {
namespace {

using Vector = std::vector<double>;

std::vector<float> floats(std::string_view feature, const llvm::Module& module) {
  const std::string bytes = extract(feature, module);
  std::vector<float> values(bytes.size() / sizeof(float));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

Vector entity(const char* section, const char* name) {
  const Json json = *parseJson(*readFile(dataDir() / "ir2vec/vocabulary.json"), "vocabulary");
  return json[section][name].get<Vector>();
}

// What llvm-ir2vec-22 says of each function with a body. It prints two digits, so it gets a vocabulary
// that is a hundred million times as large; embeddings are linear in it.
class Ir2VecOracle {
 public:
  static constexpr double kScale = 1e8;

  Ir2VecOracle() : dir_(TempDir::create().value()) {
    Json json = *parseJson(*readFile(dataDir() / "ir2vec/vocabulary.json"), "vocabulary");
    for (auto& section : json) {
      for (auto& numbers : section) {
        for (auto& number : numbers) number = number.get<double>() * kScale;
      }
    }
    ORDO_CHECK(writeFile(dir_.path() / "scaled.json", writeJson(json)).has_value(), "no temporary file");
  }

  std::vector<Vector> functions(const llvm::Module& module, const char* kind) const {
    const auto run = runProcess({"llvm-ir2vec-22", "embeddings", "--level=func",
                                 "--ir2vec-vocab-path=" + (dir_.path() / "scaled.json").string(),
                                 std::string("--ir2vec-kind=") + kind, "-"},
                                {.input = ir::writeExactBitcode(module), .dir = {}});
    ORDO_CHECK(run.has_value() && run->ok(), "{}", run ? run->err : run.error().message);
    std::vector<Vector> rows;
    std::istringstream lines(run->out);
    for (std::string line; std::getline(lines, line);) {
      if (!line.starts_with(" [")) continue;
      std::istringstream numbers(line.substr(2));
      rows.emplace_back();
      for (double number = 0; numbers >> number;) rows.back().push_back(number / kScale);
    }
    return rows;
  }

 private:
  TempDir dir_;
};

// float32 of sums in double: 1e-5 of the number, or of 1 if that is more.
double tolerance(double expected) { return 1e-5 * std::max(1.0, std::abs(expected)); }

TEST(Ir2VecTest, EqualsLlvmsToolOnCompiledPrograms) {
  const auto modules = compiledSamples();
  if (modules.empty() || !findProgram({"llvm-ir2vec-22"}))
    GTEST_SKIP() << "needs clang-22 and llvm-ir2vec-22";
  const Ir2VecOracle oracle;
  for (const ir::OwnedModule& module : modules) {
    for (const bool flow : {false, true}) {
      const auto rows = oracle.functions(*module, flow ? "flow-aware" : "symbolic");
      const auto ours = floats(flow ? "ir2vec_flow_functions" : "ir2vec_functions", *module);
      const auto sum = floats(flow ? "ir2vec_flow" : "ir2vec", *module);
      ASSERT_EQ(ours.size(), rows.size() * embedding::kDim);
      Vector expected_sum(embedding::kDim);
      for (std::size_t i = 0; i < rows.size(); ++i) {
        ASSERT_EQ(rows[i].size(), embedding::kDim);
        for (std::size_t j = 0; j < embedding::kDim; ++j) {
          ASSERT_NEAR(ours[i * embedding::kDim + j], rows[i][j], tolerance(rows[i][j])) << i << " " << j;
          expected_sum[j] += rows[i][j];
        }
      }
      for (std::size_t j = 0; j < embedding::kDim; ++j) {
        ASSERT_NEAR(sum[j], expected_sum[j], tolerance(expected_sum[j])) << j;
      }
    }
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
