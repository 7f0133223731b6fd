#include <gtest/gtest.h>

#include "loop/service/settings.h"

namespace ordo::loop {
namespace {

TEST(LoopSettingsTest, TheTemplateIsWhatItSays) {
  const auto settings = parseSettings(settingsTemplate(), "/tmp/loop.toml");
  ASSERT_TRUE(settings) << settings.error().message;
  EXPECT_EQ(settings->store, "/tmp/loop.sqlite");
  EXPECT_EQ(settings->candidates, (std::vector<std::string>{"O2", "O1"}));
  EXPECT_EQ(settings->build[1], "{candidate}");
  EXPECT_EQ(settings->loop.ramp, (std::vector<double>{0.01, 0.05, 0.10}));
  EXPECT_EQ(settings->haproxy.backend, "app");
  // Its numbers are the defaults, so that leaving one out changes nothing.
  EXPECT_EQ(writeJson(toJson(settings->loop.reward)), writeJson(toJson(RewardOptions{.slo_s = 0.1})));
}

}  // namespace
}  // namespace ordo::loop
