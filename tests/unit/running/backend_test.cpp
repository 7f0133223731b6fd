#include "running/backend.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/program_library.h"
#include "notation/action.h"
#include "running/counts.h"
#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::running {
namespace {

using testing::HasSubstr;

class RunningBackendTest : public engine::EngineFixture {
 protected:
  void SetUp() override {
    std::filesystem::create_directory(dir.path() / "small");
    write("main.c", engine::kSmallProgram);
    write("right.out", "592\n");
    program("abcabc");
  }

  void write(const std::string& name, std::string_view text) {
    ASSERT_TRUE(writeFile(dir.path() / "small" / name, text));
  }
  // The folder becomes a program with one test, if it is told what to print the weight of.
  void program(const std::string& word) {
    std::string text =
        "format = 1\nname = \"small\"\nsummary = \"weight\"\nlanguage = \"c\"\nsource = \"main.c\"\n";
    if (!word.empty())
      text += fmt::format("[[test]]\nname = \"word\"\nargs = [\"{}\"]\nstdout = \"right.out\"\n", word);
    write("program.toml", text);
  }

  std::unique_ptr<env::Session> open(env::Backend& backend) {
    auto library = engine::ProgramLibrary::create(*engine_, {});
    const auto loaded = (*library)->load(uri());
    ORDO_CHECK(loaded.has_value(), "{}", loaded.error().message);
    return backend.open({uri(), (*loaded)->program, kActions, (*loaded)->settings}).value();
  }
  std::string uri() const { return (dir.path() / "small").string(); }

  static inline const std::vector<env::Action> kActions{
      {"sroa", notation::kPipeline, "function(sroa)"},
      {"internalize", notation::kPipeline, "internalize,globaldce"}};
  TempDir dir = TempDir::create().value();
};

std::vector<std::int64_t> numbers(const Result<env::Observation>& observation) {
  ORDO_CHECK(observation.has_value(), "{}", observation.error().message);
  return {observation->int64s().begin(), observation->int64s().end()};
}

TEST_F(RunningBackendTest, CountsFollowTheStateAndRepeat) {
  if (!countSource()) GTEST_SKIP() << countSource().error().message;
  RunningBackend backend(*engine_, frontend::Level::kOz), other(*engine_, frontend::Level::kOz);
  const auto session = open(backend), elsewhere = open(other);
  const std::vector<std::int64_t> start = numbers(session->observe("counters"));
  ASSERT_EQ(start.size(), kCountNames.size());
  EXPECT_EQ(start[0], static_cast<std::int64_t>(countSource().value()));
  EXPECT_EQ(start[1], 0);
  EXPECT_EQ(numbers(session->observe("counters")), start) << "a state is run once";
  if (countSource().value() == CountSource::kCachegrind) {
    EXPECT_EQ(numbers(elsewhere->observe("counters")), start);
  }

  // In a step they stand where they were asked for, and the others are what they are without.
  const auto plain = open(engine_->backend());
  const Result<env::StepReport> without =
      plain->step({.actions = {0}, .observations = {"ir_hash", "autophase"}});
  const Result<env::StepReport> report =
      session->step({.actions = {0}, .observations = {"ir_hash", "counters", "autophase"}});
  ASSERT_TRUE(report && without);
  ASSERT_EQ(report->observations.size(), 3u);
  EXPECT_EQ(report->observations[0].text(), without->observations[0].text());
  EXPECT_EQ(report->observations[2].text(), without->observations[1].text());
  const std::vector<std::int64_t> after = numbers(report->observations[1]);
  EXPECT_EQ(after[1], 0);
  EXPECT_LT(after[6] + after[7], start[6] + start[7]) << "variables in registers are not in memory";
  const auto fork = session->fork();
  ASSERT_TRUE(fork);
  EXPECT_EQ(numbers((*fork)->observe("counters")), after);
}

TEST_F(RunningBackendTest, ARunTimeStandsWhereItWasAskedForAndIsTakenOnce) {
  RunningBackend backend(*engine_, frontend::Level::kO3, {.baseline = frontend::Level::kO3, .budget_s = 0.1});
  const auto session = open(backend);
  const env::StepRequest request{
      .actions = {0}, .metrics = {"ir_instructions", "runtime", "text_bytes"}, .observations = {"autophase"}};
  const auto report = session->step(request);
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_EQ(report->measurements.size(), 3u);
  EXPECT_EQ(report->measurements[0].value, session->measure("ir_instructions")->value);
  ASSERT_TRUE(report->measurements[1].ok()) << report->measurements[1].detail;
  EXPECT_GT(report->measurements[1].value, 0);
  EXPECT_EQ(report->measurements[2].value, session->measure("text_bytes")->value);
  EXPECT_EQ(session->measure("runtime")->value, report->measurements[1].value);
  ASSERT_EQ(report->observations.size(), 1u);

  // Without main there is nothing to run.
  const auto broken = open(backend)->step({.actions = {1}, .metrics = {"runtime"}});
  ASSERT_TRUE(broken) << broken.error().message;
  EXPECT_FALSE(broken->measurements[0].ok());
}

TEST_F(RunningBackendTest, AStateThatCannotBeBuiltIsSaidTo) {
  if (!countSource()) GTEST_SKIP() << countSource().error().message;
  RunningBackend backend(*engine_, frontend::Level::kOz);
  const auto session = open(backend);
  // Without main there is nothing to link. Exports are somebody else's to check.
  const auto report = session->step({.actions = {1}, .observations = {"counters"}});
  ASSERT_TRUE(report) << report.error().message;
  ASSERT_TRUE(report->outcome.ok()) << report->outcome.detail;
  EXPECT_EQ(numbers(report->observations[0])[1], static_cast<std::int64_t>(CountStatus::kNotBuilt));
}

TEST_F(RunningBackendTest, WhatNobodyKnowsHowToRunIsRefused) {
  if (!countSource()) GTEST_SKIP() << countSource().error().message;
  program("");
  RunningBackend backend(*engine_, frontend::Level::kOz);
  const auto session = open(backend);
  for (const ErrorCode code : {session->observe("counters").error().code,
                               session->step({.observations = {"counters"}}).error().code}) {
    EXPECT_EQ(code, ErrorCode::kUnsupported);
  }
  EXPECT_THAT(session->observe("counters").error().message, HasSubstr("program.toml with tests"));
  EXPECT_TRUE(session->step({.observations = {"autophase"}}));
}

}  // namespace
}  // namespace ordo::running
