// Strict reading of JSON documents: every complaint names the document and the field.
// nlohmann-json throws; these functions are the border where that ends.
#pragma once

#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "support/error.h"

namespace ordo {

using Json = nlohmann::ordered_json;

// kCorrupt with line and column if `text` is not one JSON document. `name` is for messages.
Result<Json> parseJson(std::string_view text, std::string_view name);

// The same, and kCorrupt with the key if an object has one twice: parseJson() keeps the last.
Result<Json> parseJsonWithUniqueKeys(std::string_view text, std::string_view name);

// Compact or indented text; bytes that are not UTF-8 are replaced.
std::string writeJson(const Json& json, int indent = -1);

// One object of a document, read field by field.
class JsonObject {
 public:
  // kCorrupt if `json` is not an object. `where` ("recipe.json: program") starts every message. The
  // object must outlive this.
  static Result<JsonObject> of(const Json& json, std::string where);

  // kCorrupt if the field is missing or of another type; numbers must fit into T.
  template <typename T>
  Result<T> get(std::string_view key) const;

  // The value of a field that may be missing.
  template <typename T>
  Result<T> get(std::string_view key, T absent) const {
    if (!json_->contains(key)) return absent;
    return get<T>(key);
  }

  Result<JsonObject> object(std::string_view key) const;
  // The field's elements, each of which must be an object.
  Result<std::vector<JsonObject>> objects(std::string_view key) const;

  // kCorrupt if the object has a field that is none of `known`: a misspelt field is not ignored.
  Status onlyHas(std::initializer_list<std::string_view> known) const;

  // The fields that are none of `known`, in their order. kCorrupt if one is nested deeper than a list of
  // plain values: who copies what others have written must not follow them however deep.
  Result<Json> flatWithout(std::initializer_list<std::string_view> known) const;

  const std::string& where() const { return where_; }

 private:
  JsonObject(const Json& json, std::string where) : json_(&json), where_(std::move(where)) {}

  Result<const Json*> find(std::string_view key) const;
  tl::unexpected<Error> wrongType(std::string_view key, std::string_view wanted) const;

  const Json* json_;
  std::string where_;
};

template <>
Result<std::string> JsonObject::get(std::string_view key) const;
template <>
Result<double> JsonObject::get(std::string_view key) const;
template <>
Result<std::int64_t> JsonObject::get(std::string_view key) const;
template <>
Result<bool> JsonObject::get(std::string_view key) const;
template <>
Result<std::vector<std::string>> JsonObject::get(std::string_view key) const;
template <>
Result<std::vector<double>> JsonObject::get(std::string_view key) const;

}  // namespace ordo
