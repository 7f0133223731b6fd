// A study compares methods: each method (method.h) works on each program for each objective with each
// seed, once and with the largest budget. What it would have had with a smaller budget is read off the same
// run.
//
// These are the records of a study; study_file.h keeps them, runner.h makes them, docs/formats/study.md
// says what the columns mean.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "search/evaluation/evaluator.h"

namespace ordo::study {

// What all runs of a study have in common: only runs with equal settings may stand in one table.
struct Settings {
  std::string ordo_version;
  std::string backend;           // "llvm 22.1.8 <build>"
  std::string target;            // triple
  std::string space;             // the name, for people
  std::string space_hash;        // the name's meaning
  std::string baseline;          // the composite that is a seed of every run: "clang-Oz"
  std::string knowledge;         // hash of the file of what methods know of other programs, or "none"
  std::uint64_t compiles = 0;    // evaluations of a run, its seeds included
  std::uint64_t max_length = 0;  // of sequences, in actions

  bool operator==(const Settings&) const = default;
};

// The budgets that are read off a run of `compiles` evaluations: the powers of ten below it, and itself.
std::vector<std::uint64_t> budgetsOf(std::uint64_t compiles);

// What a baseline makes of a program.
struct Reference {
  std::string baseline;  // "clang-Oz", "bare-Oz", "initial" (no pass at all)
  std::string metric;
  double value = 0;
};

struct Program {
  std::string uri;
  std::string suite;  // what it is averaged with: "debian/zlib", "suite", a folder
  std::string hash;   // of the bitcode before any pass, in hexadecimal
  std::vector<Reference> references;
  std::string failure;  // why it could not be made ready, or ""
};

struct RunKey {
  std::string method;
  std::string program;  // uri
  std::string objective;
  std::uint64_t seed = 0;

  auto operator<=>(const RunKey&) const = default;
};

// When the method's own best so far was found, and what had been spent until then. The seeds, which the
// harness evaluates, are nobody's own, but count as evaluations.
struct Improvement {
  std::uint64_t evaluation = 0;
  std::uint64_t passes = 0;
  double cpu_s = 0;
  double wall_s = 0;
  double value = 0;
  std::vector<std::string> actions;
};

struct Figure {
  std::string metric;
  double value = 0;
};

// Where a run stood when its budget was `compiles`.
struct Checkpoint {
  std::uint64_t compiles = 0;     // the budget
  std::uint64_t evaluations = 0;  // spent: fewer if the method had nothing left to try
  std::uint64_t passes = 0;
  double cpu_s = 0;
  double wall_s = 0;
  // The method's own best by then, replayed in a session of its own without any cache and measured in
  // every metric. Empty if it had nothing valid.
  std::vector<Figure> own;
};

// The dialogue of a method that is a language model.
struct Talk {
  std::string end;        // "the model submitted", "the model called no tools" …
  bool answered = false;  // the model itself ended it with a sequence that was measured and replays
  std::string why;        // not; "" if it did
  std::vector<std::string> actions;  // what it came to: the answer, else the best that was measured
  std::optional<double> value;       // of these by the objective, replayed; none if they fail then
  std::uint64_t replies = 0, calls = 0, failed_calls = 0;
  double prompt_tokens = 0, completion_tokens = 0;
  double flops = 0;        // of the model
  std::string flops_from;  // who says so: "the model", "2 x parameters x tokens", "unknown"
  double model_cpu_s = 0;  // processor time of the model's process, part of the run's method_cpu_s
  double start_cpu_s = 0;  // and of that process's start, which is not: it serves many runs

  bool operator==(const Talk&) const = default;
};

struct Run {
  RunKey key;
  std::string failure;    // why there is no result, or ""
  double seed_value = 0;  // the best of the seeds (the baseline, the program as it is) by the objective

  search::Statistics statistics;
  std::int64_t workers_died = 0;
  double worker_cpu_s = 0;   // passes, measuring, and what workers do besides
  double method_cpu_s = 0;   // the method's own thinking
  double start_cpu_s = 0;    // of that, the start of an external method's process
  double harness_cpu_s = 0;  // ours: bookkeeping, messages, waiting
  double wall_s = 0;
  std::uint64_t peak_bytes = 0;  // resident memory of the largest worker

  std::vector<Improvement> improvements;
  std::vector<Checkpoint> checkpoints;  // by compiles
  std::optional<Talk> talk;

  double cpuSeconds() const { return worker_cpu_s + method_cpu_s + harness_cpu_s; }
};

// The value of an objective, a metric or several (env/preference.h), by `figures`, if all it needs is there.
std::optional<double> valueOf(const std::vector<Figure>& figures, std::string_view objective);
std::optional<double> valueOf(const Program& program, std::string_view baseline, std::string_view objective);

}  // namespace ordo::study
