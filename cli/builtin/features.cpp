// ordo features: observations of a program, before any pass or after a baseline.
#include <algorithm>
#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "support/exit_code.h"
#include "support/json.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string file;
  std::vector<std::string> names{"autophase"};
  std::string baseline = "clang-Oz";
  bool after_baseline = false;
  bool json = false;
};

// `count` elements from the one at `begin`.
Json numbers(const env::Observation& observation, std::size_t begin, std::size_t count) {
  if (observation.dtype == DType::kInt64) {
    const auto values = observation.int64s().subspan(begin, count);
    return std::vector<std::int64_t>(values.begin(), values.end());
  }
  const auto* values = reinterpret_cast<const float*>(observation.bytes.data()) + begin;
  return std::vector<float>(values, values + count);
}

// A matrix is an array of rows.
Json valuesOf(const env::Observation& observation) {
  if (observation.dtype == DType::kBytes) return std::string(observation.text());
  if (observation.shape.size() == 1) return numbers(observation, 0, observation.shape[0]);
  Json rows = Json::array();
  for (std::size_t row = 0; row < observation.shape[0]; ++row) {
    rows.push_back(numbers(observation, row * observation.shape[1], observation.shape[1]));
  }
  return rows;
}

// What a person can read: the corner of a matrix, the size of a graph, everything else as it is.
void print(std::string_view name, const env::Observation& observation) {
  constexpr std::size_t kRows = 10;
  constexpr std::size_t kColumns = 8;
  if (observation.dtype == DType::kBytes) {
    fmt::print("{}\n", observation.text());
  } else if (observation.shape.size() == 2) {
    const std::size_t rows = observation.shape[0];
    const std::size_t columns = observation.shape[1];
    fmt::print("{}: {} rows of {}\n", name, rows, columns);
    for (std::size_t row = 0; row < std::min(rows, kRows); ++row) {
      std::string text = writeJson(numbers(observation, row * columns, std::min(columns, kColumns)));
      if (columns > kColumns) text.replace(text.size() - 1, 1, ",...]");
      fmt::print("  {}\n", text);
    }
    if (rows > kRows || columns > kColumns) fmt::print("  (all of it with --json)\n");
  } else if (name == "program_graph") {
    // The header of docs/formats/program-graph.md.
    const std::span<const std::int64_t> graph = observation.int64s();
    fmt::print("{}: {} nodes and {} edges of {} functions and {} blocks (all of it with --json)\n", name,
               graph[1], graph[2], graph[5], graph[6]);
  } else {
    fmt::print("{} {}\n", name, writeJson(valuesOf(observation)));
  }
}

Status show(const Options& options, const std::vector<std::string>& flags) {
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(options.baseline));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine,
                  engine::Engine::start({.limits = {}, .remember_crashes = false}));
  std::vector<std::string> known;
  for (const env::ObservationInfo& info : engine->info().observations) known.push_back(info.name);
  for (const std::string& name : options.names) {
    if (std::find(known.begin(), known.end(), name) == known.end()) {
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("observation", name, known));
    }
  }
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(options.file, baseline, flags));
  env::SessionSpec spec{input.program.name,
                        input.compiled.bytes,
                        {engine::baselineAction(baseline, input.pipeline)},
                        input.settings()};
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine->backend().open(std::move(spec)));
  if (options.after_baseline) {
    const env::ActionIndex action = 0;
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply({&action, 1}));
    if (!outcome.ok())
      return fail(ErrorCode::kUnsupported, "{}: {}: {}", input.program.name, env::name(outcome.status),
                  outcome.detail);
  }
  Json all;
  for (const std::string& name : options.names) {
    ORDO_TRY_ASSIGN(const env::Observation observation, session->observe(name));
    if (options.json) {
      all[name] = valuesOf(observation);
    } else {
      print(name, observation);
    }
  }
  if (options.json) fmt::print("{}\n", writeJson(all));
  return {};
}

}  // namespace

extern const CommandInfo features{
    .name = "features",
    .summary = "observations of a program (ordo list observations)",
    .examples =
        "  ordo features suite/sha256\n"
        "  ordo features main.c --name inst_count --after-baseline --json -- -I inc\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->file, "a C, C++, .ll or .bc file, or a folder with a program.toml")
          ->required();
      app.add_option("--name", options->names, "which observations")->delimiter(',')->capture_default_str();
      app.add_option("--baseline", options->baseline, "how the program is compiled")->capture_default_str();
      app.add_flag("--after-baseline", options->after_baseline,
                   "after the baseline's passes, not before any");
      app.add_flag("--json", options->json, "print as JSON");
      return [options](const std::vector<std::string>& flags) {
        const Status status = show(*options, flags);
        return status ? kOk : report(status.error());
      };
    }};

}  // namespace ordo::cli
