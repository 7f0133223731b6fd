#include "shell/command.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "support/text.h"

namespace ordo::shell {

bool Call::take(std::string_view option) { return std::erase(words, option) > 0; }

Status Call::expect(std::size_t least, std::size_t most) const {
  const auto option = std::find_if(words.begin(), words.end(),
                                   [](const std::string& word) { return word.starts_with("--"); });
  if (option != words.end())
    return fail(ErrorCode::kInvalidArgument, "there is no option {}; write '{}'", *option, usage);
  if (words.size() < least)
    return fail(ErrorCode::kInvalidArgument, "something is missing; write '{}'", usage);
  if (words.size() > most)
    return fail(ErrorCode::kInvalidArgument, "'{}' is too much; write '{}'", words[most], usage);
  return {};
}

Result<std::uint32_t> Call::number(std::size_t place, std::uint32_t absent) const {
  if (place >= words.size()) return absent;
  const std::string& word = words[place];
  std::uint32_t value = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
  if (error != std::errc{} || end != word.data() + word.size() || value == 0) {
    return fail(ErrorCode::kInvalidArgument, "'{}' is not a number from 1 on; write '{}'", word, usage);
  }
  return value;
}

Result<env::ActionIndex> Call::action(const std::string& word) const {
  const std::vector<env::Action>& actions = bench.spec().actions;
  const auto found = std::find_if(actions.begin(), actions.end(),
                                  [&](const env::Action& action) { return action.name == word; });
  if (found != actions.end()) return static_cast<env::ActionIndex>(found - actions.begin());
  env::ActionIndex index = 0;
  const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), index);
  if (error == std::errc{} && end == word.data() + word.size()) {
    if (index < actions.size()) return index;
    return fail(ErrorCode::kInvalidArgument, "there is no action {}: they are 0 to {}", word,
                actions.size() - 1);
  }
  std::vector<std::string> names;
  for (const env::Action& action : actions) names.push_back(action.name);
  return fail(ErrorCode::kInvalidArgument, "{} ('actions' lists those of the space {})",
              unknownName("action", word, names), bench.spec().space);
}

std::string figure(double value) {
  if (!std::isfinite(value)) return "-";
  return value == std::round(value) ? grouped(value) : fmt::format("{:.4g}", value);
}

}  // namespace ordo::shell
