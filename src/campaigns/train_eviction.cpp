// The folder of a run:
//
//   asked-train.jsonl, asked-held-out.jsonl   what `ordo-advise crowd` says of each module; one that is there
//                                             is not looked at again
//   crowded/                                  optimised functions in which something is asked
//   evolution.json                            after the latest generation (advice/evolve.h)
//   best.safetensors, best.json               of the generations that were looked at, and what it is worth
//   try-*.safetensors                         what is measured now
#include "campaigns/train_eviction.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>

#include "advice/evolve.h"
#include "campaigns/advice_lines.h"
#include "campaigns/measure_advisors.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "support/files.h"
#include "support/json.h"
#include "support/rng.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kCandidates = 14, kModulesOfGeneration = 60, kLookEvery = 10;
constexpr std::int64_t kFewestQuestions = 4;  // fewer say next to nothing of a module
constexpr std::int64_t kMostCode = 3000;      // bytes to train on: few questions more, in much more time
constexpr double kStep = 0.3;
constexpr float kNever = 1e5f;                      // more than any score promises
constexpr std::array kCaution{0.0f, 0.25f, 0.75f};  // in units of what evolution begins with
// A feature is a fraction mostly, and at most log1p(1)/8 as the network takes it.
constexpr double kUnitOfFeature = 11.5;

bool say(const AdvisorTraining& options, std::string_view text) {
  return !options.progress || options.progress(text);
}
void note(const AdvisorTraining& options, std::string_view text) {
  if (options.note) options.note(text);
}

// The advisor whose scores are these: a number for each feature of an answer, for being the usual one, and
// for being the last.
std::string weightsOf(const std::vector<double>& numbers, float caution, const std::string& provenance) {
  policy::AdvisorInfo info;
  info.spec = notation::evictDecision();
  info.architecture = policy::Architecture::kLinear;
  info.caution.assign(info.spec.answers.size(), caution);
  // Nearly all are fractions of the largest there is: nothing is unlike what was seen.
  const std::size_t features = policy::columnsOf(info.spec).size();
  info.low.assign(features, -policy::kMaxMagnitude);
  info.high.assign(features, policy::kMaxMagnitude);
  info.backend_version = "22.1";
  info.provenance = provenance;
  std::vector<float> weights;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    weights.push_back(
        static_cast<float>(std::clamp(numbers[i] * (i < features ? kUnitOfFeature : 1), -1e5, 1e5)));
  const std::uint64_t inputs = weights.size();
  return policy::writeAdvisor(info, {{"logits.weight", {1, inputs}, std::move(weights)},
                                     {"logits.bias", {1}, {0}},
                                     {"value.weight", {1, inputs}, std::vector<float>(inputs, 0)},
                                     {"value.bias", {1}, {0}}});
}

std::size_t inputs() { return policy::columnsOf(notation::evictDecision()).size() + 2; }

// LLVM's own choices: nothing but the usual answer counts.
std::vector<double> beginning() {
  std::vector<double> numbers(inputs(), 0);
  numbers[inputs() - 2] = 1;
  return numbers;
}

