#include "env/sensor.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_session.h"

namespace ordo::env {
namespace {

std::vector<Sensor> toySensors(std::uint32_t max_steps = 5) {
  fakes::ToyBackend toy;
  return allSensors(*toy.describe(), {"clang-Oz"}, 3, max_steps);
}

TEST(SensorTest, HoldsWhatTheBackendHasAndWhatAnEpisodeKnows) {
  std::vector<std::string> names;
  for (const Sensor& sensor : toySensors()) names.push_back(sensor.name);
  EXPECT_EQ(names, (std::vector<std::string>{"counters", "fragile", "text", "count", "count/initial",
                                             "count/clang-Oz", "cost", "cost/initial", "cost/clang-Oz",
                                             "action_history", "action_histogram", "runtime"}));
}

TEST(SensorTest, SizesAreOfOneObservation) {
  const std::vector<Sensor> all = toySensors();
  const auto bytes = [&](const char* name) { return (*findSensors(all, {name}))[0].bytes(); };
  EXPECT_EQ(bytes("counters"), 4 * 8u);
  EXPECT_EQ(bytes("text"), 0u);
  EXPECT_EQ(bytes("action_history"), 5 * 8u);
  EXPECT_EQ(bytes("action_histogram"), 3 * 8u);
  EXPECT_EQ(bytes("count"), 8u);
}

TEST(SensorTest, AHistoryNeedsALimit) {
  EXPECT_TRUE(findSensors(toySensors(5), {"action_history"}));
  EXPECT_FALSE(findSensors(toySensors(0), {"action_history"}));
}

TEST(SensorTest, AnUnknownNameSuggestsTheNearest) {
  const auto found = findSensors(toySensors(), {"counters", "countres"});
  ASSERT_FALSE(found);
  EXPECT_NE(found.error().message.find("did you mean 'counters'"), std::string::npos)
      << found.error().message;
  EXPECT_NE(found.error().message.find("there are counters, fragile, text, count, cost, action_history, "),
            std::string::npos)
      << found.error().message;
  EXPECT_NE(findSensors(toySensors(), {"Autophase"}).error().message.find("is autophase here"),
            std::string::npos);
}

}  // namespace
}  // namespace ordo::env
