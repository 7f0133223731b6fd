#include "engine/kernel.h"

#include <algorithm>
#include <set>

#include "engine/reach.h"
#include "engine/worker_only.h"
#include "frontend/tool.h"
#include "support/files.h"

namespace ordo::engine {
namespace {

constexpr double kLeastWallSeconds = 60;  // for what waits for a processor

std::vector<std::string> applyCommand(const std::string& kernel, const std::string& schedule) {
  return {"mlir-opt-22", kernel, "--transform-preload-library=transform-library-paths=" + schedule,
          "--transform-interpreter"};
}

class StockMlir final : public WorkerOnly {
 public:
  Result<std::string> prove(Engine& engine, const Input& input, std::string_view program,
                            const std::vector<env::Action>& actions, const Hash128& hash) const override {
    ORDO_TRY_ASSIGN(const std::string replayed, WorkerOnly::prove(engine, input, program, actions, hash));
    ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, walk(engine, input, program, actions));
    ORDO_TRY_ASSIGN(const std::string schedule, observedText(*session, "schedule"));
    ORDO_TRY_ASSIGN(const std::string ours, observedText(*session, "ir"));
    ORDO_TRY_ASSIGN(const TempDir dir, TempDir::create());
    const std::filesystem::path kernel = dir.path() / "kernel.mlir", sequence = dir.path() / "schedule.mlir";
    ORDO_TRY(writeFile(kernel, program));
    ORDO_TRY(writeFile(sequence, schedule));
    ORDO_TRY_ASSIGN(const ProcessResult stock,
                    frontend::runTool({applyCommand(kernel, sequence), "", "", input.program.name}));
    if (trimmed(stock.out) != trimmed(ours))
      return fail(ErrorCode::kCorrupt, "stock mlir-opt-22 makes other IR of it with this schedule");
    // It is only given away after it was run and compared.
    ORDO_TRY(observedText(*session, "object"));
    return "every element of the object is what stock mlir-opt-22's own loops compute, and stock mlir-opt-22 "
           "makes the same IR with this schedule; " +
           replayed;
  }

  Result<std::vector<std::string>> commands(const Input& input, const std::vector<env::Action>&,
                                            std::string_view) const override {
    return std::vector<std::string>{
        shellQuote(applyCommand(input.program.source.filename(), input.program.name + ".schedule.mlir"))};
  }

 private:
  static std::string_view trimmed(std::string_view text) {
    while (text.ends_with('\n')) text.remove_suffix(1);
    return text;
  }
};

// The names that a space has; no name, no limit.
Result<std::set<std::string, std::less<>>> namesWithin(std::string_view space) {
  std::set<std::string, std::less<>> names;
  if (space.empty()) return names;
  const bool is_path = space.find('/') != std::string_view::npos || space.ends_with(".txt");
  const std::filesystem::path file =
      is_path ? std::filesystem::path(space) : dataDir() / "spaces" / "mlir" / fmt::format("{}.txt", space);
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  Result<std::vector<std::string>> list = spaces::parseSpace(text);
  if (!list) return fail(std::move(list).error().context(file.string()));
  names.insert(list->begin(), list->end());
  return names;
}

}  // namespace

bool isKernel(std::string_view file) { return file.ends_with(".mlir") || file.starts_with("mlir/"); }

Result<std::unique_ptr<Engine>> startForKernels(bool remember_crashes, double step_seconds) {
  const std::filesystem::path worker = installPrefix() / "bin" / "ordo-mlir-worker";
  if (!std::filesystem::exists(worker)) {
    return fail(
        ErrorCode::kUnavailable,
        "Ordo was built without MLIR: apt-get install -y libmlir-22-dev mlir-22-tools, then build it again");
  }
  EngineOptions options;
  options.limits.cpu_s = step_seconds;
  options.limits.wall_s = std::max(step_seconds, kLeastWallSeconds);
  options.remember_crashes = remember_crashes;
  options.worker = worker;
  return Engine::start(options);
}

Result<Input> readKernel(const Engine& engine, std::string_view file, std::string_view baseline,
                         unsigned threads) {
  ORDO_TRY_ASSIGN(Input input, readProgram(engine.info(), file, baseline));
  if (threads > 1) input.own_settings = fmt::format(R"({{"threads":{}}})", threads);
  input.toolchain = &stockMlir();
  return input;
}

Result<std::string> observedText(env::Session& session, std::string_view observation) {
  ORDO_TRY_ASSIGN(const env::Observation seen, session.observe(observation));
  return std::string(seen.text());
}

Result<spaces::Space> kernelSpace(Engine& engine, const Input& input, std::string_view within) {
  ORDO_TRY_ASSIGN(const auto names, namesWithin(within));
  ORDO_TRY_ASSIGN(spaces::Space space, wholeSpace(engine.info()));
  env::SessionSpec spec{input.program.uri, input.compiled.bytes, space.actions, input.settings()};
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(spec)));
  ORDO_TRY_ASSIGN(const env::Observation fits, session->observe("applicable"));
  std::vector<env::Action> fitting;
  for (std::size_t i = 0; i < space.actions.size() && i < fits.int64s().size(); ++i) {
    if (fits.int64s()[i] != 0 && (within.empty() || names.contains(space.actions[i].name)))
      fitting.push_back(std::move(space.actions[i]));
  }
  if (fitting.empty())
    return fail(ErrorCode::kNotFound, "no step of the space {} fits {}", within, input.program.name);
  space.name = within.empty() ? "fitting" : std::filesystem::path(within).stem().string();
  space.actions = std::move(fitting);
  space.hash = spaces::spaceHash(space.actions);
  return space;
}

const Toolchain& stockMlir() {
  static const StockMlir tools;
  return tools;
}

}  // namespace ordo::engine
