#include "search/searcher/pipelines.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_context.h"

namespace ordo::search {
namespace {

TEST(PipelinesTest, AreTheSeedsAndTheHeavyActionsOnce) {
  std::string heavy = "heavy=dec";
  for (int i = 0; i < 30; ++i) heavy += ",dec";
  fakes::ToyContext context(fakes::toySpec(100, {"dec", heavy, heavy + ",inc", "light=dec,dec"}), 10,
                            {{1}, {}, {3, 0}});
  EXPECT_EQ(pipelines(*context), (std::vector<Sequence>{{1}, {3, 0}, {2}}));
}

}  // namespace
}  // namespace ordo::search
