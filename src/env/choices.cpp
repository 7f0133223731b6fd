#include "env/choices.h"

#include "support/hash.h"
#include "support/json.h"
#include "support/symbol.h"

namespace ordo::env {

Choices simplified(const Choices& choices) {
  Choices simple;
  simple.sequences = {choices.sequences.front()};
  std::map<std::size_t, std::size_t> numbers{{0, 0}};
  for (const auto& [name, number] : choices.functions) {
    const auto [known, is_new] = numbers.try_emplace(number, simple.sequences.size());
    if (is_new) simple.sequences.push_back(choices.sequences[number]);
    if (known->second != 0) simple.functions.emplace(name, known->second);
  }
  return simple;
}

Action choose(const Choices& choices) {
  Json functions = Json::object();
  for (const auto& [name, number] : choices.functions) functions[shownSymbol(name)] = number;
  std::string text = writeJson({{"sequences", choices.sequences}, {"functions", std::move(functions)}});
  const std::string hash = hashBytes(text).hex().substr(0, 16);
  return {fmt::format("{}<{}>", kChooseType, hash), std::string(kChoicesKind), std::move(text)};
}

Result<Choices> parseChoices(std::string_view text, std::string_view where) {
  ORDO_TRY_ASSIGN(const Json json, parseJsonWithUniqueKeys(text, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, std::string(where)));
  ORDO_TRY(object.onlyHas({"sequences", "functions"}));
  Choices choices;
  ORDO_TRY_ASSIGN(choices.sequences, object.get<std::vector<std::string>>("sequences"));
  if (choices.sequences.empty() || choices.sequences.size() > kMostSequences)
    return fail(ErrorCode::kCorrupt, "{}: there should be 1 to {} sequences, not {}", where, kMostSequences,
                choices.sequences.size());
  ORDO_TRY(object.object("functions"));
  for (const auto& [written, number] : json["functions"].items()) {
    std::string name = unescapedSymbol(written);
    if (!number.is_number_unsigned() || number.get<std::size_t>() == 0 ||
        number.get<std::size_t>() >= choices.sequences.size())
      return fail(ErrorCode::kCorrupt, "{}: the function '{}' should have the number of a sequence, 1 to {}",
                  where, written, choices.sequences.size() - 1);
    if (name.empty()) return fail(ErrorCode::kCorrupt, "{}: a function without a name", where);
    if (!choices.functions.emplace(std::move(name), number.get<std::size_t>()).second)
      return fail(ErrorCode::kCorrupt, "{}: the function '{}' is there twice", where, written);
  }
  return choices;
}

}  // namespace ordo::env
