#include "search/searcher/seen.h"

#include <gtest/gtest.h>

#include "search/evaluation/evaluation.h"

namespace ordo::search {
namespace {

TEST(SeenTest, KnowsWholeSequencesOnly) {
  Seen seen;
  EXPECT_TRUE(seen.insert(Sequence{1, 2}));
  EXPECT_FALSE(seen.insert(Sequence{1, 2}));
  EXPECT_TRUE(seen.contains(Sequence{1, 2}));
  EXPECT_FALSE(seen.contains(Sequence{1}));
  EXPECT_FALSE(seen.contains(Sequence{}));
}

}  // namespace
}  // namespace ordo::search
