#include "frontend/ir2vec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace ordo::frontend {
namespace {

TEST(Ir2VecToolTest, ListsEntitiesAndTripletsOfAModule) {
  const auto entities = ir2vecEntities();
  ASSERT_TRUE(entities) << entities.error().message;
  EXPECT_THAT(*entities, testing::HasSubstr("\nBr\t1\n"));
  const auto triplets = ir2vecTriplets("define i32 @f(i32 %x) {\n  ret i32 %x\n}\n", "f.ll");
  ASSERT_TRUE(triplets) << triplets.error().message;
  EXPECT_THAT(*triplets, testing::StartsWith("MAX_RELATION=2\n0\t"));
}

TEST(Ir2VecToolTest, WhatIsNoModuleIsInvalid) {
  const auto triplets = ir2vecTriplets("int main;", "main.c");
  ASSERT_FALSE(triplets);
  EXPECT_EQ(triplets.error().code, ErrorCode::kInvalidArgument);
  EXPECT_THAT(triplets.error().message, testing::HasSubstr("main.c"));
}

}  // namespace
}  // namespace ordo::frontend
