#include "recipe/action_text.h"

namespace ordo::recipe {

Json toJson(const std::vector<env::Action>& actions) {
  Json list = Json::array();
  for (const env::Action& action : actions) {
    list.push_back({{"name", action.name}, {"kind", action.kind}, {"text", action.text}});
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
    ORDO_TRY_ASSIGN(action.kind, row.get<std::string>("kind"));
    ORDO_TRY_ASSIGN(action.text, row.get<std::string>("text"));
    actions.push_back(std::move(action));
  }
  return actions;
}

void addSettings(Json& object, const std::string& settings) {
  if (settings.empty()) return;
  const Result<Json> fields = parseJson(settings, "settings");
  ORDO_CHECK(fields && fields->is_object(), "settings of a backend are an object: {}", settings);
  object.update(*fields);
}

Result<std::string> settingsFrom(const JsonObject& object, std::initializer_list<std::string_view> others) {
  ORDO_TRY_ASSIGN(const Json fields, object.flatWithout(others));
  for (const std::string_view ours : {"actions", "backend", "version", "target"}) {
    if (fields.contains(ours))
      return fail(ErrorCode::kCorrupt, "{}: the field '{}' is no setting of a backend", object.where(), ours);
  }
  return fields.empty() ? "" : writeJson(fields);
}

}  // namespace ordo::recipe
