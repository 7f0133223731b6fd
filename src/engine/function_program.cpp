#include "engine/function_program.h"

#include <filesystem>

#include "notation/action.h"

namespace ordo::engine {
namespace {

constexpr const char* kInlined =
    "function(sroa,early-cse,simplifycfg),ipsccp,globalopt,cgscc(inline,function-attrs),deadargelim,"
    "globaldce,"
    "elim-avail-extern";

}  // namespace

std::optional<FunctionUri> functionUri(std::string_view uri) {
  const std::size_t mark = uri.rfind('#');
  if (mark == std::string_view::npos || mark == 0 || mark + 1 == uri.size()) return std::nullopt;
  std::error_code none;
  if (std::filesystem::exists(std::filesystem::path(uri), none)) return std::nullopt;
  return FunctionUri{std::string(uri.substr(0, mark)), std::string(uri.substr(mark + 1))};
}

Result<std::string> inlinedProgram(Engine& engine, env::SessionSpec program) {
  const std::string name = program.name;
  program.actions = {{"inlined", notation::kPipeline, kInlined}};
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(program)));
  const env::ActionIndex all[] = {0};
  ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(all));
  if (!outcome.ok())
    return fail(ErrorCode::kUnsupported, "{}: its functions cannot be taken apart: {}", name, outcome.detail);
  ORDO_TRY_ASSIGN(const env::Observation made, session->observe(engine.info().program));
  return std::string(made.text());
}

Result<std::vector<std::string>> functionNames(Engine& engine, env::SessionSpec inlined) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(inlined)));
  ORDO_TRY_ASSIGN(const env::Observation listed, session->observe("function_names"));
  std::vector<std::string> names;
  std::string_view text = listed.text();
  while (!text.empty()) {
    const std::size_t end = text.find('\0');
    if (end != 0) names.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(text.size(), end + 1));
  }
  return names;
}

}  // namespace ordo::engine
