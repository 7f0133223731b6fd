#include "engine/engine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"

namespace ordo::engine {
namespace {

TEST(EngineTest, KnowsItsBackend) {
  const auto engine = Engine::start({.limits = {}, .remember_crashes = false});
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_EQ((*engine)->info().name, "llvm");
  EXPECT_EQ((*engine)->ledgerProblem(), "");
}

TEST(EngineTest, ALedgerThatCannotBeOpenedIsAWarning) {
  const TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "file", "in the way"));
  ::setenv("ORDO_CACHE", (dir.path() / "file").c_str(), 1);
  const auto engine = Engine::start();
  ::unsetenv("ORDO_CACHE");
  ASSERT_TRUE(engine) << engine.error().message;
  EXPECT_NE((*engine)->ledgerProblem(), "");
  EXPECT_TRUE((*engine)->backend().describe());
}

}  // namespace
}  // namespace ordo::engine
