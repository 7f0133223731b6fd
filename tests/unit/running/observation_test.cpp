#include "running/observation.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/fakes/engine_fixture.h"

namespace ordo::running {
namespace {

using testing::HasSubstr;
using RunObservationTest = engine::EngineFixture;

TEST_F(RunObservationTest, TheCatalogHasNamesOfItsOwn) {
  const env::BackendInfo own = engine_->info(), all = withRunObservations(own);
  ASSERT_EQ(all.observations.size(), own.observations.size() + catalog().size());
  for (const RunObservationInfo* one : catalog()) {
    EXPECT_FALSE(one->summary.empty() || one->element_names.empty());
    EXPECT_EQ(std::ranges::count(all.observations, one->name, &env::ObservationInfo::name), 1) << one->name;
    EXPECT_THAT(std::string(one->summary), HasSubstr("price"));
  }
  EXPECT_EQ(find("counters"), catalog().front());
  EXPECT_EQ(find("counter"), nullptr);
}

}  // namespace
}  // namespace ordo::running
