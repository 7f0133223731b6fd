#include "env/useless_actions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::env {
namespace {

using testing::ElementsAre;

std::vector<std::uint8_t> maskIn(const UselessActions& useless, const Hash128& state, bool no_effect) {
  std::vector<std::uint8_t> mask(3, 1);
  useless.mask(state, no_effect, mask);
  return mask;
}

TEST(UselessActionsTest, WhatFailedIsMaskedAndWhatDidNothingIfThatIsWanted) {
  UselessActions useless;
  const Hash128 state = hashBytes("here"), other = hashBytes("there");
  useless.note(state, 0, false);
  useless.note(state, 2, true);
  EXPECT_THAT(maskIn(useless, state, true), ElementsAre(0, 1, 0));
  EXPECT_THAT(maskIn(useless, state, false), ElementsAre(1, 1, 0));
  EXPECT_THAT(maskIn(useless, other, true), ElementsAre(1, 1, 1));
  useless.note(state, 0, true);
  EXPECT_THAT(maskIn(useless, state, false), ElementsAre(1, 1, 0)) << "the first word stands";
  useless.clear();
  EXPECT_THAT(maskIn(useless, state, true), ElementsAre(1, 1, 1));
}

TEST(UselessActionsTest, ItsMemoryHasAnEnd) {
  UselessActions useless;
  for (int i = 0; i < 5000; ++i) useless.note(hashBytes(fmt::format("{}", i)), 1, true);
  EXPECT_THAT(maskIn(useless, hashBytes("0"), true), ElementsAre(1, 1, 1)) << "long ago";
  EXPECT_THAT(maskIn(useless, hashBytes("4999"), true), ElementsAre(1, 0, 1));
}

}  // namespace
}  // namespace ordo::env
