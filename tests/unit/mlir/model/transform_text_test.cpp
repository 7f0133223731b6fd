#include "mlir/model/transform_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/kernels.h"

namespace ordo::model {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string textOf(std::string_view steps) {
  return transformText(fakes::scheduled(fakes::matmulKernel(24, 64, 48), steps));
}

TEST(TransformText, CutsWhatIsKeptBeforeWhatIsSummedUp) {
  const std::string text = textOf("vectorize<8,32,1>;unroll<4>");
  const std::size_t kept = text.find("tile_sizes [8, 32, 0]"), summed = text.find("tile_sizes [0, 0, 1]");
  EXPECT_LT(kept, summed);
  EXPECT_LT(summed, text.find("transform.structured.vectorize"));
  EXPECT_LT(text.find("transform.structured.vectorize"), text.find("transform.loop.unroll"));
  EXPECT_THAT(text, HasSubstr("hoist_loop_invariant_subsets"));
}

TEST(TransformText, PointersAreOneInterchangeAndSizesFollowTheLoops) {
  const std::string text = textOf("interchange<2>;interchange<1>;tile<0,8>");
  EXPECT_THAT(text, HasSubstr("iterator_interchange = [2, 1, 0]"));
  EXPECT_THAT(text, HasSubstr("tile_sizes [0, 0, 8]")) << "loop 0 is the innermost now";
  EXPECT_THAT(textOf("interchange<0>;tile<0,8>"), Not(HasSubstr("interchange"))) << "it is there already";
}

TEST(TransformText, NothingIsDoneToWhatIsLeftAlone) {
  EXPECT_THAT(textOf("stop;stop"), Not(HasSubstr("%h")));
  EXPECT_EQ(textOf("stop"), textOf(""));
}

}  // namespace
}  // namespace ordo::model
