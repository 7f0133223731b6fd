#include "notation/codegen.h"

#include "notation/action.h"
#include "notation/pass_options.h"
#include "support/json.h"

namespace ordo::notation {
namespace {

// Written where they are not empty.
constexpr std::pair<std::string_view, std::string Codegen::*> kMachine[] = {
    {"cpu", &Codegen::cpu},
    {"features", &Codegen::features},
    {"abi", &Codegen::abi},
    {"float_abi", &Codegen::float_abi}};

}  // namespace

std::string write(const Codegen& codegen) {
  Json json{{"codegen_level", codegen.level},
            {"relocation", codegen.relocation},
            {"code_model", codegen.code_model},
            {"function_sections", codegen.function_sections},
            {"data_sections", codegen.data_sections}};
  for (const auto& [name, field] : kMachine)
    if (!(codegen.*field).empty()) json[std::string(name)] = codegen.*field;
  if (codegen.tlsdesc) json["tlsdesc"] = true;
  if (!codegen.pass_options.empty()) json["pass_options"] = codegen.pass_options;
  return writeJson(json);
}

Result<Codegen> parseCodegen(std::string_view settings, std::string_view name) {
  Codegen codegen;
  if (settings.empty()) return codegen;
  ORDO_TRY_ASSIGN(const Json json, parseJson(settings, name));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(name)));
  ORDO_TRY(object.onlyHas({"codegen_level", "relocation", "code_model", "function_sections", "data_sections",
                           "cpu", "features", "abi", "float_abi", "tlsdesc", "pass_options"}));
  ORDO_TRY_ASSIGN(const std::int64_t level, object.get<std::int64_t>("codegen_level"));
  if (level < 0 || level > 3)
    return fail(ErrorCode::kCorrupt, "{}: the field 'codegen_level' should be 0 to 3", name);
  codegen.level = static_cast<int>(level);
  ORDO_TRY_ASSIGN(codegen.relocation, object.get<std::string>("relocation"));
  ORDO_TRY_ASSIGN(codegen.code_model, object.get<std::string>("code_model"));
  ORDO_TRY_ASSIGN(codegen.function_sections, object.get<bool>("function_sections"));
  ORDO_TRY_ASSIGN(codegen.data_sections, object.get<bool>("data_sections"));
  for (const auto& [field, value] : kMachine) {
    if (!json.contains(field)) continue;
    ORDO_TRY_ASSIGN(codegen.*value, object.get<std::string>(std::string(field)));
  }
  if (json.contains("tlsdesc")) {
    ORDO_TRY_ASSIGN(codegen.tlsdesc, object.get<bool>("tlsdesc"));
  }
  ORDO_TRY_ASSIGN(codegen.pass_options, object.get<std::vector<std::string>>("pass_options", {}));
  for (const std::string& option : codegen.pass_options) {
    if (!isPassOption(option))
      return fail(ErrorCode::kCorrupt, "{}: the field 'pass_options' has '{}', which is none of those known",
                  name, option);
  }
  return codegen;
}

Status check(std::span<const env::Action> actions, std::string_view settings, std::string_view name) {
  if (Status kinds = checkKinds(actions); !kinds)
    return fail(std::move(kinds).error().context(std::string(name)));
  if (settings.empty())
    return fail(ErrorCode::kCorrupt,
                "{}: nothing says how code is made: the field 'codegen_level' is missing", name);
  ORDO_TRY(parseCodegen(settings, name));
  return {};
}

}  // namespace ordo::notation
