#include "check/validate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/files.h"
#include "tests/fakes/engine_fixture.h"

namespace ordo::check {
namespace {

using testing::HasSubstr;

const std::filesystem::path kData = std::filesystem::path(ORDO_SOURCE_DIR) / "data";
const std::string kCrc32 = ORDO_SOURCE_DIR "/suite/crc32";

class ValidateTest : public engine::EngineFixture {
 protected:
  static void SetUpTestSuite() {
    engine::EngineFixture::SetUpTestSuite();
    manifest_ = *spaces::loadManifest(kData, engine_->info());
  }

  // The state that `actions` lead to, as an environment would write it.
  static recipe::State record(const std::string& uri, const std::string& space_name,
                              const std::vector<std::string>& actions,
                              const std::string& metric = "ir_instructions") {
    const auto library = *engine::ProgramLibrary::create(*engine_, {.values = {metric + "/initial"}});
    const auto program = library->load(uri);
    EXPECT_TRUE(program) << program.error().message;
    const spaces::Space space = *spaces::loadSpace(kData, space_name, manifest_);
    env::SessionSpec spec{uri, (*program)->program, {}, (*program)->settings};
    std::vector<env::ActionIndex> all;
    for (const std::string& action : actions) {
      all.push_back(static_cast<env::ActionIndex>(spec.actions.size()));
      spec.actions.push_back(manifest_.find(action)->action());
    }
    const auto session = *engine_->backend().open(spec);
    EXPECT_TRUE(session->apply(all)->ok());
    const double value = session->measure(metric)->value;
    const double initial = (*program)->values.at(metric + "/initial");
    return {.program = uri,
            .program_hash = (*program)->hash,
            .space = space_name,
            .space_hash = space.hash,
            .actions = actions,
            .metric = metric,
            .value = value,
            .reward = metric + "/initial",
            .earned = (initial - value) / initial};
  }

  static Validation validate(const recipe::State& state, const ValidateOptions& options = {}) {
    const auto validator = *Validator::create(*engine_, kData, options);
    auto result = validator->validate(state);
    EXPECT_TRUE(result) << result.error().message;
    return *std::move(result);
  }

  // The one check that failed, and nothing after program, actions and replay if it is one of them.
  static Check failure(const Validation& validation) {
    EXPECT_FALSE(validation.ok());
    for (const Check& check : validation.checks) {
      if (check.verdict == Verdict::kFailed) return check;
    }
    return {};
  }

  static std::string verdicts(const Validation& validation) {
    std::string text;
    for (const Check& check : validation.checks)
      text += fmt::format("{} {}\n", check.name, name(check.verdict));
    return text;
  }

