#include "projects/blame.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace ordo::projects {
namespace {

TEST(BlameTest, TheOneIsFoundInFewQuestions) {
  for (std::size_t count = 1; count < 40; ++count) {
    for (std::size_t guilty = 0; guilty < count; ++guilty) {
      std::size_t asked = 0;
      const auto found = blame(count, [&](const std::vector<std::size_t>& changes) -> Result<bool> {
        ++asked;
        return std::ranges::find(changes, guilty) == changes.end();
      });
      ASSERT_TRUE(found);
      EXPECT_EQ(*found, guilty);
      EXPECT_LE(std::size_t{1} << (asked - 1), 2 * count);
    }
  }
}

TEST(BlameTest, TwoAreNotOne) {
  const auto found = blame(8, [](const std::vector<std::size_t>& changes) -> Result<bool> {
    return std::ranges::find(changes, 1u) == changes.end() && std::ranges::find(changes, 6u) == changes.end();
  });
  ASSERT_TRUE(found);
  EXPECT_EQ(*found, std::nullopt);
  EXPECT_EQ(*blame(0, [](const auto&) -> Result<bool> { return true; }), std::nullopt);
}

TEST(BlameTest, ThatItCannotBeAskedIsAnError) {
  EXPECT_FALSE(blame(4, [](const auto&) -> Result<bool> { return fail(ErrorCode::kUnavailable, "no"); }));
}

}  // namespace
}  // namespace ordo::projects
