#include "mlir/learned/estimator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "mlir/model/cost.h"
#include "mlir/model/operation_features.h"
#include "policy/trainable.h"
#include "tests/fakes/kernels.h"

namespace ordo::learned {
namespace {

std::vector<std::vector<policy::Tensor>> networks(
    std::size_t inputs = model::operationFeatureNames().size()) {
  return {2, policy::Trainable({policy::Architecture::kResidual, inputs, 8, 1, 1}).tensors()};
}

TEST(Estimator, IsTheModelOfCostsWhereNothingWasLearned) {
  const std::string file = writeEstimator(networks(), "nobody");
  const Estimator estimator = *Estimator::parse(file, "test");
  EXPECT_EQ(estimator.provenance(), "nobody");
  const auto kernel = fakes::matmulKernel(48, 64, 32);
  Rng rng(1);
  for (int i = 0; i < 20; ++i) {
    const model::Schedule schedule = fakes::randomSchedule(kernel, rng);
    EXPECT_NEAR(estimator.cycles(schedule) / model::cost(schedule), 1, 1e-9) << "of logarithms";
  }
}

TEST(Estimator, WhatNetworksDisagreeOnCountsAsSlow) {
  EXPECT_DOUBLE_EQ(together(std::array{2.0, 2.0}), 2);
  EXPECT_DOUBLE_EQ(together(std::array{1.0, 3.0}), 3);
}

TEST(Estimator, RefusesWhatDoesNotFit) {
  const auto refused = [](const std::string& file) {
    return Estimator::parse(file, "w.safetensors").error().message;
  };
  EXPECT_THAT(refused("nonsense"), testing::HasSubstr("w.safetensors"));
  EXPECT_THAT(refused(writeEstimator(networks(3), "")), testing::HasSubstr("takes 3 numbers"));
  policy::SafeTensors other = *policy::parseSafetensors(writeEstimator(networks(), ""), "x");
  other.metadata["features"] = "weather";
  EXPECT_THAT(refused(policy::writeSafetensors(other)), testing::HasSubstr("ordo train kernels"));
  other.metadata["format"] = "kernels-0";
  EXPECT_THAT(refused(policy::writeSafetensors(other)), testing::HasSubstr("kernels-1"));
  other.metadata.erase("provenance");
  EXPECT_THAT(refused(policy::writeSafetensors(other)), testing::HasSubstr("'provenance' is missing"));
}

}  // namespace
}  // namespace ordo::learned