// The modules in which something is asked; to train on of those the functions in which it is. Nothing if it
// was stopped.
Result<std::optional<std::vector<std::string>>> askedModules(const AdvisorTraining& options, bool held_out) {
  const std::string name = held_out ? "held-out" : "train";
  const fs::path file = options.run / fmt::format("asked-{}.jsonl", name), folder = options.run / "crowded";
  if (const std::error_code error = makePrivateFolders(folder))
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}", folder.string(), error.message());
  ORDO_TRY_ASSIGN(const std::vector<std::string> wanted, modulesFor(options, held_out));
  struct Known {
    std::int64_t questions = 0, code = 0;
    std::string crowded;
  };
  std::map<std::string, Known> known;
  const auto take = [&](std::string_view line, const std::string& where) -> Status {
    ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
    ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
    ORDO_TRY_ASSIGN(const std::string module, object.get<std::string>("module"));
    Known one;
    ORDO_TRY_ASSIGN(one.questions, object.get<std::int64_t>("questions", 0));
    ORDO_TRY_ASSIGN(one.code, object.get<std::int64_t>("usual", 0));
    ORDO_TRY_ASSIGN(one.crowded, object.get<std::string>("crowded", ""));
    known[module] = std::move(one);
    return {};
  };
  std::ifstream before(file);
  // Who was killed in the middle of a line left half of it.
  for (std::string line; std::getline(before, line);) (void)take(line, file.string());
  std::vector<std::string> missing;
  std::ranges::copy_if(wanted, std::back_inserter(missing),
                       [&](const std::string& one) { return !known.contains(one); });
  std::ofstream out(file, std::ios::app);
  Status status;
  bool stopped = false;
  ORDO_TRY(eachModule(
      {"crowd", "--into", folder.string(), "--"}, missing, options.jobs, [&](std::string_view line) {
        out << line << '\n' << std::flush;
        status = take(line, "ordo-advise");
        stopped = !say(options, fmt::format("{}: {} of {} modules", name, known.size(), wanted.size()));
        return status && !stopped;
      }));
  ORDO_TRY(status);
  if (stopped) return std::nullopt;
  std::vector<std::string> asked;
  std::int64_t all = 0;
  for (const std::string& one : wanted) {
    const Known& of = known[one];
    all += of.questions;
    if (of.questions >= kFewestQuestions && (held_out || of.code <= kMostCode))
      asked.push_back(held_out ? one : of.crowded);
  }
  note(options, fmt::format("{}: {} of {} modules ask enough; {} questions in all", name, asked.size(),
                            wanted.size(), all));
  if (asked.empty())
    return fail(ErrorCode::kInvalidArgument,
                "in none of the {} modules for {} is enough asked, in little code", wanted.size(),
                held_out ? "validation" : "training");
  std::ranges::sort(asked);  // the order of a team's work is nobody's
  return asked;
}

Result<advice::Evolution> evolutionOf(const AdvisorTraining& options) {
  const fs::path file = options.run / "evolution.json";
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return advice::Evolution(beginning(), kStep, options.seed);
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  ORDO_TRY_ASSIGN(advice::Evolution evolution, advice::Evolution::parse(text, file.string()));
  if (evolution.mean().size() != inputs())
    return fail(ErrorCode::kCorrupt, "{}: of another decision", file.string());
  return evolution;
}

std::string worthOf(const AdvisedTotals& totals) {
  return fmt::format("{} smaller, {} larger of {}; {:.3f} % of code, {:.3f} % on the mean", totals.smaller,
                     totals.larger, totals.modules,
                     100 * (totals.usual - totals.advised) / std::max(1.0, totals.usual),
                     -100 * std::expm1(totals.log_ratio));
}

// Of the generations that were looked at before; at first what is never followed, which costs nothing: the
// floor.
Result<TrainedAdvisor> bestOf(const AdvisorTraining& options, std::size_t modules) {
  const fs::path file = options.run / "best.json";
  TrainedAdvisor best{weightsOf(beginning(), kNever, options.provenance), {}};
  best.held_out.modules = modules;
  std::error_code ignored;
  if (!fs::exists(file, ignored)) return best;
  ORDO_TRY_ASSIGN(best.weights, readFile(options.run / "best.safetensors"));
  ORDO_TRY_ASSIGN(const std::string text, readFile(file));
  ORDO_TRY_ASSIGN(const Json json, parseJson(text, file.string()));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, file.string()));
  AdvisedTotals& totals = best.held_out;
  for (const auto& [key, to] : {std::pair{"modules", &totals.modules}, std::pair{"smaller", &totals.smaller},
                                std::pair{"larger", &totals.larger}}) {
    ORDO_TRY_ASSIGN(const std::int64_t value, object.get<std::int64_t>(key));
    *to = static_cast<std::size_t>(value);
  }
  ORDO_TRY_ASSIGN(totals.usual, object.get<double>("usual"));
  ORDO_TRY_ASSIGN(totals.advised, object.get<double>("advised"));
  ORDO_TRY_ASSIGN(totals.log_ratio, object.get<double>("log_ratio"));
  return best;
}

