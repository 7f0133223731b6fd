#include "campaigns/train_eviction.h"

#include <gtest/gtest.h>

#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "tests/unit/campaigns/fake_advise.h"

namespace ordo::campaigns {
namespace {

// Every advisor makes modules of `bytes` of those of 100.
std::string script(int bytes) {
  return fmt::format(R"(#!/bin/sh
if [ $1 = crowd ]; then
  shift 4
  for m; do echo '{{"module":"'$m'","usual":100,"questions":9,"crowded":"'$m'"}}'; done
  exit
fi
shift
if [ $1 = --optimised ]; then shift; fi
advised=
while [ $1 != -- ]; do
  advised=$advised,{}
  shift 2
done
shift
for m; do echo '{{"module":"'$m'","usual":100,"advised":['${{advised#,}}']}}'; done
)",
                     bytes);
}

AdvisorTraining optionsFor(const FakeAdvise& fake, const TempDir& run) {
  // ".bc" files are looked at: bitcode begins so.
  AdvisorTraining options;
  options.programs = {fake.add("a.bc", "BC\xC0\xDE"), fake.add("b.bc", "BC\xC0\xDE")};
  options.held_out = {fake.add("c.bc", "BC\xC0\xDE")};
  options.generations = 2;
  options.run = run.path();
  options.provenance = "a test";
  return options;
}

TEST(TrainEvictionTest, EvolvesGoesOnAndSaysWhatItIsWorth) {
  const FakeAdvise fake(script(90));
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options = optionsFor(fake, *run);
  const Result<TrainedAdvisor> trained = trainEviction(options);
  ASSERT_TRUE(trained) << trained.error().message;
  const Result<policy::AdvisorWeights> weights = policy::AdvisorWeights::parse(trained->weights, "it");
  ASSERT_TRUE(weights) << weights.error().message;
  EXPECT_EQ(weights->info().spec, notation::evictDecision());
  EXPECT_EQ(weights->info().provenance, "a test");
  EXPECT_EQ(trained->held_out.smaller, 1u);

  std::string notes;
  options.note = [&](std::string_view text) { notes += std::string(text) + "\n"; };
  options.generations = 3;
  const Result<TrainedAdvisor> further = trainEviction(options);
  ASSERT_TRUE(further);
  EXPECT_EQ(notes.find("generation 2:"), std::string::npos) << "it went on: " << notes;
  EXPECT_NE(notes.find("generation 3:"), std::string::npos) << notes;
}

TEST(TrainEvictionTest, WhatDoesNotPayIsNeverFollowed) {
  const FakeAdvise fake(script(101));
  const Result<TempDir> run = TempDir::create();
  const Result<TrainedAdvisor> trained = trainEviction(optionsFor(fake, *run));
  ASSERT_TRUE(trained) << trained.error().message;
  EXPECT_EQ(trained->held_out.log_ratio, 0);
  const Result<policy::AdvisorWeights> weights = policy::AdvisorWeights::parse(trained->weights, "it");
  ASSERT_TRUE(weights) << weights.error().message;
  std::vector<float> features(notation::evictDecision().features.size(), 1);
  const std::vector<std::uint8_t> allowed(33, 1);
  policy::Network::Scratch scratch;
  for (std::uint32_t usual = 0; usual < 33; ++usual)
    EXPECT_EQ(weights->answer({features, allowed, usual}, scratch), usual);
}

TEST(TrainEvictionTest, StopsWhenItIsTold) {
  const FakeAdvise fake(script(90));
  const Result<TempDir> run = TempDir::create();
  AdvisorTraining options = optionsFor(fake, *run);
  options.progress = [](std::string_view) { return false; };
  const Result<TrainedAdvisor> trained = trainEviction(options);
  ASSERT_TRUE(trained);
  EXPECT_TRUE(trained->weights.empty());
}

}  // namespace
}  // namespace ordo::campaigns
