#include "agent/text_calls.h"

#include <string>

namespace ordo::agent {
namespace {

// What stands between the marks from `at` on; moves it behind. Without the second mark, the rest.
bool between(std::string_view text, std::string_view open, std::string_view close, std::size_t& at,
             std::string_view& inside) {
  const std::size_t begin = text.find(open, at);
  if (begin == std::string_view::npos) return false;
  const std::size_t end = text.find(close, begin + open.size());
  inside = text.substr(begin + open.size(), end == std::string_view::npos ? end : end - begin - open.size());
  at = end == std::string_view::npos ? text.size() : end + close.size();
  return true;
}

}  // namespace

std::vector<Json> textCalls(std::string_view content) {
  std::vector<Json> calls;
  std::string_view inside;
  for (std::size_t at = 0; between(content, "<tool_call>", "</tool_call>", at, inside);) {
    Json call = Json::parse(inside, nullptr, false);
    const bool named = call.is_object() && call.contains("name") && call["name"].is_string();
    if (named)
      calls.push_back({{"name", call["name"]}, {"arguments", call.value("arguments", Json::object())}});
    else
      calls.push_back({{"name", ""}, {"arguments", std::string(inside)}});
  }
  std::size_t at = 0;
  if (between(content, "<answer>", "</answer>", at, inside)) {
    const Json sequence = Json::parse(inside, nullptr, false);
    calls.push_back(
        {{"name", "submit_sequence"},
         {"arguments", sequence.is_array() ? Json{{"sequence", sequence}} : Json(std::string(inside))}});
  }
  return calls;
}

}  // namespace ordo::agent
