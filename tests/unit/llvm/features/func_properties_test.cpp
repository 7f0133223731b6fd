#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/unit/llvm/features/sample.h"

namespace ordo::features {
namespace {

using Row = std::map<std::string, std::int64_t>;

std::vector<Row> ours(const llvm::Module& module) {
  const std::string bytes = extract("func_properties", module);
  const auto names = find("func_properties")->element_names;
  std::vector<Row> rows(bytes.size() / sizeof(std::int64_t) / names.size());
  for (std::size_t i = 0; i < rows.size() * names.size(); ++i) {
    std::memcpy(&rows[i / names.size()][std::string(names[i % names.size()])],
                bytes.data() + i * sizeof(std::int64_t), sizeof(std::int64_t));
  }
  return rows;
}

// What stock opt prints: a heading per function, then NAME: NUMBER lines.
std::vector<Row> stock(const llvm::Module& module) {
  const auto run = runProcess(
      {"opt-22", "-disable-output", "-passes=print<func-properties>", "-enable-detailed-function-properties"},
      {.input = ir::writeExactBitcode(module), .dir = {}});
  ORDO_CHECK(run.has_value() && run->ok(), "{}", run ? run->err : run.error().message);
  std::vector<Row> rows;
  std::istringstream lines(run->err + run->out);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("Printing analysis results")) {
      rows.emplace_back();
    } else if (const std::size_t colon = line.find(": "); colon != std::string::npos) {
      rows.back()[line.substr(0, colon)] = std::stoll(line.substr(colon + 2));
    }
  }
  return rows;
}

TEST(FuncPropertiesTest, AreWhatStockOptPrints) {
  const auto modules = compiledSamples();
  if (modules.empty() || !findProgram({"opt-22"})) GTEST_SKIP() << "needs clang-22 and opt-22";
  for (const ir::OwnedModule& module : modules) EXPECT_EQ(ours(*module), stock(*module));
}

TEST(FuncPropertiesTest, ALoopCountsAsByHand) {
  const auto rows = ours(*parseText(R"(
declare void @ext()
define void @f(i32 %n) {
entry:
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %next = add i32 %i, 1
  call void @ext()
  %done = icmp eq i32 %next, %n
  br i1 %done, label %out, label %loop
out:
  ret void
dead:
  unreachable
}
define internal void @g() {
  call void @f(i32 7)
  ret void
})"));
  ASSERT_EQ(rows.size(), 2u);
  Row f = rows[0];
  EXPECT_EQ(f["BasicBlockCount"], 3) << "without what nothing reaches";
  EXPECT_EQ(f["TotalInstructionCount"], 7);
  EXPECT_EQ(f["MaxLoopDepth"], 1);
  EXPECT_EQ(f["TopLevelLoopCount"], 1);
  EXPECT_EQ(f["Uses"], 2) << "g and whoever links against it";
  EXPECT_EQ(f["CriticalEdgeCount"], 1);
  EXPECT_EQ(f["DirectCallsToDefinedFunctions"], 0);
  Row g = rows[1];
  EXPECT_EQ(g["Uses"], 0);
  EXPECT_EQ(g["DirectCallsToDefinedFunctions"], 1);
}

}  // namespace
}  // namespace ordo::features
