#include "app/coresets.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <numeric>
#include <set>

#include "app/eval.h"
#include "app/knowledge.h"
#include "search/evaluator.h"
#include "search/mine.h"
#include "support/rng.h"

namespace ordo::app {
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

// Of each candidate on one program, in units of the baseline's value.
Result<std::vector<double>> costsOn(study::Site& site, const study::Subject& subject,
                                    const std::string& objective,
                                    const std::vector<experience::Sequence>& candidates) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<search::Evaluator> evaluator,
                  search::Evaluator::open(site.backend(), subject.spec, {objective, ""}));
  std::vector<search::Sequence> batch{{subject.baseline}};
  batch.insert(batch.end(), candidates.begin(), candidates.end());
  const std::vector<search::Evaluation> results = evaluator->evaluate(std::move(batch));
  ORDO_TRY(evaluator->status());
  std::vector<double> costs;
  for (std::size_t i = 1; i < results.size(); ++i)
    costs.push_back(search::relativeCost(results[i], results.front()));
  return costs;
}

using Costs = std::vector<std::vector<double>>;  // by sequence and program

// Whether a program may be tried on: it has the actions of the experience, and is what the options ask for.
Result<bool> suits(study::Site& site, const study::Subject& subject, const experience::Header& header,
                   const CoresetOptions& options) {
  if (!std::ranges::equal(subject.spec.actions, header.actions, {}, &env::Action::name)) return false;
  const std::optional<double> size = study::valueOf(subject.program, "initial", "ir_instructions");
  if (size && *size > static_cast<double>(options.max_instructions)) return false;
  if (options.kind.empty()) return true;
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, site.backend().open(subject.spec));
  ORDO_TRY_ASSIGN(const std::string_view kind, kindOf(*session));
  return kind == options.kind;
}

// What sequences cost on the programs that are there and suit.
class Trials {
 public:
  // On so many of `programs`, the first ones, as the options say, in an order of which any beginning is a
  // sample. kNotFound if there is none.
  static Result<Trials> open(Stage& stage, const std::vector<std::string>& programs,
                             const experience::Header& header, const CoresetOptions& options, Rng& rng) {
    Trials trials(stage, options);
    for (std::size_t from = 0; from < programs.size() && trials.programs() < options.programs;) {
      const std::size_t to = std::min(programs.size(), from + options.programs - trials.programs());
      const std::vector<std::string> next(programs.begin() + static_cast<std::ptrdiff_t>(from),
                                          programs.begin() + static_cast<std::ptrdiff_t>(to));
      std::vector<std::uint8_t> suit(next.size());
      ORDO_TRY(stage.forEach(
          next, [&](std::size_t i, study::Site& site, Result<const study::Subject*> subject) -> Status {
            if (!subject) return {};
            ORDO_TRY_ASSIGN(suit[i], suits(site, **subject, header, options));
            return {};
          }));
      for (std::size_t i = 0; i < next.size(); ++i)
        if (suit[i] != 0) trials.programs_.push_back(next[i]);
      from = to;
    }
    if (trials.programs_.empty())
      return fail(ErrorCode::kNotFound,
                  "none of the programs is here{}; harvest them first (ordo dataset harvest)",
                  options.kind.empty() ? "" : fmt::format(" and of the kind '{}'", options.kind));
    rng.shuffle(std::span(trials.programs_));
    return trials;
  }

  std::size_t programs() const { return programs_.size(); }

  // Where its programs are from.
  std::set<std::string> packages() const {
    std::set<std::string> packages;
    for (const std::string& uri : programs_) packages.insert(suiteOf(uri));
    return packages;
  }

  // On the first `count` of the programs, of which any number is a sample.
  Result<Costs> costs(const std::string& objective, const std::vector<experience::Sequence>& sequences,
                      std::size_t count) {
    const std::vector<std::string> programs(programs_.begin(),
                                            programs_.begin() + static_cast<std::ptrdiff_t>(count));
    Costs costs(sequences.size(), std::vector<double>(count));
    std::atomic<std::size_t> done = 0;
    const auto tryAll = [&](std::size_t i, study::Site& site,
                            Result<const study::Subject*> subject) -> Status {
      if (!subject) return fail(std::move(subject).error());
      ORDO_TRY_ASSIGN(const std::vector<double> row, costsOn(site, **subject, objective, sequences));
      for (std::size_t sequence = 0; sequence < row.size(); ++sequence) costs[sequence][i] = row[sequence];
      if (options_.progress)
        options_.progress(fmt::format("{}: {}; {} sequences on {} of {} programs", objective, standing_,
                                      sequences.size(), ++done, count));
      return {};
    };
    ORDO_TRY(stage_.forEach(programs, tryAll));
    return costs;
  }

  // How the work stands, for who watches.
  void say(std::string standing) { standing_ = std::move(standing); }

 private:
  Trials(Stage& stage, const CoresetOptions& options) : stage_(stage), options_(options) {}

