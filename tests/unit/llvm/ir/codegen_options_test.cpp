#include "llvm/ir/codegen_options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <llvm/IR/Module.h>
#include <llvm/Target/TargetMachine.h>

#include "llvm/ir/module.h"
#include "llvm/ir/target.h"
#include "support/files.h"
#include "tests/unit/llvm/session/programs.h"

namespace ordo::ir {
namespace {

// Whose blocks clang lays out at the cost of a jump.
constexpr const char* kLoop = R"(
int find(const int *a, int n, int x) {
  for (int i = 0; i < n; ++i) {
    if (a[i] == x) return i;
    if (a[i] > 1000) return -2;
  }
  return -1;
}
)";

class CodegenOptionsTest : public testing::Test {
 protected:
  std::string emitWith(const std::vector<std::string>& options) {
    initialiseTargets();
    const OwnedModule module = *parse(bitcode_, "loop");
    const auto machine = *makeTargetMachine(*module, {});
    const Result<CodegenOptions> set = CodegenOptions::set(options);
    EXPECT_TRUE(set.has_value());
    return *emit(*module, *machine, EmitKind::kAssembly);
  }

  // What stock clang makes of the same bitcode.
  std::string stock(const std::vector<std::string>& options) {
    std::vector<std::string> argv{"clang-22", "-Oz", "-fPIC", "-x", "ir", "-Xclang", "-disable-llvm-passes",
                                  "-S"};
    for (const std::string& option : options) argv.insert(argv.end(), {"-mllvm", option});
    argv.insert(argv.end(), {"-", "-o", "-"});
    return session::runTool(argv, bitcode_);
  }

  const std::string bitcode_ =
      session::runTool({"clang-22", "-Oz", "-fPIC", "-x", "c", "-emit-llvm", "-c", "-", "-o", "-"}, kLoop);
};

// The instructions, without directives, comments and labels.
std::string instructions(const std::string& assembly) {
  std::string result;
  for (std::size_t at = 0; at < assembly.size();) {
    const std::size_t end = std::min(assembly.find('\n', at), assembly.size());
    const std::string line =
        assembly.substr(at, assembly.find('#', at) < end ? assembly.find('#', at) - at : end - at);
    if (line.starts_with('\t') && !line.starts_with("\t.")) result += line + '\n';
    at = end + 1;
  }
  return result;
}

TEST_F(CodegenOptionsTest, MakeWhatClangMakesWithThem) {
  bool changed = false;
  for (const std::vector<std::string>& options :
       std::vector<std::vector<std::string>>{{},
                                             {"-disable-block-placement"},
                                             {"-disable-lsr"},
                                             {"-misched=ilpmax"},
                                             {"-fixup-byte-word-insts=false"},
                                             {"-disable-block-placement", "-disable-cgp"}}) {
    EXPECT_EQ(instructions(emitWith(options)), instructions(stock(options)))
        << testing::PrintToString(options);
    changed = changed || emitWith(options) != emitWith({});
  }
  EXPECT_TRUE(changed);
}

TEST_F(CodegenOptionsTest, HoldNoLongerThanTheyLive) {
  const std::string before = emitWith({});
  const std::string with =
      emitWith({"-disable-block-placement", "-misched=ilpmin", "-max-jump-table-size=1"});
  EXPECT_NE(with, before);
  EXPECT_EQ(emitWith({}), before);
  EXPECT_EQ(emitWith({"-disable-block-placement", "-misched=ilpmin", "-max-jump-table-size=1"}), with);
}

TEST_F(CodegenOptionsTest, WhatLlvmDoesNotKnowIsRefusedAndSetsNothing) {
  const std::string before = emitWith({});
  for (const std::string wrong : {"-no-such-option", "disable-lsr", "-misched=nonsense", "", "-"}) {
    const std::vector<std::string> options{"-disable-block-placement", wrong};
    testing::internal::CaptureStderr();
    const Result<CodegenOptions> set = CodegenOptions::set(options);
    testing::internal::GetCapturedStderr();
    ASSERT_FALSE(set) << wrong;
    EXPECT_EQ(set.error().code, ErrorCode::kInvalidArgument);
    EXPECT_THAT(set.error().message, testing::HasSubstr("'" + wrong + "'"));
  }
  EXPECT_EQ(emitWith({}), before);
}

}  // namespace
}  // namespace ordo::ir
