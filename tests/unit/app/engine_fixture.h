// One engine for all tests of a suite: to start it takes longer than most of them.
#pragma once

#include <gtest/gtest.h>

#include <memory>

#include "app/engine.h"

namespace ordo::app {

class EngineFixture : public testing::Test {
 protected:
  // It remembers nothing of earlier runs.
  static void SetUpTestSuite() {
    auto engine = Engine::start({.limits = {}, .remember_crashes = false});
    ASSERT_TRUE(engine) << engine.error().message;
    engine_ = std::move(*engine);
  }
  static void TearDownTestSuite() { engine_.reset(); }

  static inline std::unique_ptr<Engine> engine_;
};

}  // namespace ordo::app
