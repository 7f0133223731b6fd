#include "mlir/model/limits.h"

#include <gtest/gtest.h>

namespace ordo::model {
namespace {

TEST(Limits, AProcessorIsNoLargerThanTheLargest) {
  EXPECT_LE(registers().count, kMostRegisters);
  EXPECT_LE(registers().lanes, kMostLanes);
  EXPECT_GE(registers().count * registers().lanes, 64);
}

TEST(Limits, WhatFitsDoesNotDependOnTheProcessor) {
  EXPECT_TRUE(fitsRegisters(14, 32, 1));
  EXPECT_FALSE(fitsRegisters(16, 48, 1)) << "48 registers";
  EXPECT_FALSE(fitsRegisters(8, 64, 2)) << "1024 numbers";
}

}  // namespace
}  // namespace ordo::model
