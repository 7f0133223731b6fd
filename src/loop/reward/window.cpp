#include "loop/reward/window.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace ordo::loop {
namespace {

// What windows of an older Ordo have not.
constexpr std::array<std::pair<const char*, std::uint64_t ArmWindow::*>, 5> kLater = {
    {{"aborts", &ArmWindow::aborts},
     {"tries", &ArmWindow::tries},
     {"compared", &ArmWindow::compared},
     {"odd", &ArmWindow::odd},
     {"odd_again", &ArmWindow::odd_again}}};

Json armToJson(const ArmWindow& arm) {
  Json json = {{"latency", arm.latency.toJson()},
               {"errors", arm.errors},
               {"redispatches", arm.redispatches},
               {"up", arm.up},
               {"reset", arm.reset}};
  for (const auto& [key, count] : kLater)
    if (arm.*count > 0) json[key] = arm.*count;
  return json;
}

Result<std::uint64_t> counted(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::int64_t value, object.get<std::int64_t>(key));
  if (value < 0) return fail(ErrorCode::kCorrupt, "{}: '{}' is negative", object.where(), key);
  return static_cast<std::uint64_t>(value);
}

Result<ArmWindow> armFromJson(const Json& json, const std::string& where) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  ORDO_TRY(object.onlyHas({"latency", "errors", "redispatches", "up", "reset", "aborts", "tries", "compared",
                           "odd", "odd_again"}));
  ArmWindow arm;
  if (!json.contains("latency")) return fail(ErrorCode::kCorrupt, "{}: has no 'latency'", where);
  ORDO_TRY_ASSIGN(arm.latency, Histogram::fromJson(json["latency"], where));
  ORDO_TRY_ASSIGN(arm.errors, counted(object, "errors"));
  ORDO_TRY_ASSIGN(arm.redispatches, counted(object, "redispatches"));
  for (const auto& [key, count] : kLater) {
    if (!json.contains(key)) continue;
    ORDO_TRY_ASSIGN(arm.*count, counted(object, key));
  }
  ORDO_TRY_ASSIGN(arm.up, object.get<bool>("up"));
  ORDO_TRY_ASSIGN(arm.reset, object.get<bool>("reset"));
  return arm;
}

}  // namespace

double requestsOf(const ArmWindow& arm) {
  // Of what only failed nobody tells how long it took.
  const std::uint64_t known = std::max(arm.latency.count(), arm.errors) + arm.redispatches;
  return static_cast<double>(std::max(known, arm.tries));
}

double failuresOf(const ArmWindow& arm) {
  return std::min(static_cast<double>(arm.errors + arm.redispatches), requestsOf(arm));
}

Json toJson(const Window& window) {
  return {{"begin", window.begin_s},
          {"end", window.end_s},
          {"share", window.share},
          {"gap", window.gap},
          {"control", armToJson(window.control)},
          {"canary", armToJson(window.canary)}};
}

Result<Window> windowFromJson(const Json& json, std::string_view where) {
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(where)));
  ORDO_TRY(object.onlyHas({"begin", "end", "share", "gap", "control", "canary"}));
  Window window;
  ORDO_TRY_ASSIGN(window.begin_s, object.get<double>("begin"));
  ORDO_TRY_ASSIGN(window.end_s, object.get<double>("end"));
  ORDO_TRY_ASSIGN(window.share, object.get<double>("share"));
  ORDO_TRY_ASSIGN(window.gap, object.get<std::string>("gap"));
  if (!(window.end_s > window.begin_s) || !std::isfinite(window.end_s - window.begin_s))
    return fail(ErrorCode::kCorrupt, "{}: a window ends after it begins", where);
  if (!(window.share >= 0 && window.share <= 1))
    return fail(ErrorCode::kCorrupt, "{}: a share is from 0 to 1", where);
  for (const char* arm : {"control", "canary"})
    if (!json.contains(arm)) return fail(ErrorCode::kCorrupt, "{}: has no '{}'", where, arm);
  ORDO_TRY_ASSIGN(window.control, armFromJson(json["control"], fmt::format("{}: control", where)));
  ORDO_TRY_ASSIGN(window.canary, armFromJson(json["canary"], fmt::format("{}: canary", where)));
  return window;
}

}  // namespace ordo::loop
