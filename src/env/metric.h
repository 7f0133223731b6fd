// Metrics that are spoken of by name above the backends, and those that no session measures.
//
// What a backend's sessions measure is in BackendInfo::metrics; these are the names of LLVM's, whose catalog
// is llvm/metrics. What only trying a finished candidate tells is measured by an Experiment
// (env/experiment.h), and listed here: tuning for it, its baseline and its limits are others, and that is all
// that anybody has to know.
#pragma once

#include <span>
#include <string_view>

namespace ordo::env {

inline constexpr const char* kTextBytes = "text_bytes";
inline constexpr const char* kCodeBytes = "code_bytes";
inline constexpr const char* kObjectBytes = "object_bytes";
inline constexpr const char* kIrInstructions = "ir_instructions";
inline constexpr const char* kCompileMs = "compile_ms";
inline constexpr const char* kRuntime = "runtime";

// A metric of an Experiment, lower being better.
struct ExperimentInfo {
  std::string_view name;  // persistent API, and no metric of a backend
  std::string_view unit;
  std::string_view summary;
};

// All of them.
std::span<const ExperimentInfo> experiments();

bool isExperiment(std::string_view metric);

}  // namespace ordo::env
