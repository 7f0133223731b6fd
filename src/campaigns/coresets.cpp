// coresetOf() is one objective: all candidates are tried on all programs, and then members are chosen one by
// one by together(), the sum over programs of the lowest cost so far, where the baseline's is 1. Each of the
// first starts as the candidate that is best by it; bettered() then takes the best of its likes() while that
// lowers the sum and rounds are left. The other places go to candidates as they are
// (search::chooseCoreset()). All chance comes from one Rng, in a fixed order.
#include "campaigns/coresets.h"

#include <algorithm>
#include <iterator>
#include <set>

#include "campaigns/eval.h"
#include "campaigns/yardstick.h"
#include "search/knowledge/mine.h"
#include "support/rng.h"

namespace ordo::campaigns {
namespace {

using experience::Run;

std::optional<double> valueOf(const Run& run, const std::string& reference) {
  const auto values = run.references.find(reference);
  if (values == run.references.end()) return std::nullopt;
  const auto value = values->second.find(run.key.objective);
  return value == values->second.end() ? std::nullopt : std::optional(value->second);
}

// Appends `some`, which it lacks, in an order of chance.
void append(std::vector<experience::Sequence>& all, const std::set<experience::Sequence>& some, Rng& rng) {
  std::vector<experience::Sequence> more;
  for (const experience::Sequence& one : some)
    if (std::ranges::find(all, one) == all.end()) more.push_back(one);
  rng.shuffle(std::span(more));
  all.insert(all.end(), more.begin(), more.end());
}

// The best sequence of each run of an objective that gains anything, for programs of `packages` or others.
std::set<experience::Sequence> winnersOf(const experience::Header& header, const std::vector<Run>& runs,
                                         const std::string& objective, const std::set<std::string>& packages,
                                         bool others) {
  std::set<experience::Sequence> winners;
  for (const Run& run : runs) {
    const std::optional<double> baseline = valueOf(run, header.baseline);
    if (run.key.objective != objective || run.best.empty() || !baseline) continue;
    if (packages.contains(suiteOf(run.key.uri)) == others) continue;
    const auto best = std::ranges::min_element(
        run.best, {}, [&](const experience::Best& one) { return one.values.at(objective); });
    if (!best->actions.empty() && best->values.at(objective) < *baseline) winners.insert(best->actions);
  }
  return winners;
}

// A sequence, and what it costs on each program.
struct Member {
  experience::Sequence sequence;
  std::vector<double> costs;
};

// What is left to pay on all programs if one may take `costs` or what `lowest` says.
double together(const std::vector<double>& costs, const std::vector<double>& lowest) {
  double sum = 0;
  for (std::size_t i = 0; i < costs.size(); ++i) sum += std::min(costs[i], lowest[i]);
  return sum;
}

bool isChoice(const experience::Header& header, std::uint32_t action) {
  return !env::settingOf(header.actions[action]).empty();
}

// Sequences like `sequence`: without each of its actions, with each choice of the code generator, and, by
// chance, with actions put in or in the place of one, with the passes of others in the place of its own, and
// with their choices.
std::vector<experience::Sequence> likes(const experience::Sequence& sequence,
                                        const std::vector<experience::Sequence>& others,
                                        const experience::Header& header, std::size_t some, Rng& rng) {
  std::set<experience::Sequence> found;
  const auto add = [&](experience::Sequence like) {
    if (!like.empty() && like.size() <= header.max_length) found.insert(std::move(like));
  };
  const auto with = [&](std::size_t place, std::uint32_t action) {
    experience::Sequence like = sequence;
    like.insert(like.begin() + static_cast<std::ptrdiff_t>(place), action);
    add(std::move(like));
  };
  const auto choice = [&](std::uint32_t action) { return isChoice(header, action); };
  const auto joined = [&](const experience::Sequence& choices, const experience::Sequence& passes) {
    experience::Sequence like;
    std::ranges::copy_if(choices, std::back_inserter(like), choice);
    std::ranges::remove_copy_if(passes, std::back_inserter(like), choice);
    add(std::move(like));
  };
  const auto any = [&] { return static_cast<std::uint32_t>(rng.below(header.actions.size())); };
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    experience::Sequence like = sequence;
    like.erase(like.begin() + static_cast<std::ptrdiff_t>(i));
    add(std::move(like));
  }
  for (std::uint32_t action = 0; action < header.actions.size(); ++action) {
    if (choice(action) && std::ranges::find(sequence, action) == sequence.end()) with(0, action);
  }
  for (std::size_t i = 0; i < some; ++i) {
    with(rng.between(0, sequence.size()), any());
    experience::Sequence like = sequence;
    like[rng.below(like.size())] = any();
    add(std::move(like));
    joined(sequence, others[rng.below(others.size())]);
    joined(others[rng.below(others.size())], sequence);
  }
  found.erase(sequence);
  return {found.begin(), found.end()};
}

// The best of `tried` for programs of which `lowest` says what is known: by successive halving, because most
// of them are seen to be bad on a few programs (K. Jamieson and A. Talwalkar, "Non-stochastic best arm
// identification and hyperparameter optimization", AISTATS 2016). REQUIRES: there are some.
Result<Member> bestOf(Yardstick& yardstick, const std::string& objective,
                      std::vector<experience::Sequence> tried, const std::vector<double>& lowest) {
  constexpr std::size_t kShares[] = {8, 3};  // of the programs, one of so many, before all
  constexpr std::size_t kFewest = 16;        // fewer tell nothing
  constexpr std::size_t kKept = 5;           // of the sequences, one of so many
  const auto ranked = [&](const Yardstick::Costs& costs) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < costs.size(); ++i) order.emplace_back(together(costs[i], lowest), i);
    std::ranges::sort(order);
    return order;
  };
  for (const std::size_t share : kShares) {
    const std::size_t count = yardstick.programs() / share;
    if (count < kFewest) continue;
    ORDO_TRY_ASSIGN(const Yardstick::Costs costs, yardstick.costs(objective, tried, count));
    std::vector<experience::Sequence> kept;
    for (const auto& [cost, i] : ranked(costs))
      if (kept.size() <= tried.size() / kKept) kept.push_back(tried[i]);
    tried = std::move(kept);
  }
  ORDO_TRY_ASSIGN(Yardstick::Costs costs, yardstick.costs(objective, tried, yardstick.programs()));
  const std::size_t best = ranked(costs).front().second;
  return Member{std::move(tried[best]), std::move(costs[best])};
}

