#include "web/bench.h"

#include <gmock/gmock.h>

#include "tests/unit/web/fixture.h"

namespace ordo::web {
namespace {

using BenchTest = BenchFixture;

TEST_F(BenchTest, TheProgramIsOpenWithTheBaselineMeasured) {
  EXPECT_EQ(bench_->program.objective(), "ir_instructions");
  EXPECT_LT(bench_->program.baselineValue(), bench_->program.startValue());
}

TEST_F(BenchTest, WhatCannotBeOpenedIsAnError) {
  ProgramSpec missing = spec();
  missing.file = "/proc/nonexistent.c";
  EXPECT_FALSE(Bench::open(missing));
  ProgramSpec unknown = spec();
  unknown.actions = {"no-such"};
  const auto bench = Bench::open(unknown);
  ASSERT_FALSE(bench);
  EXPECT_THAT(bench.error().message, testing::HasSubstr("no-such"));
}

}  // namespace
}  // namespace ordo::web
