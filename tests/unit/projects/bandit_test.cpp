#include "projects/bandit.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "support/rng.h"

namespace ordo::projects {
namespace {

// A module whose gain comes ever more slowly: of `potential` bytes, all but 1/e after `patience` seconds.
struct Simulated {
  double size = 0, potential = 0, patience = 1, spent = 0;

  double search(double seconds) {
    const double before = std::exp(-spent / patience);
    spent += seconds;
    return potential * (before - std::exp(-spent / patience));
  }
};

// Modules of very different sizes, of which one in three has something to gain. A search of more code takes
// longer.
std::vector<Simulated> project(std::uint64_t seed) {
  Rng rng(seed);
  std::vector<Simulated> modules(30);
  for (Simulated& module : modules) {
    module.size = std::exp(6 + 5 * rng.uniform());
    module.potential = rng.chance(0.33) ? module.size * 0.1 * rng.uniform() : 0;
    module.patience = module.size / 2000;
  }
  return modules;
}

using Choose = std::function<std::size_t(std::size_t turn)>;

double gainOf(std::vector<Simulated> modules, double budget, Bandit* bandit, const Choose& choose) {
  double gained = 0;
  for (std::size_t turn = 0; budget > 0; ++turn) {
    const std::size_t arm = bandit == nullptr ? choose(turn) : *bandit->choose();
    const double gain = modules[arm].search(0.5);
    budget -= 0.5;
    gained += gain;
    if (bandit != nullptr) bandit->record(arm, gain, 0.5);
  }
  return gained;
}

std::vector<double> sizesOf(const std::vector<Simulated>& modules) {
  std::vector<double> sizes;
  for (const Simulated& module : modules) sizes.push_back(module.size);
  return sizes;
}

TEST(BanditTest, ItGainsMoreThanEqualSharesAndThanSharesBySize) {
  double own = 0, equal = 0, by_size = 0;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<Simulated> modules = project(seed);
    Bandit bandit(sizesOf(modules));
    own += gainOf(modules, 60, &bandit, {});
    equal += gainOf(modules, 60, nullptr, [&](std::size_t turn) { return turn % modules.size(); });
    std::vector<double> spent(modules.size());
    by_size += gainOf(modules, 60, nullptr, [&](std::size_t) {
      std::size_t least = 0;
      for (std::size_t i = 0; i < modules.size(); ++i) {
        if ((spent[i] + 0.5) / modules[i].size < (spent[least] + 0.5) / modules[least].size) least = i;
      }
      spent[least] += 0.5;
      return least;
    });
  }
  EXPECT_GT(own, 2 * equal) << "equal shares";
  EXPECT_GT(own, 1.5 * by_size) << "shares by size";
}

TEST(BanditTest, TimeGoesWhereGainsAre) {
  Bandit bandit({1000, 1000, 1000, 1000});
  Simulated rich{1000, 500, 20};
  for (int i = 0; i < 100; ++i) {
    const std::size_t arm = *bandit.choose();
    bandit.record(arm, arm == 2 ? rich.search(0.5) : 0, 0.5);
  }
  EXPECT_GT(bandit.seconds(2), 25);
  // But nothing is given up for good.
  EXPECT_GT(bandit.seconds(0), 0.5);
}

TEST(BanditTest, EachIsTriedOnceTheLargestFirstAndNoneTwiceAtATime) {
  Bandit bandit({5, 500, 50});
  EXPECT_EQ(bandit.choose(), 1u);
  EXPECT_EQ(bandit.choose(), 2u);
  EXPECT_EQ(bandit.choose(), 0u);
  EXPECT_EQ(bandit.choose(), std::nullopt);
  bandit.record(0, 1, 1);
  EXPECT_EQ(bandit.choose(), 0u);
  bandit.retire(0);
  EXPECT_EQ(bandit.choose(), std::nullopt);
}

TEST(BanditTest, WithoutGainsTimeGoesBySize) {
  Bandit bandit({100, 900});
  bandit.record(0, 0, 0);
  for (int i = 0; i < 1000; ++i) bandit.record(*bandit.choose(), 0, 1);
  EXPECT_NEAR(bandit.seconds(1) / bandit.seconds(0), 9, 0.5);
}

TEST(BanditTest, WhatWasSearchedBeforeComesAfterWhatIsNew) {
  Bandit bandit({1000, 10});
  bandit.record(0, 0, 30);
  EXPECT_EQ(bandit.choose(), 1u);
}

}  // namespace
}  // namespace ordo::projects
