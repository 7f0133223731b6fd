// A study small enough to reckon with by hand.
#pragma once

#include "study/study_file.h"

namespace ordo::report {

// Two suites: "a" with the programs a/1 and a/2, "b" with b/1. Baseline values are 100 (clang-Oz) and 200
// (bare-Oz) for both metrics. Budgets are 10 and 20 compiles; seeds are 1 and 2.
struct SmallStudy {
  SmallStudy() {
    study.settings = {"0.1", "toy 1", "counter", "toys", std::string(32, '0'), "clang-Oz", "none", 20, 60};
    study.notes = {{"machine", "a small one"}};
    study.file_hash = std::string(32, 'f');
    for (const auto& [uri, instructions] : {std::pair{"a/1", 50.0}, {"a/2", 500.0}, {"b/1", 50000.0}}) {
      study::Program program{uri, std::string(uri, 1), "hash", {}, ""};
      for (const char* metric : {"ir_instructions", "text_bytes"}) {
        program.references.push_back({"clang-Oz", metric, 100});
        program.references.push_back({"bare-Oz", metric, 200});
      }
      program.references.push_back({"initial", "ir_instructions", instructions});
      study.programs.push_back(std::move(program));
    }
  }

  // Own bests at 10 and at 20 compiles; the seeds are worth 100.
  study::Run& add(const std::string& method, const std::string& program, std::uint64_t seed, double at_10,
                  double at_20, const std::string& objective = "ir_instructions") {
    study::Run run;
    run.key = {method, program, objective, seed};
    run.seed_value = 100;
    run.statistics.evaluations = 20;
    run.statistics.passes = 60;
    run.worker_cpu_s = 1.9;
    run.method_cpu_s = 0.06;
    run.harness_cpu_s = 0.04;
    run.improvements = {{5, 9, 0.5, 0.6, at_10, {"x"}}, {15, 30, 1.5, 1.6, at_20, {"x", "y"}}};
    run.checkpoints = {{10, 10, 20, 1, 1, {{"ir_instructions", at_10}, {"text_bytes", 2 * at_10}}},
                       {20, 20, 60, 2, 2, {{"ir_instructions", at_20}, {"text_bytes", 2 * at_20}}}};
    study.runs.push_back(std::move(run));
    return study.runs.back();
  }

  // Two methods, complete: "good" makes 10 % on each, "random" nothing of its own at first, then 4 %.
  static SmallStudy complete() {
    SmallStudy small;
    for (const char* program : {"a/1", "a/2", "b/1"}) {
      for (const std::uint64_t seed : {1u, 2u}) {
        small.add("good", program, seed, 95, seed == 1 ? 88 : 92);
        small.add("random", program, seed, 120, 96);
      }
    }
    return small;
  }

  study::Study study;
};

}  // namespace ordo::report
