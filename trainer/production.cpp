// The trials are in the order of time: the policy learns of the first and is judged by the last, as it would
// be in use. A candidate is one set of samples; each of its sequences is there twice, as an only answer and
// as one of many, which samplesOf() takes in turns. Its weight is shared by its steps.
#include "trainer/production.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <map>
#include <set>

#include "campaigns/collect_run.h"
#include "campaigns/eval.h"
#include "engine/engine.h"
#include "engine/input.h"
#include "engine/objective.h"

namespace ordo::trainer {
namespace {

using experience::Run;
using experience::Trial;

std::string candidateOf(const Run& run) {
  const std::string& searcher = run.key.searcher;
  return searcher.starts_with(experience::kCandidatePrefix)
             ? searcher.substr(experience::kCandidatePrefix.size())
             : "";
}

Status replayIn(const std::string& uri, std::vector<Run*>& runs, const Experience& experience,
                const spaces::Space& space) {
  const experience::Header& header = experience.header;
  ORDO_TRY_ASSIGN(const engine::Baseline baseline, engine::parseBaseline(header.baseline));
  ORDO_TRY_ASSIGN(const engine::Input input, engine::prepareInput(uri, baseline, {}));
  ORDO_TRY(campaigns::checkPurpose(input.program, campaigns::RunPurpose::kStudy));
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine,
                  engine::Engine::start({.limits = {.spin = false}, .remember_crashes = false}));
  env::SessionSpec spec{uri, input.compiled.bytes, {}, input.settings()};
  env::ActionIndex index = 0;
  spec.actions = engine::candidateActions(input, space, false, index);
  if (!std::ranges::equal(spec.actions, header.actions, {}, &env::Action::name))
    return fail(ErrorCode::kUnsupported, "{} has other actions than the space {}", uri, header.space);
  ORDO_TRY_ASSIGN(const std::unique_ptr<env::Session> session, engine->backend().open(std::move(spec)));
  ORDO_TRY_ASSIGN(const Hash128 hash, session->stateHash());
  for (Run* const run : runs) {
    if (run->hash != hash) return fail(ErrorCode::kUnsupported, "{} is another program now", uri);
    ORDO_TRY(campaigns::restoreStates(*session, header.observations, *run));
  }
  return {};
}

// Rows of all, with these weights.
learn::Samples joined(const std::map<std::string, learn::Samples>& candidates,
                      const std::map<std::string, double>& weights) {
  std::vector<torch::Tensor> features, actions, shares, values;
  learn::Samples all;
  for (const auto& [name, samples] : candidates) {
    const auto weight = weights.find(name);
    const auto rows = static_cast<double>(samples.actions.size(0));
    features.push_back(samples.features);
    actions.push_back(samples.actions);
    shares.push_back(torch::full_like(samples.weights, weight == weights.end() ? 0 : weight->second / rows));
    values.push_back(samples.values);
    all.packages.insert(all.packages.end(), samples.packages.begin(), samples.packages.end());
  }
  all.features = torch::cat(features);
  all.actions = torch::cat(actions);
  all.weights = torch::cat(shares);
  all.values = torch::cat(values);
  return all;
}

loop::Scores scoresOf(learn::Network& network, const std::map<std::string, learn::Samples>& candidates) {
  loop::Scores scores;
  for (const auto& [name, samples] : candidates) scores[name] = learn::meanLogProbability(network, samples);
  return scores;
}

}  // namespace

void addOptions(CLI::App& app, ProductionOptions& options) {
  CLI::Option_group& group = *app.add_option_group("awr", "of --algorithm awr, from 'ordo loop export'");
  group.add_option("--beta", options.lesson.beta, "advantage that makes a sequence weigh e times as much")
      ->check(CLI::Range(1e-6, 10.0))
      ->capture_default_str();
  group.add_option("--most-weight", options.lesson.most, "times that it may weigh more")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  group.add_option("--stay", options.awr.kl, "weight of staying what the weights of --from are")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  group.add_option("--judged-by", options.judged_by, "share of the trials to judge the new weights by")
      ->check(CLI::Range(0.05, 0.95))
      ->capture_default_str();
  group
      .add_option("--least-trials", options.gate.least_effective,
                  "that have to count among these, or the new weights are refused")
      ->check(CLI::Range(2.0, 1e6))
      ->capture_default_str();
}

