// What any env::Session promises (env/session.h). A test of a backend calls this with a program and actions
// of its own, at least two of which do something to it.
#pragma once

#include <gtest/gtest.h>

#include "env/session.h"
#include "support/rng.h"

namespace ordo::fakes {

inline void expectConformance(env::Backend& backend, const env::SessionSpec& spec) {
  const Result<env::BackendInfo> info = backend.describe();
  ASSERT_TRUE(info) << info.error().message;
  EXPECT_FALSE(info->name.empty() || info->version.empty());
  ASSERT_FALSE(info->metrics.empty());
  const auto open = [&] {
    auto session = backend.open(spec);
    ORDO_CHECK(session.has_value(), "{}", session.error().message);
    return *std::move(session);
  };
  const std::unique_ptr<env::Session> session = open(), other = open();
  const Hash128 start = *session->stateHash();
  EXPECT_EQ(*other->stateHash(), start) << "a program is known by its hash";
  EXPECT_EQ(session->legalActions()->size(), spec.actions.size());

  Rng rng(7);
  for (int walk = 0; walk < 5; ++walk) {
    ASSERT_TRUE(session->reset());
    EXPECT_EQ(*session->stateHash(), start);
    EXPECT_TRUE(session->history().empty());
    std::vector<env::ActionIndex> done;
    for (int step = 0; step < 8; ++step) {
      const auto action = static_cast<env::ActionIndex>(rng.below(spec.actions.size()));
      const Hash128 before = *session->stateHash();
      const Result<env::StepOutcome> outcome = session->apply(std::vector{action});
      ASSERT_TRUE(outcome) << outcome.error().message;
      if (outcome->ok()) done.push_back(action);
      if (!outcome->ok() || !outcome->changed)
        EXPECT_EQ(*session->stateHash(), before) << spec.actions[action].name;
      if (!outcome->ok()) EXPECT_FALSE(outcome->detail.empty());
    }
    EXPECT_EQ(std::vector(session->history().begin(), session->history().end()), done);

    // Replayed at once elsewhere, it is the same state with the same figures.
    const Hash128 end = *session->stateHash();
    ASSERT_TRUE(other->reset());
    ASSERT_TRUE(other->apply(done)->ok());
    EXPECT_EQ(*other->stateHash(), end);
    for (const env::MetricInfo& metric : info->metrics) {
      const Result<env::Measurement> here = session->measure(metric.name),
                                     there = other->measure(metric.name);
      ASSERT_TRUE(here && there) << metric.name;
      EXPECT_EQ(here->ok(), there->ok()) << metric.name;
      if (metric.deterministic && here->ok()) EXPECT_EQ(here->value, there->value) << metric.name;
    }
    EXPECT_EQ(*session->stateHash(), end) << "measuring changes nothing";

    // What becomes of a fork is no matter of the original.
    const Result<std::unique_ptr<env::Session>> fork = session->fork();
    ASSERT_TRUE(fork) << fork.error().message;
    EXPECT_EQ(*(*fork)->stateHash(), end);
    for (env::ActionIndex action = 0; action < spec.actions.size(); ++action)
      ASSERT_TRUE((*fork)->apply(std::vector{action}));
    EXPECT_EQ(*session->stateHash(), end);

    // What it says is itself opens as itself.
    if (info->program.empty()) continue;
    const Result<env::Observation> program = session->observe(info->program);
    ASSERT_TRUE(program) << program.error().message;
    env::SessionSpec reopened = spec;
    reopened.program = program->text();
    const auto again = backend.open(reopened);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(*(*again)->stateHash(), end);
  }

  for (const env::ObservationInfo& observation : info->observations) {
    const Result<env::Observation> seen = session->observe(observation.name);
    ASSERT_TRUE(seen) << observation.name << ": " << seen.error().message;
    EXPECT_EQ(seen->dtype, observation.dtype) << observation.name;
    if (observation.width > 0) EXPECT_EQ(seen->shape, std::vector{observation.width}) << observation.name;
  }
  EXPECT_EQ(session->observe("no-such-thing").error().code, ErrorCode::kNotFound);
  EXPECT_EQ(session->measure("no-such-thing").error().code, ErrorCode::kNotFound);
  env::SessionSpec broken = spec;
  broken.program = "nothing that any backend reads";
  EXPECT_FALSE(backend.open(broken));
}

}  // namespace ordo::fakes
