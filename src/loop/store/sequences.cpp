#include "loop/store/sequences.h"

#include <algorithm>
#include <optional>
#include <set>

#include "support/json.h"

namespace ordo::loop {
namespace {

bool isName(std::string_view text) {
  return !text.empty() && text.size() <= kMostNameBytes &&
         std::ranges::none_of(text, [](unsigned char c) { return c < 0x20 || c == 0x7f; });
}

Result<Hash128> hashFrom(const JsonObject& object, std::string_view key) {
  ORDO_TRY_ASSIGN(const std::string text, object.get<std::string>(key));
  const std::optional<Hash128> hash = Hash128::fromHex(text);
  if (!hash) return fail(ErrorCode::kCorrupt, "{}: the field '{}' is no hash", object.where(), key);
  return *hash;
}

}  // namespace

Status check(const std::vector<Sequence>& sequences, std::string_view where) {
  if (sequences.empty() || sequences.size() > kMostModules)
    return fail(ErrorCode::kCorrupt, "{}: {} sequences; a candidate has from 1 to {}", where,
                sequences.size(), kMostModules);
  std::set<std::string_view> sources;
  const Sequence& first = sequences.front();
  for (const Sequence& one : sequences) {
    for (const std::string* const name : {&one.source, &one.baseline, &one.version, &one.space})
      if (!isName(*name)) return fail(ErrorCode::kCorrupt, "{}: a name that is none", where);
    if (one.actions.size() > kMostActions || !std::ranges::all_of(one.actions, isName))
      return fail(ErrorCode::kCorrupt, "{}: more than {} actions, or one that is no name", where,
                  kMostActions);
    if (!sources.insert(one.source).second)
      return fail(ErrorCode::kCorrupt, "{}: two sequences for {}", where, one.source);
    if (one.baseline != first.baseline || one.version != first.version || one.space != first.space ||
        one.space_hash != first.space_hash)
      return fail(ErrorCode::kCorrupt, "{}: {} and {} are of different spaces, baselines or LLVMs", where,
                  first.source, one.source);
  }
  return {};
}

std::string writeSequences(const std::vector<Sequence>& sequences) {
  Json all = Json::array();
  for (const Sequence& one : sequences) {
    all.push_back({{"source", one.source},
                   {"program", one.program.hex()},
                   {"baseline", one.baseline},
                   {"version", one.version},
                   {"space", one.space},
                   {"space_hash", one.space_hash.hex()},
                   {"actions", one.actions}});
  }
  return writeJson(all);
}

Result<std::vector<Sequence>> parseSequences(std::string_view text, std::string_view where) {
  ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(text, where));
  if (!json.is_array() || json.size() > kMostModules)
    return fail(ErrorCode::kCorrupt, "{}: should be a list of at most {} sequences", where, kMostModules);
  std::vector<Sequence> sequences;
  for (const Json& element : json) {
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(element, std::string(where)));
    ORDO_TRY(object.onlyHas({"source", "program", "baseline", "version", "space", "space_hash", "actions"}));
    Sequence one;
    ORDO_TRY_ASSIGN(one.source, object.get<std::string>("source"));
    ORDO_TRY_ASSIGN(one.program, hashFrom(object, "program"));
    ORDO_TRY_ASSIGN(one.baseline, object.get<std::string>("baseline"));
    ORDO_TRY_ASSIGN(one.version, object.get<std::string>("version"));
    ORDO_TRY_ASSIGN(one.space, object.get<std::string>("space"));
    ORDO_TRY_ASSIGN(one.space_hash, hashFrom(object, "space_hash"));
    ORDO_TRY_ASSIGN(one.actions, object.get<std::vector<std::string>>("actions"));
    sequences.push_back(std::move(one));
  }
  ORDO_TRY(check(sequences, where));
  return sequences;
}

}  // namespace ordo::loop
