#include "study/protocol.h"

#include <algorithm>

#include "support/json.h"

namespace ordo::study {
namespace {

// As much of a line as a message has room for, without what would not be seen there.
std::string excerpt(std::string_view line) {
  constexpr std::size_t kRoom = 80;
  std::string text(line.substr(0, kRoom));
  for (char& c : text) c = c >= ' ' && c <= '~' ? c : '?';
  return line.size() <= kRoom ? text : text + "...";
}

}  // namespace

Status readGreeting(std::string_view line) {
  const Result<Json> json = parseJson(line, "its first line");
  const auto version = json && json->is_object() ? json->find("ordo_method") : Json::const_iterator();
  if (!json || !json->is_object() || version == json->end() || !version->is_number_integer()) {
    return fail(ErrorCode::kCorrupt, "its first line should be {{\"ordo_method\":{}}} and is '{}'", kProtocol,
                excerpt(line));
  }
  if (*version != kProtocol) {
    return fail(ErrorCode::kUnsupported, "it speaks version {} of the protocol, and this Ordo version {}",
                version->dump(), kProtocol);
  }
  return {};
}

std::string writeTask(const Task& task, const search::SearchContext& context) {
  Json json = {{"ordo_method", kProtocol}, {"program", task.program}, {"objective", task.objective}};
  Json actions = Json::array();
  for (const env::Action& action : context.actions()) actions.push_back(action.name);
  Json seeds = Json::array();
  for (const search::Evaluation& seed : context.seeds()) {
    Json& entry = seeds.emplace_back(Json{{"sequence", seed.actions}, {"value", nullptr}});
    if (seed.measured()) entry["value"] = seed.value;
  }
  json["actions"] = std::move(actions);
  json["seeds"] = std::move(seeds);
  json["max_length"] = context.maxLength();
  json["budget"] = task.compiles - std::min<std::uint64_t>(task.compiles, context.seeds().size());
  json["seed"] = task.seed;
  return writeJson(json);
}

Result<std::vector<search::Sequence>> readProposal(std::string_view line, std::size_t actions,
                                                   std::size_t max_length) {
  const Result<Json> json = parseJson(line, "a line");
  if (!json) return fail(ErrorCode::kCorrupt, "wrote '{}', and {}", excerpt(line), json.error().message);
  const auto list = json->is_object() ? json->find("sequences") : Json::const_iterator();
  if (!json->is_object() || list == json->end() || !list->is_array() || list->empty()) {
    return fail(ErrorCode::kCorrupt, "wrote '{}', which has no list of 'sequences' with something in it",
                excerpt(line));
  }
  std::vector<search::Sequence> sequences;
  for (const Json& entry : *list) {
    if (!entry.is_array())
      return fail(ErrorCode::kCorrupt, "sequence {} is no list of numbers", sequences.size());
    if (entry.size() > max_length) {
      return fail(ErrorCode::kCorrupt, "sequence {} has {} actions, and at most {} are allowed",
                  sequences.size(), entry.size(), max_length);
    }
    search::Sequence& sequence = sequences.emplace_back();
    for (const Json& action : entry) {
      if (!action.is_number_unsigned() || action.get<std::uint64_t>() >= actions) {
        return fail(ErrorCode::kCorrupt, "sequence {} has the action {}, and they go from 0 to {}",
                    sequences.size() - 1, excerpt(writeJson(action)), actions - 1);
      }
      sequence.push_back(static_cast<env::ActionIndex>(action.get<std::uint64_t>()));
    }
  }
  return sequences;
}

std::string writeAnswer(std::span<const std::optional<double>> values, bool done) {
  Json list = Json::array();
  for (const std::optional<double>& value : values) {
    list.push_back(nullptr);
    if (value) list.back() = *value;
  }
  return writeJson({{"values", std::move(list)}, {"done", done}});
}

}  // namespace ordo::study