Status keep(const AdvisorTraining& options, const TrainedAdvisor& best) {
  ORDO_TRY(writeFile(options.run / "best.safetensors", best.weights));
  const AdvisedTotals& totals = best.held_out;
  return writeFile(options.run / "best.json", writeJson({{"modules", totals.modules},
                                                         {"smaller", totals.smaller},
                                                         {"larger", totals.larger},
                                                         {"usual", totals.usual},
                                                         {"advised", totals.advised},
                                                         {"log_ratio", totals.log_ratio}}));
}

// Measures this generation on modules of other packages, and keeps it if nothing before was better. False if
// it was stopped.
Result<bool> look(const AdvisorTraining& options, const advice::Evolution& evolution,
                  const std::vector<std::string>& held_out, TrainedAdvisor& best) {
  std::vector<std::string> candidates;
  for (const float caution : kCaution)
    candidates.push_back(weightsOf(evolution.mean(), caution, options.provenance));
  std::vector<AdvisedTotals> totals;
  ORDO_TRY_ASSIGN(const bool measured, measureAdvisors(options, candidates, held_out, totals));
  if (!measured) return false;
  for (std::size_t i = 0; i < totals.size(); ++i) {
    note(options, fmt::format("generation {}, caution {}: {}", evolution.generation(), kCaution[i],
                              worthOf(totals[i])));
    if (totals[i].log_ratio >= best.held_out.log_ratio) continue;
    best = {candidates[i], totals[i]};
    ORDO_TRY(keep(options, best));
  }
  return true;
}

// False if it was stopped.
Result<bool> evolve(const AdvisorTraining& options, const std::vector<std::string>& modules,
                    advice::Evolution& evolution) {
  Rng rng(options.seed + 1000 * evolution.generation());
  std::vector<std::string> some = modules;
  rng.shuffle(std::span(some));
  some.resize(std::min(some.size(), kModulesOfGeneration));
  const std::vector<std::vector<double>> tried = evolution.candidates(kCandidates);
  std::vector<std::string> candidates;
  for (const std::vector<double>& one : tried) candidates.push_back(weightsOf(one, 0, ""));
  std::vector<AdvisedTotals> totals;
  ORDO_TRY_ASSIGN(const bool measured,
                  measureAdvisors(options, candidates, some, totals, /*optimised=*/true));
  if (!measured) return false;
  std::vector<double> costs;
  for (const AdvisedTotals& one : totals) costs.push_back(one.log_ratio);
  evolution.learn(tried, costs);
  note(options, fmt::format("generation {}: best {:.3f} %, step {:.3f}", evolution.generation(),
                            -100 * std::expm1(*std::ranges::min_element(costs)), evolution.step()));
  ORDO_TRY(writeFile(options.run / "evolution.json", evolution.write()));
  return true;
}

}  // namespace

Result<TrainedAdvisor> trainEviction(const AdvisorTraining& options) {
  if (const std::error_code error = makePrivateFolders(options.run))
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}", options.run.string(), error.message());
  ORDO_TRY_ASSIGN(const auto train, askedModules(options, /*held_out=*/false));
  if (!train) return TrainedAdvisor{};
  ORDO_TRY_ASSIGN(const auto held_out, askedModules(options, /*held_out=*/true));
  if (!held_out) return TrainedAdvisor{};
  ORDO_TRY_ASSIGN(advice::Evolution evolution, evolutionOf(options));

  ORDO_TRY_ASSIGN(TrainedAdvisor best, bestOf(options, held_out->size()));
  for (;;) {
    const bool over = evolution.generation() >= options.generations;
    if (evolution.generation() > 0 && (over || evolution.generation() % kLookEvery == 0)) {
      ORDO_TRY_ASSIGN(const bool measured, look(options, evolution, *held_out, best));
      if (!measured) return TrainedAdvisor{};
    }
    if (over) return best;
    ORDO_TRY_ASSIGN(const bool evolved, evolve(options, *train, evolution));
    if (!evolved) return TrainedAdvisor{};
  }
}

}  // namespace ordo::campaigns