  static inline spaces::Manifest manifest_;
};

TEST_F(ValidateTest, AGoodStatePassesEveryCheck) {
  const recipe::State state = record(kCrc32, "size", {"sroa", "inline", "simplifycfg", "gvn"});
  const Validation validation = validate(state);
  EXPECT_TRUE(validation.ok());
  EXPECT_EQ(verdicts(validation),
            "program passed\nactions passed\nreplay passed\nvalue passed\nreward passed\n"
            "output passed\naddress passed\nsource passed\n");
}

TEST_F(ValidateTest, NoActionsAreAStateToo) { EXPECT_TRUE(validate(record(kCrc32, "size", {})).ok()); }

TEST_F(ValidateTest, AWrongValueOrRewardFails) {
  recipe::State state = record(kCrc32, "size", {"sroa"});
  const double right = state.value;
  state.value = right * (1 + 2e-5);
  EXPECT_EQ(failure(validate(state, {.run = false})).name, "value");
  state.value = right * (1 + 0.5e-5);
  EXPECT_TRUE(validate(state, {.run = false}).ok()) << "within the tolerance";
  EXPECT_EQ(failure(validate(state, {.tolerance = 1e-7, .run = false})).name, "value");
  state.value = right;
  *state.earned *= 1.01;
  const Check reward = failure(validate(state, {.run = false}));
  EXPECT_EQ(reward.name, "reward");
  EXPECT_THAT(reward.detail, HasSubstr("ir_instructions/initial earned"));
}

TEST_F(ValidateTest, WhatCannotBeReplayedFails) {
  const recipe::State good = record(kCrc32, "size", {"sroa"});
  recipe::State state = good;
  state.actions.push_back("gvm");
  EXPECT_THAT(failure(validate(state)).detail,
              HasSubstr("the space size has no action 'gvm'; did you mean 'gvn'?"));
  state = good;
  state.program = "suite/no-such-program";
  EXPECT_EQ(failure(validate(state)).name, "program");
  state = good;
  state.program_hash.low += 1;
  EXPECT_THAT(failure(validate(state)).detail, HasSubstr("is another program now"));
  state = good;
  state.space_hash.low += 1;
  EXPECT_THAT(failure(validate(state)).detail, HasSubstr("the space 'size' has other actions now"));
  state = good;
  state.space = "sise";
  EXPECT_THAT(failure(validate(state)).detail, HasSubstr("did you mean 'size'?"));
  state = good;
  state.metric = "ir_instruction";
  EXPECT_THAT(failure(validate(state)).detail, HasSubstr("did you mean 'ir_instructions'?"));
  state = good;
  state.level = "O9";
  EXPECT_EQ(failure(validate(state)).name, "program");
}

// Writes a program with a test of its output into a folder.
void writeProgram(const std::filesystem::path& dir, std::string_view text, std::string_view out) {
  std::filesystem::create_directories(dir);
  ASSERT_TRUE(writeFile(dir / "main.cpp", text));
  ASSERT_TRUE(writeFile(dir / "out", out));
  ASSERT_TRUE(writeFile(dir / "program.toml",
                        fmt::format("format = 1\nname = \"{}\"\nsummary = \"-\"\nlanguage = \"c++\"\n"
                                    "source = \"main.cpp\"\n[[test]]\nname = \"t\"\nstdout = \"out\"\n",
                                    dir.filename().string())));
}

// lower-invoke is a trap: it forgets who catches an exception. CompilerGym's space has it.
TEST_F(ValidateTest, AMiscompiledProgramFails) {
  const TempDir dir = *TempDir::create();
  writeProgram(dir.path() / "thrower", R"(
#include <cstdio>
__attribute__((noinline)) void thrower(int n) { if (n > 0) throw n; }
int main(int argc, char**) {
  try { thrower(argc); } catch (int n) { std::printf("caught %d\n", n); }
})",
               "caught 1\n");
  const std::string uri = (dir.path() / "thrower").string();
  EXPECT_TRUE(validate(record(uri, "compilergym-124", {"simplifycfg"})).ok());
  const Validation validation = validate(record(uri, "compilergym-124", {"lower-invoke"}), {.retries = 1});
  EXPECT_EQ(failure(validation).name, "output");
  EXPECT_THAT(failure(validation).detail, HasSubstr("t: was killed by signal 6"));
}

TEST_F(ValidateTest, AProgramWithUndefinedBehaviourIsToldFromAMiscompiledOne) {
  const TempDir dir = *TempDir::create();
  writeProgram(dir.path() / "overrun", R"(
#include <cstdio>
int table[4];
int main(int argc, char**) { std::printf("%d\n", table[argc + 3] * 0); }
)",
               "0\n");
  const Validation validation = validate(record((dir.path() / "overrun").string(), "size", {"sroa"}));
  EXPECT_TRUE(validation.ok());
  EXPECT_THAT(verdicts(validation), HasSubstr("address skipped\nsource skipped\n"));
  EXPECT_THAT(validation.checks.back().detail, HasSubstr("the program itself: t: "));
}

TEST_F(ValidateTest, WhatCannotBeRunIsSkipped) {
  const Validation validation = validate(record(ORDO_SOURCE_DIR "/suite/crc32/crc32.c", "size", {"sroa"}));
  EXPECT_TRUE(validation.ok());
  EXPECT_THAT(verdicts(validation), HasSubstr("output skipped\naddress skipped\nsource skipped\n"));
}

}  // namespace
}  // namespace ordo::check
