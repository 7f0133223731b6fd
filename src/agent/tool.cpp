#include "agent/tool.h"

#include <algorithm>
#include <cmath>

#include "agent/answers.h"
#include "support/catalog.h"
#include "support/text.h"

namespace ordo::agent {

#include "agent/catalog.inc"

namespace {

constexpr double kMostText = 4096;  // characters, as JSON Schema counts them
constexpr double kMostItems = 100;
constexpr std::size_t kQuoted = 80;  // of what was given, in messages

constexpr Parameter kProgram{
    .name = "program",
    .type = ParameterType::kText,
    .summary = "The handle that open_program gave; left out, the program that was opened last.",
    .absent = R"("")",
    .most = 20};
constexpr Parameter kSequence{
    .name = "sequence",
    .type = ParameterType::kTexts,
    .summary = "Names of actions in order, applied to the unoptimised program; left out, the best so far.",
    .absent = "null",
    .most = OpenedProgram::kMaxLength};

// Of texts: a zero byte would end a name early for whoever reads it as C does.
constexpr const char* kNoZero = "^[^\\x00]*$";

double mostOf(const Parameter& parameter) {
  if (parameter.most > 0) return parameter.most;
  const bool text = parameter.type == ParameterType::kText;
  const bool list = parameter.type == ParameterType::kTexts || parameter.type == ParameterType::kObjects;
  return text ? kMostText : list ? kMostItems : 9007199254740991.0;  // what JSON can tell apart
}

std::string quoted(const Json& value) {
  std::string text = writeJson(value);
  if (text.size() > kQuoted) text = text.substr(0, kQuoted) + "...";
  return text;
}

template <typename... Args>
tl::unexpected<Error> wrong(std::string_view where, fmt::format_string<Args...> format, Args&&... args) {
  return fail(ErrorCode::kInvalidArgument, "'{}' {}", where,
              fmt::format(format, std::forward<Args>(args)...));
}

Status checkText(const Parameter& parameter, const std::string& where, const Json& value, double most) {
  if (!value.is_string()) return wrong(where, "has to be a text, and not {}", quoted(value));
  const auto& text = value.get_ref<const std::string&>();
  // Bytes that begin a character of UTF-8, which whatever was read as JSON is.
  const auto size = static_cast<double>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }));
  if (size < parameter.least || size > most)
    return wrong(where, "has to have {} to {} characters, and not {}", parameter.least, most, size);
  if (text.find('\0') != std::string::npos) return wrong(where, "has a zero byte in it");
  if (parameter.choices.empty()) return {};
  if (std::ranges::find(parameter.choices, text) != parameter.choices.end()) return {};
  return wrong(where, "is none of {}: {}", fmt::join(parameter.choices, ", "), quoted(value));
}

Status checkNumber(const Parameter& parameter, const std::string& where, const Json& value) {
  const bool whole = parameter.type == ParameterType::kInteger;
  // Models write 5.0 where they mean 5.
  const bool fits = value.is_number() && std::isfinite(value.get<double>()) &&
                    (!whole || value.get<double>() == std::floor(value.get<double>()));
  if (!fits) return wrong(where, "has to be a{} number, and not {}", whole ? " whole" : "", quoted(value));
  const double number = value.get<double>();
  if (number < parameter.least || number > mostOf(parameter))
    return wrong(where, "has to be {} to {}, and not {}", parameter.least, mostOf(parameter), number);
  return {};
}

Result<Json> checkValue(const Parameter& parameter, const std::string& where, const Json& value);

// All of an object's, those that are left out included.
Result<Json> checkObject(std::span<const Parameter> parameters, const std::string& where, const Json& given) {
  if (!given.is_object()) {
    return fail(ErrorCode::kInvalidArgument, "{} have to be an object, and not {}",
                where.empty() ? "the arguments" : fmt::format("those of '{}'", where), quoted(given));
  }
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.emplace_back(parameter.name);
  const std::string prefix = where.empty() ? "" : where + ".";
  for (const auto& [key, value] : given.items()) {
    if (std::ranges::find(names, key) == names.end())
      return fail(ErrorCode::kInvalidArgument, "{}", unknownName("argument", prefix + key, names));
  }
  Json values = Json::object();
  for (const Parameter& parameter : parameters) {
    const std::string name(parameter.name);
    // Some models fill in null for what they leave out.
    if (const auto found = given.find(name); found != given.end() && !found->is_null()) {
      ORDO_TRY_ASSIGN(values[name], checkValue(parameter, prefix + name, *found));
    } else if (parameter.absent.empty()) {
      return fail(ErrorCode::kInvalidArgument, "'{}{}' is missing: {}", prefix, name, parameter.summary);
    } else {
      values[name] = Json::parse(parameter.absent);
    }
  }
  return values;
}