// `member`, until nothing like it serves better what `lowest` leaves.
Result<Member> bettered(Yardstick& yardstick, const std::string& objective, Member member,
                        const std::vector<experience::Sequence>& candidates,
                        const std::vector<double>& lowest, const experience::Header& header,
                        const CoresetOptions& options, Rng& rng) {
  for (std::size_t round = 0; round < options.rounds; ++round) {
    std::vector<experience::Sequence> tried = likes(member.sequence, candidates, header, options.some, rng);
    if (tried.empty()) break;
    ORDO_TRY_ASSIGN(Member best, bestOf(yardstick, objective, std::move(tried), lowest));
    if (together(best.costs, lowest) >= together(member.costs, lowest)) break;
    member = std::move(best);
  }
  return member;
}

// The coreset of an objective.
Result<std::vector<experience::Sequence>> coresetOf(Yardstick& yardstick, const std::string& objective,
                                                    const std::vector<experience::Sequence>& candidates,
                                                    const experience::Header& header,
                                                    const CoresetOptions& options, Rng& rng) {
  yardstick.say("candidates");
  ORDO_TRY_ASSIGN(const Yardstick::Costs costs, yardstick.costs(objective, candidates, yardstick.programs()));
  std::vector<experience::Sequence> coreset;
  std::vector<double> lowest(yardstick.programs(), 1);  // the baseline is there for all
  while (coreset.size() < std::min(options.bettered, options.size)) {
    yardstick.say(fmt::format("bettering number {} of {}", coreset.size() + 1, options.bettered));
    const auto next = std::ranges::min_element(
        costs, {}, [&](const std::vector<double>& row) { return together(row, lowest); });
    Member start{candidates[static_cast<std::size_t>(next - costs.begin())], *next};
    ORDO_TRY_ASSIGN(const Member member, bettered(yardstick, objective, std::move(start), candidates, lowest,
                                                  header, options, rng));
    if (together(member.costs, lowest) >= together(lowest, lowest)) break;
    coreset.push_back(member.sequence);
    for (std::size_t i = 0; i < lowest.size(); ++i) lowest[i] = std::min(lowest[i], member.costs[i]);
    if (options.note)
      options.note(
          fmt::format("{}: of {} sequences the best for each of {} programs leaves {:.2f} % on average",
                      objective, coreset.size(), yardstick.programs(),
                      100 * together(lowest, lowest) / static_cast<double>(yardstick.programs())));
  }
  for (const std::size_t next : search::chooseCoreset(costs, options.size - coreset.size(), lowest))
    coreset.push_back(candidates[next]);
  return coreset;
}

}  // namespace

Result<search::KnowledgeFile::Coresets> coresetsOf(const experience::Header& header,
                                                   const std::vector<Run>& runs, Stage& stage,
                                                   const CoresetOptions& options) {
  std::set<std::string> objectives;
  for (const Run& run : runs) objectives.insert(run.key.objective);
  Rng rng(options.seed);
  ORDO_TRY_ASSIGN(Yardstick yardstick, Yardstick::open(stage, header, runs, options.on, rng));
  search::KnowledgeFile::Coresets coresets;
  for (const std::string& objective : objectives) {
    std::vector<experience::Sequence> candidates;
    for (const bool others : {false, true})
      append(candidates, winnersOf(header, runs, objective, yardstick.packages(), others), rng);
    candidates.resize(std::min(candidates.size(), options.candidates));
    std::vector<std::vector<std::string>>& coreset = coresets[objective];
    if (candidates.empty()) continue;
    ORDO_TRY_ASSIGN(const std::vector<experience::Sequence> chosen,
                    coresetOf(yardstick, objective, candidates, header, options, rng));
    for (const experience::Sequence& sequence : chosen) {
      std::vector<std::string>& names = coreset.emplace_back();
      for (const std::uint32_t action : sequence) names.push_back(header.actions[action]);
    }
  }
  return coresets;
}

}  // namespace ordo::campaigns
