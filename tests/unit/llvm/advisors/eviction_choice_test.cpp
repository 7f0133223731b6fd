#include "llvm/advisors/eviction_choice.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "llvm/ir/codegen_options.h"
#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/process.h"

namespace ordo::advisors {
namespace {

using ir::CodegenOptions;

class EvictionChoiceTest : public testing::Test {
 protected:
  void SetUp() override { offerEvictionChoice(ORDO_SOURCE_DIR "/data/advisors"); }

  std::string refusal(const std::string& option) {
    testing::internal::CaptureStderr();
    const Result<CodegenOptions> set = CodegenOptions::set({&option, 1});
    const std::string said = testing::internal::GetCapturedStderr();
    EXPECT_FALSE(set) << option;
    EXPECT_FALSE(chosenEviction()) << option;
    return said;
  }
};

// A program in which registers are short, by -Oz and its attributes.
std::string crowded() {
  const auto made = runProcess(
      {"clang-22", ORDO_SOURCE_DIR "/suite/sorts/sorts.c", "-o", "-", "-c", "-w", "-Oz", "-emit-llvm"},
      {.input = "", .dir = {}});
  EXPECT_TRUE(made && made->ok());
  return made->out;
}

std::string objectOf(const std::string& bitcode, const std::vector<std::string>& options) {
  ir::initialiseTargets();
  const ir::OwnedModule module = *ir::parse(bitcode, "sorts");
  const auto machine = *ir::makeTargetMachine(*module, {});
  const Result<CodegenOptions> set = CodegenOptions::set(options);
  EXPECT_TRUE(set.has_value());
  return *ir::emit(*module, *machine, ir::EmitKind::kObject);
}

TEST_F(EvictionChoiceTest, HoldsForWhatIsEmittedWhileItIsSet) {
  const std::string bitcode = crowded();
  const std::string before = objectOf(bitcode, {});
  const std::string chosen = objectOf(bitcode, {"-ordo-evict=evict"});
  EXPECT_LT(ir::objectSizes(chosen)->code, ir::objectSizes(before)->code);
  EXPECT_EQ(objectOf(bitcode, {"-ordo-evict=evict"}), chosen);
  EXPECT_FALSE(chosenEviction());
  EXPECT_EQ(objectOf(bitcode, {}), before);
}

TEST_F(EvictionChoiceTest, IsOneOfSeveralChoices) {
  const std::string bitcode = crowded();
  const std::string other = objectOf(bitcode, {"-disable-block-placement"});
  const std::string both = objectOf(bitcode, {"-disable-block-placement", "-ordo-evict=evict"});
  EXPECT_LT(ir::objectSizes(both)->code, ir::objectSizes(other)->code);
}

TEST_F(EvictionChoiceTest, TakesNamesOfWeightsThatDecideThis) {
  EXPECT_THAT(refusal("-ordo-evict=nobody"), testing::HasSubstr("nobody.safetensors"));
  EXPECT_THAT(refusal("-ordo-evict=inline-size"), testing::HasSubstr("decides 'inline'"));
  for (const char* path : {"../advisors/evict", "/etc/passwd", "evict.safetensors", "Evict", ""})
    EXPECT_THAT(refusal(std::string("-ordo-evict=") + path), testing::HasSubstr("not a name of weights"))
        << path;
}

// Recipes know weights by their name: other ones get another name.
TEST(ShippedEvictionTest, IsNotChanged) {
  const Result<std::string> bytes = readFile(ORDO_SOURCE_DIR "/data/advisors/evict.safetensors");
  ASSERT_TRUE(bytes);
  EXPECT_EQ(hashBytes(*bytes).hex(), "23ed2eed0370d339fd85be618893cf3a");
}

}  // namespace
}  // namespace ordo::advisors
