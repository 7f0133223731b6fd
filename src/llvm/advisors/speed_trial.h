// What advice on inlining is worth for speed: a module compiled in memory again and again by the half of
// clang's -O3 pipeline that inlines, each time with another advisor, and its time estimated
// (estimated_cycles.h).
//
// As of Trial: who tries advice at random does so in a process that may end.
#pragma once

#include <string>

#include "env/advice_log.h"
#include "env/advisor.h"
#include "llvm/advisors/estimated_cycles.h"
#include "llvm/ir/target.h"
#include "support/error.h"

namespace ordo::advisors {

// What a module costs where LLVM decides by itself, so that a unit is a twentieth of a percent of its time.
inline constexpr double kUsualCost = 2000;
// Code that grows has to make up for it: what is e times as large has to be a fiftieth quicker.
inline constexpr double kGrowthCost = 0.02;

struct SpeedOutcome {
  double cost = 0;     // kUsualCost for LLVM's own decisions; less is better
  env::AdviceLog log;  // every question and its answer
};

class SpeedTrial {
 public:
  // `bitcode` before any pass; what says that size counts is taken off its functions. Errors as
  // Trial::open(), and as estimateCycles().
  static Result<SpeedTrial> open(std::string bitcode, std::string name, const ir::TargetOptions& target = {});

  // The same advice gives the same outcome. `inlining` is of notation::inlineDecision().
  Result<SpeedOutcome> run(env::Advisor& inlining) const;

 private:
  SpeedTrial(std::string bitcode, std::string name, ir::TargetOptions target)
      : bitcode_(std::move(bitcode)), name_(std::move(name)), target_(std::move(target)) {}

  Result<EstimatedCycles> estimate(env::Advisor& inlining) const;

  std::string bitcode_;
  std::string name_;
  ir::TargetOptions target_;
  EstimatedCycles usual_;
};

}  // namespace ordo::advisors
