// A checksum in a JSON object: that what is read is what was written. It protects against nobody.
#pragma once

#include "support/error.h"
#include "support/hash.h"
#include "support/json.h"

namespace ordo::recipe {

// Of all fields of `object` but its own, in their order, however they are indented.
inline Hash128 checksumOf(Json object) {
  object.erase("checksum");
  return hashBytes(writeJson(object));
}

inline void seal(Json& object) { object["checksum"] = checksumOf(object).hex(); }

// kCorrupt if the checksum of `json` is missing or of something else. `object` reads the same.
inline Status checkSeal(const Json& json, const JsonObject& object) {
  ORDO_TRY_ASSIGN(const std::string checksum, object.get<std::string>("checksum"));
  if (checksum == checksumOf(json).hex()) return {};
  return fail(
      ErrorCode::kCorrupt,
      "{} does not fit its checksum: it was damaged, or changed by hand (docs/formats/recipe.md#checksums)",
      object.where());
}

}  // namespace ordo::recipe
