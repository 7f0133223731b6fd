#include "support/table.h"

#include <gtest/gtest.h>

namespace ordo {
namespace {

TEST(TableTest, ColumnsLineUp) {
  EXPECT_EQ(format({{"name", "size"}, {{"a", "1"}, {"longer", "200"}}, {false, true}}),
            "name    size\n"
            "a          1\n"
            "longer   200\n");
}

TEST(TableTest, LinesHaveNoSpacesAtTheirEnds) {
  EXPECT_EQ(format({{}, {{"a", "", ""}, {"bb", "c"}, {"", "", "d"}}}),
            "a\n"
            "bb  c\n"
            "       d\n");
}

TEST(TableTest, CodePointsAreCountedNotBytes) {
  EXPECT_EQ(columnsOf("█▁é"), 3u);
  EXPECT_EQ(format({{}, {{"█", "x"}, {"ab", "y"}}}), "█   x\nab  y\n");
}

TEST(TableTest, ColoursTakeNoRoom) {
  EXPECT_EQ(columnsOf("\033[31mred\033[0m!"), 4u);
  EXPECT_EQ(columnsOf("\033[3"), 0u);
}

TEST(TableTest, NothingIsNothing) { EXPECT_EQ(format({}), ""); }

}  // namespace
}  // namespace ordo
