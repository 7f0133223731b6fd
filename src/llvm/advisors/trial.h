// What advice is worth: a module compiled in memory again and again, each time with another advisor, by the
// pipeline of `clang-22 -Oz -c`.
//
// LLVM can crash on what nobody has tried before: who tries advice at random does so in a process that may
// end.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "env/advice_log.h"
#include "env/advisor.h"
#include "llvm/advisors/eviction_advisor.h"
#include "llvm/ir/target.h"
#include "support/error.h"

namespace ordo::advisors {

struct Outcome {
  std::uint64_t code = 0;  // bytes that are executed (ir::ObjectSizes), without tables for unwinding
  env::AdviceLog log;      // every question and its answer
};

class Trial {
 public:
  // `bitcode` before any pass; its functions are given the attributes of -Oz if they lack them. `name` is for
  // messages and for advisors. kCorrupt or kUnsupported if there is no code to be made of it.
  static Result<Trial> open(std::string bitcode, std::string name, const ir::TargetOptions& target = {});

  // Of what was optimised before: nothing but code is made of it. Errors as open().
  static Result<Trial> openOptimised(std::string bitcode, std::string name,
                                     const ir::TargetOptions& target = {});

  // The module behind the pipeline, where all that is left is to make code: many times as quick to run, for
  // advisors of evictions.
  Result<Trial> optimised() const;

  // Bitcode of the optimised module with no functions but those in which an advisor of evictions is asked
  // something, for who tries many: openOptimised(). Nothing if there are none.
  Result<std::optional<std::string>> crowdedFunctions() const;

  // The same advice gives the same outcome. `scope` is of evictions. `advisor` is of
  // notation::inlineDecision() or evictDecision(). kUnsupported with the code generator's complaint.
  Result<Outcome> run(env::Advisor& advisor, const EvictionScope& scope = {}) const;

 private:
  Trial(std::string bitcode, std::string name, ir::TargetOptions target, bool is_optimised)
      : bitcode_(std::move(bitcode)),
        name_(std::move(name)),
        target_(std::move(target)),
        is_optimised_(is_optimised) {}

  std::string bitcode_;
  std::string name_;
  ir::TargetOptions target_;
  bool is_optimised_;
};

}  // namespace ordo::advisors
