// What production taught (`ordo loop export`), into the weights of a policy: `--algorithm awr`.
#pragma once

#include <CLI/App.hpp>
#include <atomic>
#include <functional>
#include <string>
#include <string_view>

#include "learn/awr.h"
#include "learn/network.h"
#include "loop/learning/gate.h"
#include "loop/learning/lessons.h"
#include "policy/encoder.h"
#include "spaces/space.h"
#include "trainer/experience.h"

namespace ordo::trainer {

struct ProductionOptions {
  learn::AwrOptions awr;
  loop::LessonOptions lesson;
  loop::GateOptions gate;
  double judged_by = 0.5;  // share of the trials that is not learned from: the newest
};

void addOptions(CLI::App& app, ProductionOptions& options);

// Gives the runs their states, by replaying them in their programs, which are compiled at the level of the
// experience's baseline. A program that is not to be had, is reserved for the final evaluation, is another
// one now, or in which a sequence fails, loses its runs, and `note` is told. kNotFound if that is all.
Status replay(Experience& experience, const spaces::Space& space,
              const std::function<void(std::string_view)>& note);

// Has `network` learn from the first trials, and judges by the others whether it may be used in the place of
// what it was; if not, it is that again. What it says of new weights is their provenance. `note` is told how
// it goes. The same options give the same. REQUIRES: the runs have states. kInvalidArgument if too little is
// there to learn from or to judge by; kDeadlineExceeded once `stop` is up.
Result<loop::Judgement> learnFromProduction(learn::Network& network, const Experience& experience,
                                            const policy::Encoder& encoder, const ProductionOptions& options,
                                            const std::atomic<bool>& stop,
                                            const std::function<void(std::string_view)>& note);

}  // namespace ordo::trainer
