#include "study/study.h"

#include <gtest/gtest.h>

namespace ordo::study {
namespace {

TEST(StudyTest, BudgetsArePowersOfTenAndTheWhole) {
  EXPECT_EQ(budgetsOf(1000), (std::vector<std::uint64_t>{10, 100, 1000}));
  EXPECT_EQ(budgetsOf(250), (std::vector<std::uint64_t>{10, 100, 250}));
  EXPECT_EQ(budgetsOf(10), (std::vector<std::uint64_t>{10}));
}

TEST(StudyTest, AValueIsFoundByItsNames) {
  const Program program{"a", "s", "", {{"clang-Oz", "text_bytes", 5}, {"bare-Oz", "text_bytes", 7}}, ""};
  EXPECT_EQ(valueOf(program, "bare-Oz", "text_bytes"), 7);
  EXPECT_EQ(valueOf(program, "bare-Oz", "ir_instructions"), std::nullopt);
  EXPECT_EQ(valueOf(std::vector<Figure>{{"text_bytes", 3}}, "text_bytes"), 3);
  EXPECT_EQ(valueOf(std::vector<Figure>{}, "text_bytes"), std::nullopt);
}

}  // namespace
}  // namespace ordo::study
