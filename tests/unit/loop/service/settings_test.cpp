#include "loop/service/settings.h"

#include <gtest/gtest.h>

#include <string>

namespace ordo::loop {
namespace {

// The template with one line changed.
Result<Settings> changed(const std::string& from, const std::string& to) {
  std::string text(settingsTemplate());
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return parseSettings(text.replace(at, from.size(), to), "/tmp/loop.toml");
}

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

TEST(LoopSettingsTest, WhatCouldBeMoreThanANameIsRefused) {
  for (const char* name : {"a b", "-o", "../x", "a;b", "", "$(x)", "a\\u0000b"})
    EXPECT_FALSE(changed("[\"O2\", \"O1\"]", fmt::format("[\"{}\"]", name))) << name;
  EXPECT_FALSE(changed("backend = \"app\"", "backend = \"app/x; shutdown\""));
  EXPECT_FALSE(changed("canary = \"canary\"", "canary = \"a\\nset weight\""));
}

TEST(LoopSettingsTest, MistakesAreNamedWithTheirPlace) {
  const auto message = [](const std::string& from, const std::string& to) {
    const auto settings = changed(from, to);
    return settings ? "" : settings.error().message;
  };
  EXPECT_NE(message("tick_s = 2 ", "tick = 2 ").find("tick_s"), std::string::npos);
  EXPECT_NE(message("format = 1", "format = 2").find("upgrade"), std::string::npos);
  EXPECT_NE(message("alpha = 0.01", "alpha = 3.0").find("alpha"), std::string::npos);
  EXPECT_NE(message("port = 9090", "port = 99999").find("port"), std::string::npos);
  EXPECT_NE(message("ramp = [0.01, 0.05, 0.10]", "ramp = [0.9]").find("ramp"), std::string::npos);
  EXPECT_NE(message("stop = [\"./stop.sh\", \"{pool}\"]", "stop = []").find("stop"), std::string::npos);
  EXPECT_NE(message("[guard] ", "[gard] ").find("guard"), std::string::npos);
}

TEST(LoopSettingsTest, AnAbsentFileSaysWhatWritesOne) {
  EXPECT_NE(loadSettings("/nonexistent/loop.toml").error().message.find("ordo loop init"), std::string::npos);
}

}  // namespace
}  // namespace ordo::loop
