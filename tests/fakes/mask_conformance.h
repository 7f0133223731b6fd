// What masks of episodes promise on any backend (env/episode.h): what is masked in cannot be refused, and
// what is masked out is unsafe, not legal by what the session says, or known to be useless.
#pragma once

#include <gtest/gtest.h>

#include "env/episode.h"
#include "support/rng.h"

namespace ordo::fakes {

// Walks at random through `spec`'s program, with its last action unsafe. Some action has to be illegal in
// some state, or nothing is shown.
inline void expectMaskConformance(env::Backend& backend, const env::SessionSpec& spec) {
  const Result<env::BackendInfo> info = backend.describe();
  ASSERT_TRUE(info) << info.error().message;
  auto program = std::make_shared<env::EpisodeProgram>();
  program->uri = spec.name;
  program->program = spec.program;
  program->hash = hashBytes(spec.program);
  auto episodes = std::make_shared<env::EpisodeSpec>();
  episodes->backend = &backend;
  episodes->actions = spec.actions;
  episodes->safe.assign(spec.actions.size(), 1);
  episodes->safe.back() = 0;
  episodes->reward.metric = info->metrics.front().name;
  episodes->mask_no_effect = false;

  Rng rng(3);
  std::size_t illegal = 0;
  env::Episode episode(episodes);
  std::vector<std::uint8_t> mask(episodes->choices());
  for (int walk = 0; walk < 3; ++walk) {
    ASSERT_TRUE(episode.reset(program));
    for (int step = 0; step < 12; ++step) {
      episode.mask(mask);
      const Result<std::vector<std::uint8_t>> legal = episode.session().legalActions();
      ASSERT_TRUE(legal) << legal.error().message;
      std::vector<std::uint32_t> possible;
      for (env::ActionIndex action = 0; action < spec.actions.size(); ++action) {
        illegal += (*legal)[action] == 0;
        EXPECT_EQ(mask[action], (*legal)[action] & episodes->safe[action]) << spec.actions[action].name;
        if (mask[action] != 0) possible.push_back(action);
      }
      EXPECT_EQ(mask.back(), 1) << "it may always be stopped";
      ASSERT_FALSE(possible.empty());
      const Result<env::EpisodeStep> done = episode.step(possible[rng.below(possible.size())]);
      ASSERT_TRUE(done) << done.error().message;
      EXPECT_NE(done->status, env::StepStatus::kRejected) << done->detail;
    }
    const Result<std::unique_ptr<env::Episode>> fork = episode.fork();
    ASSERT_TRUE(fork) << fork.error().message;
    std::vector<std::uint8_t> copied(mask.size());
    (*fork)->mask(copied);
    episode.mask(mask);
    EXPECT_EQ(copied, mask) << "a fork is in the same state";
  }
  EXPECT_GT(illegal, 0u);
}

}  // namespace ordo::fakes
