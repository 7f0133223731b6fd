#include "engine/function_program.h"

#include <algorithm>
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

std::vector<std::string> namesIn(std::string_view function_names) {
  std::vector<std::string> names;
  while (!function_names.empty()) {
    names.emplace_back(function_names.substr(0, function_names.find('\0')));
    function_names.remove_prefix(std::min(names.back().size() + 1, function_names.size()));
  }
  return names;
}

Result<std::vector<std::string>> functionNames(Engine& engine, env::SessionSpec inlined) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine.backend().open(std::move(inlined)));
  ORDO_TRY_ASSIGN(const env::Observation listed, session->observe("function_names"));
  std::vector<std::string> names = namesIn(listed.text());
  std::erase(names, "");  // nobody could ask for it
  return names;
}

}  // namespace ordo::engine
