#include "env/session.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/fakes/toy_session.h"

namespace ordo::env {
namespace {

TEST(StepStatusTest, EveryStatusHasANameOfItsOwn) {
  std::set<std::string_view> names;
  for (auto status = StepStatus::kOk; status <= StepStatus::kOutOfMemory;
       status = static_cast<StepStatus>(static_cast<int>(status) + 1)) {
    names.insert(name(status));
  }
  EXPECT_EQ(names.size(), static_cast<std::size_t>(StepStatus::kOutOfMemory) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(StepStatusTest, ANumberThatIsNoStatusIsUnknown) {
  EXPECT_EQ(name(static_cast<StepStatus>(77)), "unknown");
}

TEST(ObservationTest, BytesReadAsWhatTheyAre) {
  const std::int64_t numbers[] = {1, -2};
  const Observation observation{DType::kInt64, {2}, std::as_bytes(std::span(numbers))};
  ASSERT_EQ(observation.int64s().size(), 2u);
  EXPECT_EQ(observation.int64s()[1], -2);
  const std::string_view word = "toy";
  EXPECT_EQ((Observation{DType::kBytes, {3}, std::as_bytes(std::span(word))}).text(), "toy");
}

TEST(ActionTest, NamesSayTypeAndParameters) {
  const auto parts = [](std::string_view name) {
    const ActionParts found = partsOf(name);
    return std::tuple(found.type, found.parameters, found.sign);
  };
  EXPECT_EQ(parts("gvn"), std::tuple("gvn", "", false));
  EXPECT_EQ(parts("gvn<no-pre>"), std::tuple("gvn", "no-pre", false));
  EXPECT_EQ(parts("tile<32,<8>>"), std::tuple("tile", "32,<8>", false));
  EXPECT_EQ(parts("-minsize"), std::tuple("minsize", "-", true));
  for (const char* whole : {"", "+", "<a>", "loop(a<b>)", "a<b", "a>"})
    EXPECT_EQ(parts(whole), std::tuple(whole, "", false)) << whole;
}

TEST(ActionTest, SettingsAreKnownByWhatTheySettle) {
  EXPECT_EQ(settingOf("codegen<misched=ilpmax>"), "misched");
  EXPECT_EQ(settingOf("codegen<disable-lsr>"), "disable-lsr");
  for (const char* other : {"codegen", "+codegen", "gvn<no-pre>", ""})
    EXPECT_EQ(settingOf(other), "") << other;
}

// A pass may leave what nobody can look at: that is data, not an error of ours.
TEST(StepReportTest, AStateThatCannotBeObservedIsAFailureOfWhatLedThere) {
  fakes::ToyBackend toy;
  const auto session = *toy.open(fakes::toySpec(9, {"dec", "poison", "break", "crash"}));
  const auto step = [&](std::vector<ActionIndex> actions) {
    return *session->step(
        {.reset = true, .actions = std::move(actions), .observations = {"counters", "fragile"}});
  };
  StepReport report = step({0, 1});
  EXPECT_EQ(report.outcome.status, StepStatus::kCrashed);
  EXPECT_EQ(report.outcome.applied, 2u);
  EXPECT_TRUE(report.outcome.changed);
  EXPECT_EQ(report.outcome.detail, "poisoned");
  EXPECT_TRUE(report.observations.empty());
  EXPECT_EQ(step({1, 2}).outcome.status, StepStatus::kVerifierFailed) << "which says more";
  report = step({1, 3});
  EXPECT_EQ(report.outcome.applied, 1u) << "what the actions did stands";
  EXPECT_EQ(report.outcome.detail, "crash: crashed");
  EXPECT_TRUE(report.observations.empty());
  report = step({0});
  EXPECT_TRUE(report.outcome.ok());
  EXPECT_EQ(report.observations.size(), 2u);
}

}  // namespace
}  // namespace ordo::env
