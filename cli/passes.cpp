// Both forms join three lists by position: the recipe's actions, what they save (savesOf()), and the states,
// of which there is one more, because state i is the one before action i. So a row shows what the state after
// its pass has left, and under it is the policy's opinion in the state before. In the table row() makes every
// line, so that columns are there or not for all of them, and wrapped() breaks only what comes last.
#include "cli/passes.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "cli/choices.h"
#include "support/text.h"

namespace ordo::cli {
namespace {

constexpr std::size_t kColumns = 100;
constexpr std::size_t kBar = 10;
// Weaker clues are left out: they change the odds by less than a fifth.
constexpr double kWeakest = 0.18;
constexpr std::size_t kFor = 3, kAgainst = 2;  // clues of a pass

// "1st", "22nd", "13th"
std::string ordinal(std::size_t number) {
  const char* ending = "th";
  if (number / 10 % 10 != 1) {
    if (number % 10 == 1) ending = "st";
    if (number % 10 == 2) ending = "nd";
    if (number % 10 == 3) ending = "rd";
  }
  return fmt::format("{}{}", number, ending);
}

std::string percent(double share) {
  const double value = 100 * share;
  if (value >= 9.95) return fmt::format("{:.0f} %", value);
  if (value >= 0.95) return fmt::format("{:.1f} %", value);
  return value < 0.001 ? "under 0.001 %" : fmt::format("{:.1g} %", value);
}

// `head` and then `text`, broken after semicolons and spaces, but not before "%"; what follows is indented as
// far as `head` is long.
std::string wrapped(const std::string& head, std::string_view text) {
  std::string result = head;
  std::size_t column = head.size();
  while (!text.empty()) {
    std::size_t end = text.find_first_of(" ;");
    while (end != std::string_view::npos && text.substr(end).starts_with(" %"))
      end = text.find_first_of(" ;", end + 1);
    const std::string_view word = text.substr(0, end == std::string_view::npos ? end : end + 1);
    const std::size_t width = word.size() - (word.ends_with(' ') ? 1 : 0);
    if (column > head.size() && column + width > kColumns) {
      while (result.ends_with(' ')) result.pop_back();
      result += "\n" + std::string(head.size(), ' ');
      column = head.size();
    }
    result += word;
    column += word.size();
    text.remove_prefix(word.size());
  }
  return result + "\n";
}

std::string judgement(const tune::Opinion& opinion) {
  const std::string chance = percent(opinion.probability);
  if (opinion.rank == 1) return fmt::format("1st choice of {}, {}", opinion.of, chance);
  return fmt::format("{}: {} of {}, {}; 1st was {}, {}",
                     opinion.unlikely() ? "would not have" : "among its choices", ordinal(opinion.rank),
                     opinion.of, chance, opinion.first, percent(opinion.first_probability));
}

std::string clueList(const tune::Opinion& opinion, bool in_favour, std::size_t most) {
  std::string list;
  for (const tune::Clue& clue : opinion.clues) {
    if (most == 0) break;
    if ((clue.log_odds > 0) != in_favour || std::abs(clue.log_odds) < kWeakest) continue;
    list += fmt::format("{}{} {}", list.empty() ? "" : "; ", clue.words, tune::oddsFactor(clue.log_odds));
    --most;
  }
  return list;
}

std::string opinionLines(const tune::Opinion& opinion) {
  std::string lines = wrapped("        policy   ", judgement(opinion));
  if (const std::string list = clueList(opinion, true, kFor); !list.empty())
    lines += wrapped("        for      ", list);
  if (const std::string list = clueList(opinion, false, kAgainst); !list.empty())
    lines += wrapped("        against  ", list);
  return lines;
}

std::vector<std::optional<double>> savesOf(const recipe::Recipe& recipe) {
  std::vector<std::optional<double>> saves(recipe.actions.size());
  for (const recipe::Reason& reason : recipe.reasons)
    saves[static_cast<std::size_t>(reason.action)] = reason.saves;
  return saves;
}

Json toJson(const tune::Opinion& opinion) {
  Json features = Json::array();
  for (const tune::Clue& clue : opinion.clues)
    features.push_back({{"name", clue.feature}, {"words", clue.words}, {"log_odds", clue.log_odds}});
  return {{"probability", opinion.probability},
          {"rank", opinion.rank},
          {"of", opinion.of},
          {"first", {{"action", opinion.first}, {"probability", opinion.first_probability}}},
          {"features", std::move(features)}};
}

}  // namespace

std::string passTable(const recipe::Recipe& recipe, const tune::Retraced* retraced, bool opinions) {
  const std::vector<std::optional<double>> saves = savesOf(recipe);
  const bool reasons = !recipe.reasons.empty();
  opinions = opinions && retraced && !retraced->policy.empty();
  double largest = 1;
  for (const std::optional<double>& save : saves) largest = std::max(largest, save.value_or(0));
  const auto row = [&](std::string_view number, std::string_view save, std::size_t bar, std::string_view left,
                       std::string_view name) {
    const std::string start =
        reasons ? fmt::format("{:>4}  {:>8}  {:{}}  ", number, save, std::string(bar, '#'), kBar)
                : fmt::format("{:>4}  ", number);
    return wrapped(retraced ? fmt::format("{}{:>7}  ", start, left) : start, name);
  };
  const auto left = [&](std::size_t state) {
    return retraced ? grouped(retraced->states[state].instructions) : "";
  };
  const auto opinion = [&](std::size_t state) -> std::string {
    if (!opinions) return "";
    const std::optional<tune::Opinion>& said = retraced->states[state].opinion;
    return said ? opinionLines(*said) : "        policy   does not know it\n";
  };

  std::string table = row("", "saves", 0, "leaves", "pass");
  if (retraced) table += row("", "", 0, left(0), "(the program as it is)");
  for (std::size_t i = 0; i < recipe.actions.size(); ++i) {
    const double share = std::max(0.0, saves[i].value_or(0)) / largest;
    table += row(std::to_string(i + 1), saves[i] ? grouped(*saves[i]) : "?",
                 static_cast<std::size_t>(share * kBar + 0.5), left(i + 1), shownName(recipe.actions[i]));
    table += opinion(i);
  }
  if (opinions) {
    table += row("", "", 0, "", "(the end)");
    table += opinion(recipe.actions.size());
  }
  if (reasons && !std::ranges::all_of(saves, &std::optional<double>::has_value))
    table += "\n  ?  not measured, mostly because the budget of the search was over\n";
  return table;
}

Json passesJson(const recipe::Recipe& recipe, const tune::Retraced& retraced) {
  const std::vector<std::optional<double>> saves = savesOf(recipe);
  Json states = Json::array();
  for (std::size_t i = 0; i < retraced.states.size(); ++i) {
    Json state = {{"instructions", retraced.states[i].instructions}};
    if (i < recipe.actions.size()) {
      state["action"] = recipe.actions[i].name;
      state["saves"] = saves[i] ? Json(*saves[i]) : Json(nullptr);
    }
    if (!retraced.policy.empty())
      state["opinion"] = retraced.states[i].opinion ? toJson(*retraced.states[i].opinion) : Json(nullptr);
    states.push_back(std::move(state));
  }
  Json json = {{"policy", nullptr}};
  if (!retraced.policy.empty())
    json["policy"] = {{"file", retraced.policy}, {"hash", retraced.policy_hash.hex()}};
  if (!retraced.no_policy.empty()) json["no_policy"] = retraced.no_policy;
  json["states"] = std::move(states);
  return json;
}

}  // namespace ordo::cli
