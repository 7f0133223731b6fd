#include "recipe/action_text.h"

namespace ordo::recipe {

Json toJson(const std::vector<env::Action>& actions) {
  Json list = Json::array();
  for (const env::Action& action : actions) {
    list.push_back({{"name", action.name}, {"kind", env::name(action.kind)}, {"text", action.text}});
  }
  return list;
}

Result<std::vector<env::Action>> actionsFrom(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::vector<JsonObject> rows, object.objects(key));
  std::vector<env::Action> actions;
  for (const JsonObject& row : rows) {
    ORDO_TRY(row.onlyHas({"name", "kind", "text"}));
    env::Action action;
    ORDO_TRY_ASSIGN(action.name, row.get<std::string>("name"));
    ORDO_TRY_ASSIGN(const std::string kind, row.get<std::string>("kind"));
    const std::optional<env::ActionKind> known = env::actionKind(kind);
    if (!known) {
      return fail(ErrorCode::kCorrupt,
                  "{}: the field 'kind' should be pipeline, attribute or codegen, not '{}'", row.where(),
                  kind);
    }
    action.kind = *known;
    ORDO_TRY_ASSIGN(action.text, row.get<std::string>("text"));
    actions.push_back(std::move(action));
  }
  return actions;
}

Json toJson(const env::CodegenOptions& codegen) {
  return {{"codegen_level", codegen.level},
          {"relocation", codegen.relocation},
          {"code_model", codegen.code_model},
          {"function_sections", codegen.function_sections},
          {"data_sections", codegen.data_sections}};
}

Result<env::CodegenOptions> codegenFrom(const JsonObject& object) {
  env::CodegenOptions codegen;
  ORDO_TRY_ASSIGN(const std::int64_t level, object.get<std::int64_t>("codegen_level"));
  if (level < 0 || level > 3) {
    return fail(ErrorCode::kCorrupt, "{}: the field 'codegen_level' should be 0 to 3", object.where());
  }
  codegen.level = static_cast<int>(level);
  ORDO_TRY_ASSIGN(codegen.relocation, object.get<std::string>("relocation"));
  ORDO_TRY_ASSIGN(codegen.code_model, object.get<std::string>("code_model"));
  ORDO_TRY_ASSIGN(codegen.function_sections, object.get<bool>("function_sections"));
  ORDO_TRY_ASSIGN(codegen.data_sections, object.get<bool>("data_sections"));
  return codegen;
}

}  // namespace ordo::recipe