Status replay(Experience& experience, const spaces::Space& space,
              const std::function<void(std::string_view)>& note) {
  experience.header.observations = observed();
  std::map<std::string, std::vector<Run*>> by_program;
  for (Run& run : experience.runs) by_program[run.key.uri].push_back(&run);
  std::size_t lost = 0;
  for (auto& [uri, runs] : by_program) {
    const Status done = replayIn(uri, runs, experience, space);
    if (done) continue;
    if (done.error().code == ErrorCode::kInternal) return done;
    note(fmt::format("left out: {}", done.error().message));
    for (Run* const run : runs) run->best.clear();
    ++lost;
  }
  std::erase_if(experience.runs, [](const Run& run) { return run.best.empty(); });
  if (lost == by_program.size())
    return fail(ErrorCode::kNotFound, "none of the programs is as it was when its recipes were made");
  return {};
}

Result<loop::Judgement> learnFromProduction(learn::Network& network, const Experience& experience,
                                            const policy::Encoder& encoder, const ProductionOptions& options,
                                            const std::atomic<bool>& stop,
                                            const std::function<void(std::string_view)>& note) {
  std::map<std::string, std::vector<Run>> runs;
  for (Run run : experience.runs) {
    if (candidateOf(run).empty() || run.best.empty()) continue;
    run.best.push_back(run.best.front());  // as an only answer and as one of many
    runs[candidateOf(run)].push_back(std::move(run));
  }
  std::map<std::string, learn::Samples> candidates;
  for (const auto& [name, made_by] : runs) {
    ORDO_TRY_ASSIGN(candidates[name], learn::samplesOf(experience.header, made_by, encoder));
  }
  // What a trial could have chosen has to be known whole.
  std::vector<Trial> trials;
  std::ranges::copy_if(experience.trials, std::back_inserter(trials), [&](const Trial& trial) {
    return std::ranges::all_of(trial.among, [&](const auto& one) { return candidates.contains(one.first); });
  });
  const auto judged = static_cast<std::size_t>(options.judged_by * static_cast<double>(trials.size()));
  if (judged == 0 || judged == trials.size())
    return fail(
        ErrorCode::kInvalidArgument,
        "{} trials are too few to learn from some and judge by others; they come from 'ordo loop export'",
        trials.size());
  const std::vector<Trial> last(trials.end() - static_cast<std::ptrdiff_t>(judged), trials.end());
  trials.resize(trials.size() - judged);

  const std::map<std::string, double> worths = loop::worths(trials);
  const learn::Samples samples = joined(candidates, loop::lessonWeights(trials, worths, options.lesson));
  const loop::Scores before = scoresOf(network, candidates);
  const std::vector<policy::Tensor> old = learn::weightsOf(network);
  const learn::AwrEpoch end = learn::regress(network, samples, options.awr, [&](const learn::AwrEpoch& now) {
    if (now.epoch % 20 == 0)
      note(fmt::format("epoch {}: loss {:.4f}, {:.4f} nats from what it was", now.epoch, now.loss, now.kl));
    return !stop;
  });
  if (end.epoch < options.awr.epochs) return fail(ErrorCode::kDeadlineExceeded, "interrupted");
  ORDO_TRY_ASSIGN(loop::Judgement judgement,
                  loop::judge(last, before, scoresOf(network, candidates), worths, options.gate));
  if (judgement.passes)
    judgement.why = fmt::format("awr on {} trials of {} candidates, {} steps ({})", trials.size(),
                                candidates.size(), samples.packages.size(), judgement.why);
  else
    ORDO_CHECK(learn::setWeights(network, old).has_value(), "its own weights do not fit");
  return judgement;
}

}  // namespace ordo::trainer
