#include "experience/trial.h"

#include <gtest/gtest.h>

namespace ordo::experience {
namespace {

Trial some() {
  return {.id = "3f2a",
          .candidate = "fast",
          .baseline = "",
          .among = {{"fast", 0.75}, {"slow", 0.25}},
          .reward = 0.05,
          .error = 0.01,
          .censored = false};
}

TEST(TrialTest, ComesBack) {
  const std::string line = encode(some());
  EXPECT_TRUE(line.starts_with(kTrialPrefix));
  EXPECT_EQ(*decodeTrial(line, "t"), some());
}

TEST(TrialTest, WhatCannotBeIsRefused) {
  const std::string line = encode(some());
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"0.75", "0.7"},
           {"0.75", "-0.75"},
           {"0.75", "\"0.75\""},
           {"\"fast\":0.75,\"slow\":0.25", "\"fast\":0,\"slow\":1"},
           {"\"candidate\":\"fast\"", "\"candidate\":\"none\""},
           {"\"baseline\":\"\"", "\"baseline\":\"fast\""},
           {"\"reward\":0.05", "\"reward\":11"},
           {"\"reward\":0.05", "\"reward\":null"},
           {"\"error\":0.01", "\"error\":0"},
           {"\"error\":0.01", "\"error\":1e9"},
           {"\"censored\":false", "\"censored\":0"},
           {"\"censored\":false", "\"censored\":false,\"more\":1"},
           {"\"slow\":0.25", "\"fast\":0.25"},
           {"3f2a", ""}}) {
    std::string changed = line;
    const std::size_t at = changed.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    const auto read = decodeTrial(changed.replace(at, from.size(), to), "file:3");
    ASSERT_FALSE(read) << changed;
    EXPECT_EQ(read.error().code, ErrorCode::kCorrupt);
    EXPECT_TRUE(read.error().message.starts_with("file:3")) << read.error().message;
  }
  Trial many = some();
  for (std::size_t i = 0; i < kMaxOptions; ++i) many.among[std::to_string(i)] = 0;
  EXPECT_FALSE(decodeTrial(encode(many), "t"));
}

}  // namespace
}  // namespace ordo::experience
