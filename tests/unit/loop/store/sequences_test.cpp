#include "loop/store/sequences.h"

#include <gtest/gtest.h>

#include "support/json.h"

namespace ordo::loop {
namespace {

std::vector<Sequence> two() {
  Sequence one{.source = "a.c",
               .program = hashBytes("a"),
               .baseline = "clang-O3",
               .version = "22.1.8",
               .space = "speed",
               .space_hash = hashBytes("s"),
               .actions = {"sroa", "gvn"}};
  Sequence other = one;
  other.source = "b.c";
  other.actions = {};
  return {one, other};
}

TEST(LoopSequencesTest, ComeBack) { EXPECT_EQ(*parseSequences(writeSequences(two()), "s"), two()); }

TEST(LoopSequencesTest, WhatDoesNotGoTogetherIsRefused) {
  const auto refused = [](auto change) {
    std::vector<Sequence> changed = two();
    change(changed);
    const auto read = parseSequences(writeSequences(changed), "s");
    return !read && read.error().code == ErrorCode::kCorrupt;
  };
  EXPECT_TRUE(refused([](auto& all) { all.clear(); }));
  EXPECT_TRUE(refused([](auto& all) { all[1].source = "a.c"; }));
  EXPECT_TRUE(refused([](auto& all) { all[1].space = "size"; }));
  EXPECT_TRUE(refused([](auto& all) { all[1].baseline = "clang-Oz"; }));
  EXPECT_TRUE(refused([](auto& all) { all[0].source = std::string("a\0b", 3); }));
  EXPECT_TRUE(refused([](auto& all) { all[0].actions.push_back("gvn\n"); }));
  EXPECT_TRUE(refused([](auto& all) { all[0].actions.push_back(""); }));
  EXPECT_TRUE(refused([](auto& all) { all[0].actions.assign(kMostActions + 1, "gvn"); }));
  EXPECT_TRUE(refused([](auto& all) { all.resize(kMostModules + 1, all[0]); }));
  for (const char* const text : {"", "{}", "[1]", "[{}]", "[[]]", "null"})
    EXPECT_FALSE(parseSequences(text, "s")) << text;
}

}  // namespace
}  // namespace ordo::loop
