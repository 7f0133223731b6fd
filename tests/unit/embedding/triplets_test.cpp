#include "embedding/triplets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace ordo::embedding {
namespace {

using testing::ElementsAre;

TEST(EntitiesTest, AreNamedInTheOrderOfTheirNumbers) {
  EXPECT_THAT(*parseEntities("2\nRet\t0\nBr\t1\n"), ElementsAre("Ret", "Br"));
  EXPECT_TRUE(parseEntities("0\n")->empty());
}

TEST(EntitiesTest, AnythingElseIsCorrupt) {
  for (const char* text :
       {"", "x\n", "1\n", "2\nRet\t0\n", "1\nRet\t1\n", "1\nRet 0\n", "1\n\t0\n", "1\nRet\t0x\n"}) {
    const auto names = parseEntities(text);
    ASSERT_FALSE(names) << text;
    EXPECT_EQ(names.error().code, ErrorCode::kCorrupt);
  }
}

TEST(TripletSetTest, KeepsEachTripletOnceAndCountsAll) {
  TripletSet set(10);
  ASSERT_TRUE(set.add("MAX_RELATION=3\n5\t6\t0\n1\t2\t3\n5\t6\t0\n", "a"));
  ASSERT_TRUE(set.add("MAX_RELATION=1\n1\t2\t1\n5\t6\t0\n", "b"));
  EXPECT_EQ(set.read(), 5u);
  EXPECT_EQ(set.relations(), 4u);
  EXPECT_THAT(set.triplets(), ElementsAre(Triplet{1, 1, 2}, Triplet{1, 3, 2}, Triplet{5, 0, 6}));
}

TEST(TripletSetTest, AModuleWithoutInstructionsAddsNothing) {
  TripletSet set(10);
  ASSERT_TRUE(set.add("MAX_RELATION=1\n", "a"));
  EXPECT_EQ(set.relations(), 0u);
  EXPECT_TRUE(set.triplets().empty());
}

TEST(TripletSetTest, BadInputIsCorruptAndChangesNothing) {
  TripletSet set(10);
  for (const char* text :
       {"", "1\t2\t0\n", "MAX_RELATION=\n", "MAX_RELATION=1\n1\t2\n", "MAX_RELATION=1\n1\t10\t0\n",
        "MAX_RELATION=1\n10\t1\t0\n", "MAX_RELATION=1\n1\t1\t2\n", "MAX_RELATION=1\n1 1 1\n",
        "MAX_RELATION=1\n1\t1\t1\t1\n", "MAX_RELATION=1\n-1\t1\t1\n"}) {
    const Status added = set.add(text, "mod.bc");
    ASSERT_FALSE(added) << text;
    EXPECT_EQ(added.error().code, ErrorCode::kCorrupt);
    EXPECT_THAT(added.error().message, testing::StartsWith("mod.bc: "));
  }
  EXPECT_EQ(set.read(), 0u);
  EXPECT_TRUE(set.triplets().empty());
}

TEST(SplitTest, IsAPartitionThatTheSeedDecides) {
  std::vector<Triplet> all;
  for (std::uint32_t i = 0; i < 100; ++i) all.push_back({i, 0, i});
  Rng rng(3), same(3), other(4);
  const Split parts = split(all, 0.25, rng);
  EXPECT_EQ(parts.held_out.size(), 25u);
  std::vector<Triplet> joined = parts.train;
  joined.insert(joined.end(), parts.held_out.begin(), parts.held_out.end());
  std::sort(joined.begin(), joined.end());
  EXPECT_EQ(joined, all);
  EXPECT_EQ(split(all, 0.25, same).held_out, parts.held_out);
  EXPECT_NE(split(all, 0.25, other).held_out, parts.held_out);
}

TEST(SplitTest, NothingAndEverythingCanBeHeldOut) {
  Rng rng(1);
  EXPECT_TRUE(split({}, 0.5, rng).train.empty());
  EXPECT_TRUE(split({{1, 0, 2}}, 0, rng).held_out.empty());
  EXPECT_TRUE(split({{1, 0, 2}}, 1, rng).train.empty());
}

}  // namespace
}  // namespace ordo::embedding
