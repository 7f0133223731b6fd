#include "advice/loop_source.h"

#include <gtest/gtest.h>

#include <set>

namespace ordo::advice {
namespace {

TEST(LoopSourceTest, TheSameNumberGivesTheSameLoop) {
  EXPECT_EQ(loopSource(1, 5).text, loopSource(1, 5).text);
  EXPECT_NE(loopSource(1, 5).text, loopSource(1, 6).text);
  EXPECT_NE(loopSource(1, 5).text, loopSource(2, 5).text);
}

TEST(LoopSourceTest, LoopsAreOfManyShapes) {
  std::set<std::string> shapes;
  std::size_t unknown = 0, carried = 0;
  for (std::uint64_t number = 0; number < 300; ++number) {
    const LoopSource source = loopSource(1, number);
    shapes.insert(source.shape);
    ASSERT_FALSE(source.counts.empty());
    unknown += source.counts.size() > 1;
    carried += source.text.find(" s += ") != std::string::npos;
    for (const char* part : {"void prepare(void)", "u64 work(long rounds, long n)", "u64 hashed(void)"})
      ASSERT_NE(source.text.find(part), std::string::npos);
  }
  EXPECT_GT(shapes.size(), 250u);
  EXPECT_GT(unknown, 50u);
  EXPECT_GT(carried, 50u);
}

}  // namespace
}  // namespace ordo::advice
