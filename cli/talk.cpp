#include "cli/talk.h"

#include <fmt/ranges.h>

#include <algorithm>

#include "agent/foreign_text.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

constexpr std::size_t kText = 2000;  // of what the model says
constexpr std::size_t kLine = 160;   // of what is only hinted at

std::string indented(std::string_view text) {
  std::string result = "  ";
  for (const char c : text) {
    result += c;
    if (c == '\n') result += "  ";
  }
  return result;
}

std::string cut(std::string text) {
  if (text.size() > kLine) text = text.substr(0, kLine) + " ...";
  return text;
}

std::string namesOf(const Json& list) {
  std::vector<std::string> names;
  for (const Json& name : list) names.push_back(name.is_string() ? name.get<std::string>() : writeJson(name));
  return names.empty() ? "(nothing)" : fmt::format("{}", fmt::join(names, " "));
}

// "sequence: sroa gvn; compiles: 50"
std::string argumentsText(const Json& arguments) {
  if (!arguments.is_object()) return writeJson(arguments);
  std::string text;
  for (const auto& [key, value] : arguments.items()) {
    const bool names =
        value.is_array() && std::ranges::all_of(value, [](const Json& item) { return item.is_string(); });
    text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", key, names ? namesOf(value) : writeJson(value));
  }
  return text;
}

// What matters of a result, in a line; the rest is for the model.
std::string resultText(const Json& result) {
  if (const auto error = result.find("error"); error != result.end())
    return fmt::format("{}: {}", error->value("code", ""), error->value("message", ""));
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
  if (result.contains("value") && result.contains("gain"))
    add(fmt::format("{} ({:+.2f} %)", writeJson(result["value"]), -100 * result["gain"].get<double>()));
  for (const auto& [key, value] : result.items()) {
    if (key == "cost" || key == "left" || key == "value" || key == "gain" || key == "error") continue;
    if (key == "sequence")
      add(namesOf(value));
    else if (value.is_array() || value.is_object())
      add(fmt::format("{} {}", value.size(), key));
    else
      add(fmt::format("{} {}", key, value.is_string() ? value.get<std::string>() : writeJson(value)));
  }
  return text;
}

}  // namespace

std::string talkText(const agent::Event& event) {
  using Kind = agent::Event::Kind;
  switch (event.kind) {
    case Kind::kReply: {
      const std::string text = event.content.value("content", "");
      if (text.empty()) return "";
      return fmt::format("model:\n{}\n", indented(agent::foreignText(text, kText)));
    }
    case Kind::kCall:
      return fmt::format("-> {} {}\n", agent::foreignText(event.tool, 60),
                         agent::foreignText(cut(argumentsText(event.content)), 2 * kLine));
    case Kind::kResult: {
      const Json left = event.content.value("left", Json::object());
      return fmt::format("<- {}\n   {} compiles and {:.1f} s left\n",
                         agent::foreignText(cut(resultText(event.content)), 2 * kLine),
                         writeJson(left.value("compiles", Json(0))), left.value("seconds", 0.0));
    }
    case Kind::kNote:
      return fmt::format("{}\n", event.content.get<std::string>());
  }
  return "";
}

}  // namespace ordo::cli
