#include "builds/function_notes.h"

#include <cmath>

#include "support/hash.h"
#include "support/json.h"

namespace ordo::builds {
namespace {

std::string noteOf(std::string_view key) { return hashBytes(fmt::format("function 1\n{}", key)).hex(); }

Result<tune::RememberedFunction> parseNote(std::string_view text) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, "note"));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, "note"));
  tune::RememberedFunction function;
  ORDO_TRY_ASSIGN(function.best, object.get<std::string>("best"));
  ORDO_TRY_ASSIGN(function.saves, object.get<double>("saves"));
  if (!std::isfinite(function.saves) || function.saves < 0)
    return fail(ErrorCode::kCorrupt, "note: nothing saves {}", function.saves);
  return function;
}

}  // namespace

std::unique_lock<std::mutex> FunctionNotes::lock() const {
  return mutex_ != nullptr ? std::unique_lock(*mutex_) : std::unique_lock<std::mutex>();
}

Result<std::optional<tune::RememberedFunction>> FunctionNotes::find(std::string_view key) {
  const auto locked = lock();
  ORDO_TRY_ASSIGN(const std::optional<std::string> text, cache_.findNote(noteOf(key)));
  if (!text) return std::nullopt;
  Result<tune::RememberedFunction> function = parseNote(*text);
  return function ? std::optional(*std::move(function)) : std::nullopt;
}

Status FunctionNotes::store(std::string_view key, const tune::RememberedFunction& function) {
  const auto locked = lock();
  return cache_.storeNote(noteOf(key), writeJson(Json{{"best", function.best}, {"saves", function.saves}}));
}

}  // namespace ordo::builds
