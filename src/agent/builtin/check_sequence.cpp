// check_sequence: whether what a sequence makes still does what the program does.
#include <array>

#include "agent/foreign_text.h"
#include "agent/host.h"
#include "agent/tool.h"
#include "check/check.h"

namespace ordo::agent {
namespace {

constexpr std::array kParameters{Parameter{.name = "seconds",
                                           .type = ParameterType::kNumber,
                                           .summary = "For comparing functions, about.",
                                           .absent = "2",
                                           .least = 0.1,
                                           .most = 60}};

Result<Json> run(Call& call) {
  ORDO_TRY_ASSIGN(const search::Sequence sequence, call.sequence());
  OpenedProgram& program = *call.program;
  ORDO_TRY_ASSIGN(const engine::State state, program.reach(sequence));
  check::CheckOptions options;
  options.seconds = call.arguments.number("seconds");
  options.seed = program.seed();
  call.progress(0, 1, "checking");
  ORDO_TRY_ASSIGN(const check::Checked checked, check::check(program.engine(), program.input(), state.bitcode,
                                                             program.actionsOf(sequence), options));
  const bool quote = call.host.permissions().mayQuote(program.input().program);
  Json checks = Json::array();
  for (const check::Check& check : checked.checks) {
    checks.push_back({{"check", check.name},
                      {"verdict", name(check.verdict)},
                      {"detail", quote || check.name == "ir" ? foreignText(check.detail, 400) : ""}});
  }
  return Json{{"ok", checked.ok()}, {"assurance", checked.assurance()}, {"checks", std::move(checks)}};
}

}  // namespace

extern const Tool check_sequence{
    .name = "check_sequence",
    .title = "Check a candidate",
    .summary =
        "Whether what a sequence makes still does what the program does: the IR is verified, the program is "
        "run if it can be, functions are compared on generated inputs. submit_sequence does as much as is "
        "needed of this by itself.",
    .price = "no compile; seconds",
    .example = R"({"sequence": ["sroa", "gvn"]})",
    .on_sequence = true,
    .parameters = kParameters,
    .run = run};

}  // namespace ordo::agent
