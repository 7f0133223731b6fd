#include "web/telling.h"

#include <gtest/gtest.h>

namespace ordo::web {
namespace {

TEST(TellingTest, OfALongCurveTheFirstAndTheLastAreAmongThoseThatAreChosen) {
  for (const std::size_t count : {0u, 1u, 2u, 999u, 1000u, 1001u, 100'000u}) {
    const std::vector<std::size_t> chosen = chosenPoints(count);
    ASSERT_EQ(chosen.size(), std::min<std::size_t>(count, kMostPoints));
    if (count == 0) continue;
    EXPECT_EQ(chosen.front(), 0u);
    EXPECT_EQ(chosen.back(), count - 1);
    for (std::size_t i = 1; i < chosen.size(); ++i) EXPECT_LT(chosen[i - 1], chosen[i]);
  }
}

}  // namespace
}  // namespace ordo::web
