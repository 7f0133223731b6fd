#include "runtime/built_field.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <utility>

#include "engine/stock.h"
#include "notation/action.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::runtime {
namespace {

constexpr std::string_view kLoop = R"(
#include <stdio.h>
int main(int argc, char** argv) {
  unsigned x = 1;
  for (int i = 0; i < 1000; i++) x = x * 31 + (x >> 7) + (unsigned)argc;
  printf("%u\n", x);
  return argv[0] == 0;
})";

class BuiltFieldTest : public engine::EngineFixture {};

TEST_F(BuiltFieldTest, OnlyCodeThatIsNewIsACandidate) {
  TempDir dir = *TempDir::create();
  ASSERT_TRUE(writeFile(dir.path() / "loop.c", kLoop));
  const Result<engine::Input> input =
      engine::prepareInput((dir.path() / "loop.c").string(), {frontend::Level::kO3, false}, {});
  ASSERT_TRUE(input) << input.error().message;
  env::SessionSpec spec{input->program.uri, input->compiled.bytes, {}, input->settings()};
  spec.actions = {engine::baselineAction(input->baseline, input->pipeline)};
  for (const char* text : {"function(reg2mem)", "function(mem2reg)", "no-such-pass"})
    spec.actions.push_back({text, notation::kPipeline, text});

  BuiltField field(*engine_, *input, spec, 0, {timing::Input{.exit = 0}}, {}, 1, *TempDir::create());
  ASSERT_TRUE(field.prepare());
  EXPECT_EQ(field.size(), 0u);
  EXPECT_EQ(field.add({0, 2})->code, Added::Code::kBaselines) << "mem2reg has nothing to do";
  const Result<Added> added = field.add({0, 1});
  ASSERT_TRUE(added) << added.error().message;
  EXPECT_EQ(added->code, Added::Code::kNew);
  const Result<Added> again = field.add({0, 2, 1});
  EXPECT_EQ(again->code, Added::Code::kKnown);
  EXPECT_EQ(again->candidate, added->candidate);
  EXPECT_EQ(field.add({3})->code, Added::Code::kNone);
  ASSERT_EQ(field.size(), 1u);
  EXPECT_EQ(field.sequence(0), (search::Sequence{0, 1}));

  ASSERT_TRUE(field.enter(0));
  EXPECT_EQ(field.runner().run(timing::Arm::kCandidate)->failure, "");
  const Hash128 before = field.hash(0);
  const Result<timing::Runner*> rebuilt = field.rebuild(0);
  ASSERT_TRUE(rebuilt) << rebuilt.error().message;
  EXPECT_EQ((*rebuilt)->run(timing::Arm::kCandidate)->failure, "");
  EXPECT_EQ(field.hash(0), before);

  EXPECT_EQ(*field.problemOf(0), "");
  std::string other(kLoop);
  other.replace(other.find("31"), 2, "33");
  ASSERT_TRUE(writeFile(dir.path() / "loop.c", other));
  const Result<engine::Input> otherwise =
      engine::prepareInput((dir.path() / "loop.c").string(), {frontend::Level::kO3, false}, {});
  ASSERT_TRUE(otherwise) << otherwise.error().message;
  const std::string program = std::exchange(spec.program, otherwise->compiled.bytes);
  EXPECT_THAT(*field.problemOf(0), testing::HasSubstr("stock opt-22 makes other IR"));
  spec.program = program;

  // Who has left may come again; who stays has a new number.
  ASSERT_EQ(field.add({1})->code, Added::Code::kNew);
  field.keep(std::array<std::size_t, 1>{1});
  ASSERT_EQ(field.size(), 1u);
  EXPECT_EQ(field.sequence(0), search::Sequence{1});
  EXPECT_EQ(field.add({1})->candidate, 0u);
  EXPECT_EQ(field.add({0, 1})->code, Added::Code::kNew);
}

}  // namespace
}  // namespace ordo::runtime
