#include "support/error.h"

#include <gtest/gtest.h>

#include <memory>
#include <set>

namespace ordo {
namespace {

Result<int> half(int value) {
  if (value % 2 != 0) return fail(ErrorCode::kInvalidArgument, "{} is odd; give an even number", value);
  return value / 2;
}

Result<int> quarter(int value) {
  ORDO_TRY_ASSIGN(const int once, half(value));
  ORDO_TRY_ASSIGN(const int twice, half(once));
  return twice;
}

Status check(int value) {
  ORDO_TRY(half(value));
  return {};
}

TEST(ErrorTest, ValuesAndErrorsPassThroughTry) {
  EXPECT_EQ(quarter(12).value(), 3);
  EXPECT_EQ(quarter(6).error().message, "3 is odd; give an even number");
  EXPECT_EQ(quarter(6).error().code, ErrorCode::kInvalidArgument);
  EXPECT_TRUE(check(2));
  EXPECT_FALSE(check(1));
}

TEST(ErrorTest, ContextStandsInFrontAndKeepsTheCode) {
  const Error error = Error{ErrorCode::kNotFound, "no such file"}.context("a.c").context("tune");
  EXPECT_EQ(error.message, "tune: a.c: no such file");
  EXPECT_EQ(error.code, ErrorCode::kNotFound);
}

TEST(ErrorTest, ValuesThatCannotBeCopiedAreMovedOut) {
  const auto make = []() -> Result<std::unique_ptr<int>> { return std::make_unique<int>(7); };
  const auto use = [&]() -> Result<int> {
    ORDO_TRY_ASSIGN(const std::unique_ptr<int> pointer, make());
    return *pointer;
  };
  EXPECT_EQ(use().value(), 7);
}

TEST(ErrorTest, EveryCodeHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (int code = 0; code <= static_cast<int>(ErrorCode::kInternal); ++code) {
    names.insert(name(static_cast<ErrorCode>(code)));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(ErrorCode::kInternal) + 1);
}

TEST(ErrorDeathTest, ABrokenInvariantAbortsWithItsPlaceAndReason) {
  const auto broken = [] { ORDO_CHECK(1 + 1 == 3, "got {}", 2); };
  EXPECT_DEATH(broken(), "error_test.cpp:[0-9]+: 1 \\+ 1 == 3: got 2");
}

}  // namespace
}  // namespace ordo
