// ordo baselines: a program compiled in all twelve standard ways, side by side.
#include <memory>

#include "cli/command.h"
#include "cli/terminal.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "env/metric.h"
#include "support/exit_code.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Row {
  std::string name;
  double text_bytes = 0;
  double ir_instructions = 0;
};

Result<Row> measureBaseline(engine::Engine& engine, const engine::Input& input, bool bare) {
  const engine::Baseline baseline{input.baseline.level, bare};
  std::vector<env::Action> actions = bare ? engine::bareAttributes() : std::vector<env::Action>{};
  actions.push_back(engine::baselineAction(baseline, input.pipeline));
  std::vector<env::ActionIndex> all(actions.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<env::ActionIndex>(i);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session,
                  engine.backend().open(
                      {input.program.name, input.compiled.bytes, std::move(actions), input.settings()}));
  ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all));
  // The same works on others: it has to do with the program.
  if (!outcome.ok())
    return fail(ErrorCode::kUnsupported, "{}: {}: {}", input.program.name, baseline.name(), outcome.detail);
  Row row{baseline.name(), 0, 0};
  ORDO_TRY_ASSIGN(const env::Measurement text, session->measure(env::kTextBytes));
  ORDO_TRY_ASSIGN(const env::Measurement instructions, session->measure(env::kIrInstructions));
  if (!text.ok())
    return fail(ErrorCode::kUnsupported, "{}: {}: {}", input.program.name, baseline.name(), text.detail);
  row.text_bytes = text.value;
  row.ir_instructions = instructions.value;
  return row;
}

Result<std::vector<Row>> measureAll(const std::string& file, const std::vector<std::string>& flags) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  std::vector<Row> clang, bare;
  for (const frontend::Level level : frontend::kLevels) {
    ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(file, {level, false}, flags));
    ORDO_TRY_ASSIGN(clang.emplace_back(), measureBaseline(*engine, input, false));
    ORDO_TRY_ASSIGN(bare.emplace_back(), measureBaseline(*engine, input, true));
  }
  clang.insert(clang.end(), bare.begin(), bare.end());
  return clang;
}

}  // namespace

extern const CommandInfo baselines{
    .name = "baselines",
    .summary = "a program compiled in the standard ways, side by side",
    .examples =
        "  ordo baselines suite/sha256\n"
        "  ordo baselines main.c --json -- -I inc\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto file = std::make_shared<std::string>();
      auto json = std::make_shared<bool>(false);
      app.add_option("FILE", *file, "a C, C++, .ll or .bc file, or a folder with a program.toml")->required();
      app.add_flag("--json", *json, "print as JSON");
      return [file, json](const std::vector<std::string>& flags) {
        const Result<std::vector<Row>> rows = measureAll(*file, flags);
        if (!rows) return report(rows.error());
        Json list = Json::array();
        if (!*json) fmt::print("{:10} {:>12} {:>16}\n", "", env::kTextBytes, env::kIrInstructions);
        for (const Row& row : *rows) {
          if (*json)
            list.push_back({{"baseline", row.name},
                            {env::kTextBytes, row.text_bytes},
                            {env::kIrInstructions, row.ir_instructions}});
          else
            fmt::print("{:10} {:>12} {:>16}\n", row.name, grouped(row.text_bytes),
                       grouped(row.ir_instructions));
        }
        if (*json) fmt::print("{}\n", writeJson(list, 2));
        return kOk;
      };
    }};

}  // namespace ordo::cli
