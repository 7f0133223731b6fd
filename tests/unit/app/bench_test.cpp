#include "app/bench.h"

#include <gtest/gtest.h>

#include <array>

#include "app/tune.h"
#include "tests/unit/app/engine_fixture.h"

namespace ordo::app {
namespace {

class BenchTest : public EngineFixture {
 protected:
  TempDir dir_ = *TempDir::create();
};

TEST_F(BenchTest, HoldsProgramsOfDifferentCode) {
  ASSERT_TRUE(writeFile(dir_.path() / "loop.c", R"(
#include <stdio.h>
int main(int argc, char** argv) {
  unsigned x = (unsigned)argc;
  for (int i = 0; i < 1000; i++) x = x * 31 + (x >> 7);
  printf("%u %s\n", x, argv[0] == 0 ? "none" : "");
  return 0;
})"));
  const Result<Input> input =
      prepareInput((dir_.path() / "loop.c").string(), {frontend::Level::kO3, false}, {});
  ASSERT_TRUE(input) << input.error().message;
  env::SessionSpec spec{input->program.uri, input->compiled.bytes, {}, input->codegenOptions()};
  spec.actions = {baselineAction(input->baseline, input->pipeline)};
  for (const char* text : {"function(reg2mem)", "function(sroa)", "no-such-pass"})
    spec.actions.push_back({text, env::ActionKind::kPipeline, text});
  Bench bench(*engine_, *input, spec, 0, {timing::Input{.exit = 0}}, {}, 1, *TempDir::create());
  ASSERT_TRUE(bench.prepare());

  EXPECT_TRUE(bench.add({1, 0, 1}).value());
  EXPECT_TRUE(bench.add({1}).value());
  EXPECT_FALSE(bench.add({0}).value());     // the baseline
  EXPECT_FALSE(bench.add({1, 1}).value());  // the one before
  EXPECT_FALSE(bench.add({3}).value());     // cannot be built
  ASSERT_EQ(bench.size(), 2u);
  ASSERT_TRUE(bench.enter(1));
  const auto reading = bench.runner().run(timing::Arm::kCandidate);
  ASSERT_TRUE(reading) << reading.error().message;
  EXPECT_EQ(reading->failure, "");
  EXPECT_TRUE(bench.rebuild(1));

  // Who has left may come again; who stays has a new number.
  bench.keep(std::array<std::size_t, 1>{1});
  ASSERT_EQ(bench.size(), 1u);
  EXPECT_EQ(bench.sequence(0), search::Sequence{1});
  EXPECT_FALSE(bench.add({1}).value());
  EXPECT_TRUE(bench.add({1, 0, 1}).value());
}

}  // namespace
}  // namespace ordo::app
