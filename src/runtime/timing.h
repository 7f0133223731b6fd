// Timing programs against each other: two executables, or what a recipe makes beside what clang makes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "datasets/program.h"
#include "engine/engine.h"
#include "frontend/level.h"
#include "recipe/recipe.h"
#include "support/error.h"
#include "timing/comparison.h"
#include "timing/rig.h"

namespace ordo::runtime {

struct TimingOptions {
  timing::TrialOptions trial;
  timing::RigOptions rig;
  unsigned repeats = 2;  // of a void trial
};

// Whether `candidate` is faster than `baseline` on all `inputs` together. Executables of which the same is
// loaded are not run. Errors as of timing::Rig::create() and timing::compare().
Result<timing::Comparison> timeExecutables(const std::filesystem::path& baseline,
                                           const std::filesystem::path& candidate,
                                           const std::vector<timing::Input>& inputs,
                                           const TimingOptions& options);

// Whether what `recipe` makes of its program (`file`, or where the recipe says it is) is faster than what
// `clang-22 -<level>` with the same flags makes of it, on timingInputs(). kInvalidArgument
// if the program cannot be run or is not the recipe's.
Result<timing::Comparison> timeRecipe(engine::Engine& engine, const recipe::Recipe& recipe,
                                      const std::string& file, frontend::Level level, TimingOptions options);

// The program's timed runs as inputs; its tests if it has none; one without arguments for a program that is
// only runnable; nothing for others.
std::vector<timing::Input> timingInputs(const datasets::Program& program);

}  // namespace ordo::runtime
