// One engine for all tests of a suite, because to start it takes longer than most of them, and a program.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string_view>

#include "engine/engine.h"

namespace ordo::engine {

// Prints the heaviest of its arguments: small, and with something to gain.
inline constexpr std::string_view kSmallProgram = R"(
#include <stdio.h>
static int weight(const char* s) {
  int sum = 0;
  for (int i = 0; s[i]; i++) sum += s[i] * (i % 3);
  return sum;
}
int main(int argc, char** argv) {
  int best = 0;
  for (int i = 1; i < argc; i++) best = weight(argv[i]) > best ? weight(argv[i]) : best;
  printf("%d\n", best);
  return 0;
})";

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

}  // namespace ordo::engine
