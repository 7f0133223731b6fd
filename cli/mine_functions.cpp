// The file of labels begins with a line that says what they are of; then each program has a line for each
// track.
#include "cli/mine_functions.h"

#include <fstream>
#include <map>
#include <set>

#include "campaigns/eval.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "engine/knowledge.h"
#include "engine/objective.h"
#include "search/knowledge/function_sequences.h"
#include "spaces/manifest.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"
#include "tune/by_function.h"

namespace ordo::cli {
namespace {

using Texts = std::map<std::string, std::vector<std::string>>;  // of each track

// At most so many of a long list, evenly: what begins it are sequences of whole programs, what ends it single
// passes.
std::vector<search::MinedSequence> some(const std::vector<search::MinedSequence>& all, std::size_t most) {
  std::vector<search::MinedSequence> few;
  const std::size_t count = std::min(most, all.size());
  for (std::size_t i = 0; i < count; ++i) few.push_back(all[i * all.size() / count]);
  return few;
}

struct Program {
  engine::Input input;
  env::SessionSpec spec;
  std::vector<tune::Track> tracks;
};

Result<Program> prepare(engine::Engine& engine, const spaces::Space& space, const std::string& uri,
                        const MineFunctionsOptions& options) {
  Program program;
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(options.baseline));
  ORDO_TRY_ASSIGN(program.input, engine::prepareInput(uri, baseline, {}));
  ORDO_TRY(campaigns::checkPurpose(program.input.program, campaigns::RunPurpose::kTraining));
  program.spec = {uri, program.input.compiled.bytes, {}, program.input.settings()};
  env::ActionIndex index = 0;
  program.spec.actions = engine::candidateActions(program.input, space, false, index);
  ORDO_TRY_ASSIGN(
      const search::Knowledge knowledge,
      engine::loadKnowledge({engine::knowledgePath("shipped"), ""}, engine.backend(), program.spec));
  program.tracks =
      tune::tracksBehind({{index}}, program.spec.actions, knowledge.coreset(options.objective), {});
  for (tune::Track& track : program.tracks) track.sequences = some(track.sequences, options.sequences);
  return program;
}

std::string headOf(const engine::Engine& engine, const MineFunctionsOptions& options, const Texts& texts) {
  return writeJson({{"format", 1},
                    {"backend", engine.info().name},
                    {"version", engine.info().version},
                    {"objective", options.objective},
                    {"baseline", options.baseline},
                    {"tracks", texts}});
}

Result<std::vector<search::FunctionLabels>> readLabels(const std::string& path, std::string& head) {
  std::vector<search::FunctionLabels> all;
  std::error_code ignored;
  if (!std::filesystem::exists(path, ignored)) return all;
  ORDO_TRY_ASSIGN(const std::string text, readFile(path));
  std::size_t number = 0;
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    const bool whole = line.size() < rest.size();
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    ++number;
    if (number == 1) {
      head = line;
      continue;
    }
    // The last was cut off if whoever wrote it was.
    if (!whole) break;
    ORDO_TRY_ASSIGN(search::FunctionLabels labels,
                    search::parseLabels(line, fmt::format("{}:{}", path, number)));
    all.push_back(std::move(labels));
  }
  return all;
}

Status mineAll(const MineFunctionsOptions& options) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  if (!tune::choosesByFunction(engine->info(), options.objective))
    return fail(ErrorCode::kInvalidArgument,
                "{} is not measured by function; code_bytes and ir_instructions are", options.objective);
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), options.space, manifest));
  std::string head;
  ORDO_TRY_ASSIGN(std::vector<search::FunctionLabels> all, readLabels(options.labels, head));
  std::set<std::string> known;
  for (const search::FunctionLabels& labels : all) known.insert(labels.program);
  Texts texts;
  ProgressLine progress(true);
  std::size_t done = 0;
  for (const std::string& uri : options.programs) {
    if (interrupted()) break;
    progress.show(fmt::format("{} of {} programs: {}", ++done, options.programs.size(), uri));
    if (known.contains(uri) && !texts.empty()) continue;
    Result<Program> program = prepare(*engine, space, uri, options);
    if (!program) {
      progress.print(fmt::format("{} is left out: {}", uri, program.error().message));
      continue;
    }
    if (texts.empty()) {
      for (const tune::Track& track : program->tracks)
        for (const search::MinedSequence& each : track.sequences) texts[track.name].push_back(each.text);
      const std::string wanted = headOf(*engine, options, texts);
      if (!head.empty() && head != wanted)
        return fail(ErrorCode::kInvalidArgument,
                    "{} has labels of other sequences; remove it, or name another file", options.labels);
      if (head.empty()) ORDO_TRY(writeFile(options.labels, wanted + "\n"));
      head = wanted;
    }
    if (known.contains(uri)) continue;
    std::string lines;
    for (const tune::Track& track : program->tracks) {
      ORDO_TRY_ASSIGN(std::optional<search::FunctionLabels> labels,
                      tune::labelsOf(*engine, program->spec, track, options.objective));
      if (!labels) continue;
      lines += search::writeLabels(*labels) + "\n";
      all.push_back(*std::move(labels));
    }
    std::ofstream file(options.labels, std::ios::app);
    if (!(file << lines << std::flush))
      return fail(ErrorCode::kUnavailable, "cannot write {}", options.labels);
  }
  progress.clear();
  if (all.empty() || texts.empty()) return fail(ErrorCode::kNotFound, "no program has labels");
  search::FunctionSequences chosen{engine->info().name, engine->info().version, options.objective, 0, 0, {}};
  std::set<std::string> programs;
  std::size_t labels = 0;
  for (const search::FunctionLabels& each : all) {
    if (programs.insert(each.program).second) chosen.functions += each.sizes.size();
    for (const std::vector<double>& row : each.sizes) labels += row.size() - 1;
  }
  chosen.programs = programs.size();
  for (const auto& [track, sequences] : texts)
    chosen.tracks[track] = search::chooseSequences(all, track, sequences, options.kept);
  ORDO_TRY(writeOutput(options.out, search::writeFunctionSequences(chosen)));
  fmt::print("{}: {} programs, {} functions, {} labels\n", options.labels, chosen.programs, chosen.functions,
             labels);
  for (const auto& [track, sequences] : chosen.tracks)
    fmt::print("{}: {} sequences for the track {}\n", options.out, sequences.size(), track);
  return {};
}

}  // namespace

int mineFunctions(const MineFunctionsOptions& options) {
  interrupted();
  if (const Status mined = mineAll(options); !mined) return report(mined.error());
  if (interrupted()) note("interrupted; the same command goes on from here");
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace ordo::cli
