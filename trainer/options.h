// What `ordo train policy` is asked for.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <thread>
#include <vector>

#include "learn/clone.h"
#include "trainer/practise.h"
#include "trainer/production.h"

namespace ordo::trainer {

// Where nothing else is said, the recipe of the shipped weights (docs/learned.md).
struct Options {
  std::string experience;
  std::string restored;
  std::string out = "policy.safetensors";
  std::string events;
  std::string tensorboard;
  std::string from;
  std::string knowledge = "shipped";
  std::string architecture = "residual";
  std::string algorithm = "reinforce++";
  std::string reward = "final";
  std::vector<std::string> ignore;
  std::vector<std::string> on;
  std::string prior;
  std::size_t hidden = 256;
  std::size_t blocks = 2;
  double held_out = 0.1;
  std::uint64_t seed = 1;
  std::size_t judges = 40;
  std::size_t more = 500;
  double max_instructions = 1000;
  int threads = 1;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool no_clone = false;
  bool json = false;
  bool quiet = false;
  learn::CloneOptions clone;
  PractiseOptions practise;
  ProductionOptions production;

  Options() {
    clone.patience = 6;
    clone.learning_rate = 5e-4;
    clone.weight_decay = 0.1;
    practise.rollouts = 10'240;
    practise.programs = 32;
    practise.curriculum = false;
    practise.judge_every = 4;
    practise.reinforce.learning_rate = 5e-4;
    practise.reinforce.entropy = 0.001;
    practise.reinforce.kl = 0;
  }
};

void addOptions(CLI::App& app, Options& options);

}  // namespace ordo::trainer
