#include "engine/worker_only.h"

#include <filesystem>

#include "datasets/dataset.h"
#include "engine/reach.h"
#include "support/files.h"
#include "support/text.h"

namespace ordo::engine {

std::string WorkerOnly::settings(const Input& input) const { return input.own_settings; }
std::string WorkerOnly::baselineName(const Input& input) const { return input.own_baseline.name; }
std::vector<env::Action> WorkerOnly::preparation(const Input&) const { return {}; }
env::Action WorkerOnly::baseline(const Input& input) const { return input.own_baseline; }
std::optional<Toolchain::Reference> WorkerOnly::reference(const Input&) const { return std::nullopt; }

// Each session is in a worker that began afresh; what depends on anything else shows here.
Result<std::string> WorkerOnly::prove(Engine& engine, const Input& input, std::string_view program,
                                      const std::vector<env::Action>& actions, const Hash128& hash) const {
  ORDO_TRY_ASSIGN(const State state, reach(engine, input, program, actions));
  if (state.hash != hash) {
    return fail(ErrorCode::kCorrupt, "another worker makes another program (hash {}) than was found ({})",
                state.hash.hex(), hash.hex());
  }
  return fmt::format("another worker makes the same program (hash {})", hash.hex());
}

Result<std::string> WorkerOnly::emit(const Input&, std::string_view program,
                                     const std::vector<env::Action>&) const {
  return std::string(program);
}

Status WorkerOnly::link(const Input& input, std::string_view, const std::filesystem::path&,
                        const std::vector<std::string>&, std::size_t) const {
  return fail(ErrorCode::kUnsupported, "{}: nothing makes a program that runs of what its backend makes",
              input.program.name);
}

Result<std::vector<std::string>> WorkerOnly::commands(const Input&, const std::vector<env::Action>&,
                                                      std::string_view) const {
  return std::vector<std::string>{};
}

Result<std::optional<double>> WorkerOnly::codeBytes(std::string_view) const { return std::nullopt; }

bool WorkerOnly::runsHere(const Input&) const { return false; }

const Toolchain& workerOnly() {
  static const WorkerOnly worker;
  return worker;
}

Result<env::Action> ownBaseline(const env::BackendInfo& info, std::string_view name) {
  if (info.baselines.empty()) {
    return fail(
        ErrorCode::kUnsupported,
        "the backend {} says nothing that a result could be compared with, so it cannot be used alone",
        info.name);
  }
  if (name.empty()) return info.baselines.front();
  std::vector<std::string> names;
  for (const env::Action& known : info.baselines) {
    if (known.name == name) return known;
    names.push_back(known.name);
  }
  return fail(ErrorCode::kInvalidArgument, "{}", unknownName("baseline", name, names));
}

Result<Input> readProgram(const env::BackendInfo& info, std::string_view file, std::string_view baseline) {
  Input input;
  input.toolchain = &workerOnly();
  ORDO_TRY_ASSIGN(input.own_baseline, ownBaseline(info, baseline));
  ORDO_TRY_ASSIGN(const datasets::Uri uri, datasets::parseUri(file));
  if (uri.dataset == datasets::find("file")) {
    const std::filesystem::path path(uri.rest);
    input.program.name = path.stem().string();
    input.program.uri = path.string();
    input.program.source = path;
  } else {
    ORDO_TRY_ASSIGN(input.program, datasets::loadProgram(file));
  }
  ORDO_TRY_ASSIGN(input.compiled.bytes, readFile(input.program.path()));
  input.program.language = input.source.language = info.name;
  return input;
}

Result<spaces::Space> wholeSpace(const env::BackendInfo& info) {
  if (info.actions.empty())
    return fail(ErrorCode::kUnsupported, "the backend {} does not say what it can do", info.name);
  spaces::Space space;
  space.name = "all";
  space.actions = info.actions;
  space.hash = spaces::spaceHash(space.actions);
  return space;
}

}  // namespace ordo::engine
