#include "engine/worker_only.h"

#include <filesystem>

#include "engine/reach.h"
#include "engine/toolchain.h"
#include "support/files.h"
#include "support/text.h"

namespace ordo::engine {
namespace {

class WorkerOnly final : public Toolchain {
 public:
  std::string settings(const Input&) const override { return ""; }
  std::string baselineName(const Input& input) const override { return input.own_baseline.name; }
  std::vector<env::Action> preparation(const Input&) const override { return {}; }
  env::Action baseline(const Input& input) const override { return input.own_baseline; }
  std::optional<Reference> reference(const Input&) const override { return std::nullopt; }

  // Each session is in a worker that began afresh; what depends on anything else shows here.
  Result<std::string> prove(Engine& engine, const Input& input, std::string_view program,
                            const std::vector<env::Action>& actions, const Hash128& hash) const override {
    ORDO_TRY_ASSIGN(const State state, reach(engine, input, program, actions));
    if (state.hash != hash) {
      return fail(ErrorCode::kCorrupt, "another worker makes another program (hash {}) than was found ({})",
                  state.hash.hex(), hash.hex());
    }
    return fmt::format("another worker makes the same program (hash {})", hash.hex());
  }

  Result<std::string> emit(const Input&, std::string_view program,
                           const std::vector<env::Action>&) const override {
    return std::string(program);
  }

  Result<std::vector<std::string>> commands(const Input&, const std::vector<env::Action>&,
                                            std::string_view) const override {
    return std::vector<std::string>{};
  }

  Result<std::optional<double>> codeBytes(std::string_view) const override { return std::nullopt; }

  bool runsFunctions() const override { return false; }
};

}  // namespace

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
  const std::filesystem::path path(file);
  ORDO_TRY_ASSIGN(input.compiled.bytes, readFile(path));
  input.program.name = path.stem().string();
  input.program.uri = path.string();
  input.program.source = path;
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
