#include "search/searcher/relaxation.h"

#include <gtest/gtest.h>

#include "tests/fakes/toy_context.h"

namespace ordo::search {
namespace {

TEST(RelaxationTest, DecodesWhatItEncodes) {
  fakes::ToyContext context(fakes::toySpec(9, fakes::kToyActions), 7);
  const Relaxation relaxation(*context);
  for (std::size_t length = 0; length <= 7; ++length) {
    const Sequence sequence = context->randomSequence(length);
    EXPECT_EQ(relaxation.decode(relaxation.encode(sequence, context->rng())), sequence);
  }
}

TEST(RelaxationTest, TheBorderAndWhatIsBeyondAreLegal) {
  fakes::ToyContext context(fakes::toySpec(9, fakes::kToyActions), 3);
  const Relaxation relaxation(*context);
  EXPECT_TRUE(relaxation.decode(Point(4, -1.0)).empty());
  EXPECT_EQ(relaxation.decode(Point(4, 2.0)), Sequence(3, 5));
  EXPECT_EQ(relaxation.decode(Point(4, 1.0)), Sequence(3, 5));
}

TEST(RelaxationTest, EveryActionIsTheSameShareOfTheCube) {
  fakes::ToyContext context(fakes::toySpec(9, {"dec", "inc"}), 1);
  const Relaxation relaxation(*context);
  EXPECT_EQ(relaxation.decode({0.9, 0.49}), Sequence{0});
  EXPECT_EQ(relaxation.decode({0.9, 0.51}), Sequence{1});
}

}  // namespace
}  // namespace ordo::search
