#include "datasets/kernel_kinds.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "datasets/dataset.h"
#include "support/files.h"

namespace ordo::datasets {
namespace {

using testing::HasSubstr;

class KernelKindsTest : public testing::Test {
 protected:
  void SetUp() override { ::setenv("ORDO_CACHE", dir_.path().c_str(), 1); }
  void TearDown() override { ::unsetenv("ORDO_CACHE"); }
  TempDir dir_ = *TempDir::create();
};

TEST_F(KernelKindsTest, AllThatIsListedIsWritten) {
  const std::vector<std::string> all = *listPrograms("mlir", {});
  for (const std::string& uri : all) {
    const Result<Program> program = loadProgram(uri);
    ASSERT_TRUE(program) << uri << ": " << program.error().message;
    EXPECT_EQ(program->kind, ProgramKind::kKernel);
    EXPECT_EQ(program->uri, uri);
    EXPECT_THAT(*readFile(program->path()), HasSubstr("func.func @"));
  }
}

TEST_F(KernelKindsTest, OtherSizesMayBeNamedAndNonsenseIsSaid) {
  EXPECT_THAT(*readFile(loadProgram("mlir/matmul/3x5x7")->path()), HasSubstr("tensor<3x7xf32>"));
  for (const char* uri : {"mlir/matmul", "mlir/matmul/", "mlir/matmul/3x5", "mlir/matmul/3x5x7x9",
                          "mlir/matmul/3x05x7", "mlir/matmul/0x5x7", "mlir/matmul/3x5x7 ",
                          "mlir/matmul/3x5x99999999999999999999", "mlir/conv_nhwc/2x2x4x4x3x1"}) {
    EXPECT_EQ(loadProgram(uri).error().code, ErrorCode::kInvalidArgument) << uri;
  }
  EXPECT_THAT(loadProgram("mlir/matnul/3x5x7").error().message, HasSubstr("matmul"));
}

TEST_F(KernelKindsTest, PartsAreDisjointAndHoldBackWholeKinds) {
  std::set<std::string> seen;
  std::size_t all = 0;
  for (const Split split : {Split::kTrain, Split::kValidation, Split::kTest}) {
    const std::vector<std::string> uris = *listPrograms("mlir", {.split = split});
    EXPECT_FALSE(uris.empty()) << name(split);
    seen.insert(uris.begin(), uris.end());
    all += uris.size();
    for (const std::string& uri : uris) EXPECT_EQ(loadProgram(uri)->split, split) << uri;
  }
  EXPECT_EQ(seen.size(), all);
  EXPECT_EQ(all, listPrograms("mlir", {})->size());
  const std::vector<std::string> unseen = *listPrograms("mlir/attention", {});
  for (const std::string& uri : unseen) EXPECT_EQ(loadProgram(uri)->split, Split::kTest);
}

}  // namespace
}  // namespace ordo::datasets
