#include "env/metric.h"

#include <gtest/gtest.h>

namespace ordo::env {
namespace {

TEST(MetricTest, WhatOnlyTryingTellsIsAnExperiment) {
  EXPECT_TRUE(isExperiment(kRuntime));
  for (const char* measured : {kTextBytes, kObjectBytes, kIrInstructions, kCompileMs, "", "runtimes"})
    EXPECT_FALSE(isExperiment(measured)) << measured;
}

TEST(MetricTest, EveryExperimentSaysWhatItIs) {
  for (const ExperimentInfo& info : experiments()) {
    EXPECT_FALSE(info.unit.empty() || info.summary.empty()) << info.name;
    EXPECT_TRUE(isExperiment(info.name));
  }
}

}  // namespace
}  // namespace ordo::env