Result<Json> checkValue(const Parameter& parameter, const std::string& where, const Json& value) {
  switch (parameter.type) {
    case ParameterType::kText:
      ORDO_TRY(checkText(parameter, where, value, mostOf(parameter)));
      return value;
    case ParameterType::kInteger:
      ORDO_TRY(checkNumber(parameter, where, value));
      return Json(static_cast<std::int64_t>(value.get<double>()));
    case ParameterType::kNumber:
      ORDO_TRY(checkNumber(parameter, where, value));
      return value;
    case ParameterType::kTexts:
    case ParameterType::kObjects:
      break;
  }
  if (!value.is_array()) return wrong(where, "has to be a list, and not {}", quoted(value));
  const auto size = static_cast<double>(value.size());
  if (size < parameter.least || size > mostOf(parameter))
    return wrong(where, "has to have {} to {} elements, and not {}", parameter.least, mostOf(parameter),
                 size);
  Json list = Json::array();
  for (std::size_t i = 0; i < value.size(); ++i) {
    const std::string place = fmt::format("{}[{}]", where, i);
    if (parameter.type == ParameterType::kTexts) {
      ORDO_TRY(checkText({}, place, value[i], kMostText));
      list.push_back(value[i]);
    } else {
      ORDO_TRY_ASSIGN(Json object, checkObject(parameter.fields, place, value[i]));
      list.push_back(std::move(object));
    }
  }
  return list;
}

// Exactly what checkValue() lets in, but that it takes null for what is left out. Whole numbers are written
// as such: clients read lengths as unsigned integers.
Json schemaOf(const Parameter& parameter) {
  Json schema;
  const auto bounds = [&](const char* least, const char* most) {
    schema[least] = number(parameter.least);
    schema[most] = number(mostOf(parameter));
  };
  switch (parameter.type) {
    case ParameterType::kText:
      schema["type"] = "string";
      if (!parameter.choices.empty()) {
        schema["enum"] = parameter.choices;
        break;
      }
      bounds("minLength", "maxLength");
      schema["pattern"] = kNoZero;
      break;
    case ParameterType::kInteger:
      schema["type"] = "integer";
      bounds("minimum", "maximum");
      break;
    case ParameterType::kNumber:
      schema["type"] = "number";
      bounds("minimum", "maximum");
      break;
    case ParameterType::kTexts:
      schema["type"] = "array";
      schema["items"] = {{"type", "string"}, {"maxLength", number(kMostText)}, {"pattern", kNoZero}};
      bounds("minItems", "maxItems");
      break;
    case ParameterType::kObjects:
      schema["type"] = "array";
      schema["items"] = agent::schemaOf(parameter.fields);
      bounds("minItems", "maxItems");
      break;
  }
  schema["description"] = parameter.summary;
  if (!parameter.absent.empty() && parameter.absent != "null")
    schema["default"] = Json::parse(parameter.absent);
  return schema;
}

}  // namespace

const Tool* findTool(std::string_view name) { return findByName(catalog(), name); }

std::vector<Parameter> parametersOf(const Tool& tool) {
  std::vector<Parameter> all(tool.parameters.begin(), tool.parameters.end());
  if (tool.on_sequence) all.insert(all.begin(), kSequence);
  if (!tool.opens) all.push_back(kProgram);
  return all;
}

std::string descriptionOf(const Tool& tool) { return fmt::format("{} Price: {}.", tool.summary, tool.price); }

Json schemaOf(std::span<const Parameter> parameters) {
  Json properties = Json::object();
  Json required = Json::array();
  for (const Parameter& parameter : parameters) {
    properties[std::string(parameter.name)] = schemaOf(parameter);
    if (parameter.absent.empty()) required.push_back(parameter.name);
  }
  Json schema{{"type", "object"}, {"properties", std::move(properties)}};
  if (!required.empty()) schema["required"] = std::move(required);
  schema["additionalProperties"] = false;
  return schema;
}

Json functionDefinition(const Tool& tool) {
  return {{"type", "function"},
          {"function",
           {{"name", tool.name},
            {"description", descriptionOf(tool)},
            {"parameters", schemaOf(parametersOf(tool))}}}};
}

Result<Arguments> Arguments::check(std::span<const Parameter> parameters, const Json& given) {
  ORDO_TRY_ASSIGN(Json values, checkObject(parameters, "", given));
  return Arguments(std::move(values));
}

std::vector<Arguments> Arguments::objects(std::string_view name) const {
  std::vector<Arguments> list;
  for (const Json& object : values_.at(name)) list.push_back(Arguments(object));
  return list;
}

Result<search::Sequence> Call::sequence() const {
  if (!arguments.has("sequence")) return program->best().actions;
  return program->read(arguments.texts("sequence"));
}

}  // namespace ordo::agent
