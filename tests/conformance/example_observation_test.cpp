// The example of an observation in one file compiles as it stands and counts what it says.
#include <gtest/gtest.h>
#include <llvm/AsmParser/Parser.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/Support/SourceMgr.h>

#include <cstring>

#include "examples/new_observation/loads.cpp"

namespace ordo::features {
namespace {

TEST(ExampleObservationTest, CountsLoadsAndVolatileOnes) {
  llvm::LLVMContext context;
  llvm::SMDiagnostic problem;
  const auto module = llvm::parseAssemblyString(
      "define i32 @f(ptr %p) {\n"
      "  %a = load i32, ptr %p\n"
      "  %b = load volatile i32, ptr %p\n"
      "  %c = add i32 %a, %b\n"
      "  ret i32 %c\n"
      "}\n",
      problem, context);
  ASSERT_NE(module, nullptr) << problem.getMessage().str();
  std::string bytes;
  loads.extract(*module, bytes);
  ASSERT_EQ(bytes.size(), loads.width * sizeof(std::int64_t));
  std::int64_t counts[2];
  std::memcpy(counts, bytes.data(), sizeof(counts));
  EXPECT_EQ(counts[0], 2);
  EXPECT_EQ(counts[1], 1);
}

}  // namespace
}  // namespace ordo::features