  Stage& stage_;
  const CoresetOptions& options_;
  std::vector<std::string> programs_;
  std::string standing_;
};

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
  return header.actions[action].starts_with(env::kCodegenPrefix);
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
Result<Member> bestOf(Trials& trials, const std::string& objective, std::vector<experience::Sequence> tried,
                      const std::vector<double>& lowest) {
  constexpr std::size_t kShares[] = {8, 3};  // of the programs, one of so many, before all
  constexpr std::size_t kFewest = 16;        // fewer tell nothing
  constexpr std::size_t kKept = 5;           // of the sequences, one of so many
  const auto ranked = [&](const Costs& costs) {
    std::vector<std::pair<double, std::size_t>> order;
    for (std::size_t i = 0; i < costs.size(); ++i) order.emplace_back(together(costs[i], lowest), i);
    std::ranges::sort(order);
    return order;
  };
  for (const std::size_t share : kShares) {
    const std::size_t count = trials.programs() / share;
    if (count < kFewest) continue;
    ORDO_TRY_ASSIGN(const Costs costs, trials.costs(objective, tried, count));
    std::vector<experience::Sequence> kept;
    for (const auto& [cost, i] : ranked(costs))
      if (kept.size() <= tried.size() / kKept) kept.push_back(tried[i]);
    tried = std::move(kept);
  }
  ORDO_TRY_ASSIGN(Costs costs, trials.costs(objective, tried, trials.programs()));
  const std::size_t best = ranked(costs).front().second;
  return Member{std::move(tried[best]), std::move(costs[best])};
}

// `member`, until nothing like it serves better what `lowest` leaves.
Result<Member> bettered(Trials& trials, const std::string& objective, Member member,
                        const std::vector<experience::Sequence>& candidates,
                        const std::vector<double>& lowest, const experience::Header& header,
                        const CoresetOptions& options, Rng& rng) {
  for (std::size_t round = 0; round < options.rounds; ++round) {
    std::vector<experience::Sequence> tried = likes(member.sequence, candidates, header, options.some, rng);
    if (tried.empty()) break;
    ORDO_TRY_ASSIGN(Member best, bestOf(trials, objective, std::move(tried), lowest));
    if (together(best.costs, lowest) >= together(member.costs, lowest)) break;
    member = std::move(best);
  }
  return member;
}

// The coreset of an objective.
Result<std::vector<experience::Sequence>> coresetOf(Trials& trials, const std::string& objective,
                                                    const std::vector<experience::Sequence>& candidates,
                                                    const experience::Header& header,
                                                    const CoresetOptions& options, Rng& rng) {
  trials.say("candidates");
  ORDO_TRY_ASSIGN(const Costs costs, trials.costs(objective, candidates, trials.programs()));
  std::vector<experience::Sequence> coreset;
  std::vector<double> lowest(trials.programs(), 1);  // the baseline is there for all
  while (coreset.size() < std::min(options.bettered, options.size)) {
    trials.say(fmt::format("bettering number {} of {}", coreset.size() + 1, options.bettered));
    const auto next = std::ranges::min_element(
        costs, {}, [&](const std::vector<double>& row) { return together(row, lowest); });
    Member start{candidates[static_cast<std::size_t>(next - costs.begin())], *next};
    ORDO_TRY_ASSIGN(const Member member,
                    bettered(trials, objective, std::move(start), candidates, lowest, header, options, rng));
    if (together(member.costs, lowest) >= together(lowest, lowest)) break;
    coreset.push_back(member.sequence);
    for (std::size_t i = 0; i < lowest.size(); ++i) lowest[i] = std::min(lowest[i], member.costs[i]);
    if (options.note)
      options.note(
          fmt::format("{}: of {} sequences the best for each of {} programs leaves {:.2f} % on average",
                      objective, coreset.size(), trials.programs(),
                      100 * together(lowest, lowest) / static_cast<double>(trials.programs())));
  }
  for (const std::size_t next : search::chooseCoreset(costs, options.size - coreset.size(), lowest))
    coreset.push_back(candidates[next]);
  return coreset;
}

// In an order in which packages take turns.
std::vector<std::string> inTurns(const std::set<std::string>& uris, Rng& rng) {
  std::map<std::string, std::vector<std::string>> packages;
  for (const std::string& uri : uris) packages[suiteOf(uri)].push_back(uri);
  for (auto& [name, programs] : packages) rng.shuffle(std::span(programs));
  std::vector<std::string> order;
  for (std::size_t turn = 0; order.size() < uris.size(); ++turn) {
    for (const auto& [name, programs] : packages)
      if (turn < programs.size()) order.push_back(programs[turn]);
  }
  return order;
}

}  // namespace

Result<search::KnowledgeFile::Coresets> coresetsOf(const experience::Header& header,
                                                   const std::vector<Run>& runs, Stage& stage,
                                                   const CoresetOptions& options) {
  std::set<std::string> objectives, uris(options.from.begin(), options.from.end());
  for (const Run& run : runs) {
    objectives.insert(run.key.objective);
    if (options.from.empty()) uris.insert(run.key.uri);
  }
  Rng rng(options.seed);
  ORDO_TRY_ASSIGN(Trials trials, Trials::open(stage, inTurns(uris, rng), header, options, rng));
  search::KnowledgeFile::Coresets coresets;
  for (const std::string& objective : objectives) {
    std::vector<experience::Sequence> candidates;
    for (const bool others : {false, true})
      append(candidates, winnersOf(header, runs, objective, trials.packages(), others), rng);
    candidates.resize(std::min(candidates.size(), options.candidates));
    std::vector<std::vector<std::string>>& coreset = coresets[objective];
    if (candidates.empty()) continue;
    ORDO_TRY_ASSIGN(const std::vector<experience::Sequence> chosen,
                    coresetOf(trials, objective, candidates, header, options, rng));
    for (const experience::Sequence& sequence : chosen) {
      std::vector<std::string>& names = coreset.emplace_back();
      for (const std::uint32_t action : sequence) names.push_back(header.actions[action]);
    }
  }
  return coresets;
}

}  // namespace ordo::app
