#include "mlir/model/operation_features.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

double valueOf(const Schedule& schedule, std::size_t operation, const char* name) {
  const auto at = std::ranges::find(operationFeatureNames(), name);
  EXPECT_NE(at, operationFeatureNames().end()) << name;
  const std::vector<float> all = operationFeatures(schedule, operation);
  return static_cast<double>(all[static_cast<std::size_t>(at - operationFeatureNames().begin())]);
}

TEST(OperationFeatures, AreFiniteAndAsManyAsTheirNamesWhateverIsDone) {
  const std::set<std::string> names(operationFeatureNames().begin(), operationFeatureNames().end());
  EXPECT_EQ(names.size(), operationFeatureNames().size());
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(48, 64, 32);
  Rng rng(4);
  for (int i = 0; i < 100; ++i) {
    const Schedule schedule = fakes::randomSchedule(kernel, rng);
    for (std::size_t operation = 0; operation < 2; ++operation) {
      const std::vector<float> all = operationFeatures(schedule, operation);
      ASSERT_EQ(all.size(), names.size());
      EXPECT_THAT(all, testing::Each(testing::Truly([](float value) { return std::abs(value) < 20; })));
    }
  }
}

TEST(OperationFeatures, SayWhatTilesSaveTheCaches) {
  const std::shared_ptr<const Kernel> kernel = fakes::matmulKernel(1024, 1024, 1024);
  const Schedule flat = fakes::scheduled(kernel, "vectorize<8,32,1>");
  const Schedule tiled = fakes::scheduled(kernel, "tile<1,64>;tile<2,256>;vectorize<8,32,1>");
  EXPECT_LT(valueOf(tiled, 1, "into_l2"), valueOf(flat, 1, "into_l2"));
  EXPECT_LE(valueOf(tiled, 1, "into_l3"), valueOf(tiled, 1, "into_l2"));
}

TEST(OperationFeatures, SayWhatIsLeftAtTheEdges) {
  const Schedule even = fakes::scheduled(fakes::matmulKernel(48, 64, 32), "vectorize<4,32,1>");
  const Schedule odd = fakes::scheduled(fakes::matmulKernel(17, 513, 32), "vectorize<4,48,1>");
  EXPECT_EQ(valueOf(even, 1, "columns_edge"), 0);
  EXPECT_EQ(valueOf(odd, 1, "columns_edge"), 1);
  EXPECT_EQ(valueOf(odd, 1, "columns_mixed"), 1) << "33 columns are two registers and one element";
}

}  // namespace
}  // namespace ordo::model
