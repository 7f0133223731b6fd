// The folder of a run:
//
//   train.jsonl, held-out.jsonl   what was found of each module (advice::writeFound()); a module that is
//   there
//                                 is not searched again
//   evolved.safetensors           after the latest generation, which is in its provenance
//   try-*.safetensors             what is measured now (campaigns/measure_advisors.h)
//
// Caution is set twice: for each usual answer by the examples that were held out, and all of it together by
// whole modules, where decisions meet.
#include "campaigns/train_advisor.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <set>

#include "advice/imitate.h"
#include "advice/search.h"
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
using policy::AdvisorInfo;
using policy::AdvisorWeights;
using policy::Tensor;

constexpr float kNever = 1e5f;  // more than any network promises
constexpr std::size_t kPairs = 4, kModulesOfGeneration = 24;
constexpr double kSigma = 0.02, kStep = 0.05;

bool say(const AdvisorTraining& options, std::string_view text) {
  return !options.progress || options.progress(text);
}
void note(const AdvisorTraining& options, std::string_view text) {
  if (options.note) options.note(text);
}

std::string_view unitOf(const AdvisorTraining& options) { return options.speed ? "estimated time" : "code"; }

struct Part {
  std::vector<std::string> modules;  // that ask something
  std::vector<advice::Example> examples;
};

// Searches what was not searched before. Nothing if it was stopped.
Result<std::optional<Part>> searched(const AdvisorTraining& options, const env::DecisionSpec& spec,
                                     bool held_out) {
  const std::string name = held_out ? "held-out" : "train";
  const fs::path file = options.run / (name + ".jsonl");
  ORDO_TRY_ASSIGN(const std::vector<std::string> wanted, modulesFor(options, held_out));
  const std::set<std::string> wanted_set(wanted.begin(), wanted.end());
  Part part;
  std::set<std::string> there;
  std::size_t failed = 0;
  double usual = 0, best = 0;
  const auto take = [&](std::string_view line, const std::string& where) -> Status {
    ORDO_TRY_ASSIGN(advice::FoundLine found, advice::parseFound(spec, line, where));
    if (!wanted_set.contains(found.module) || !there.insert(found.module).second) return {};
    failed += !found.failure.empty();
    if (found.found.examples.empty()) return {};
    usual += found.found.usual;
    best += found.found.best;
    part.modules.push_back(found.module);
    std::ranges::move(found.found.examples, std::back_inserter(part.examples));
    return {};
  };
  std::ifstream before(file);
  std::size_t number = 0;
  for (std::string line; std::getline(before, line);) {
    // Who was killed in the middle of a line left half of it.
    const Status taken = take(line, fmt::format("{}:{}", file.string(), ++number));
    if (!taken && !before.eof()) note(options, taken.error().message);
  }
  std::vector<std::string> missing;
  std::ranges::copy_if(wanted, std::back_inserter(missing),
                       [&](const auto& one) { return !there.contains(one); });
  std::ofstream out(file, std::ios::app);
  Status status;
  bool stopped = false;
  std::vector<std::string> words{"search", "--tries", fmt::format("{}", options.tries)};
  if (options.speed) words.emplace_back("--speed");
  ORDO_TRY(eachModule(words, missing, options.jobs, [&](std::string_view line) {
    out << line << '\n' << std::flush;
    status = take(line, "ordo-advise");
    stopped = !say(options, fmt::format("{}: {} of {} modules, {} examples", name, there.size(),
                                        wanted.size(), part.examples.size()));
    return status && !stopped;
  }));
  ORDO_TRY(status);
  if (stopped) return std::nullopt;
  note(options,
       fmt::format("{}: {} modules of {} ask something, {} failed; {} examples; all that pays is {:.2f} % "
                   "of {}",
                   name, part.modules.size(), wanted.size(), failed, part.examples.size(),
                   usual > 0 ? 100 * (usual - best) / usual : 0, unitOf(options)));
  if (part.examples.empty())
    return fail(ErrorCode::kInvalidArgument, "nothing is asked in any of the {} modules for {}",
                wanted.size(), held_out ? "validation" : "training");
  // The order of a team's work is nobody's.
  std::ranges::sort(part.modules);
  return part;
}

AdvisorInfo infoOf(const env::DecisionSpec& spec, std::span<const advice::Example> examples) {
  AdvisorInfo info;
  info.spec = spec;
  info.caution.assign(spec.answers.size(), 0);
  info.low = info.high = examples.front().features;
  for (const advice::Example& example : examples) {
    for (std::size_t i = 0; i < info.low.size(); ++i) {
      info.low[i] = std::min(info.low[i], example.features[i]);
      info.high[i] = std::max(info.high[i], example.features[i]);
    }
  }
  info.backend_version = "22.1";
  return info;
}

// For each usual answer, the caution that saves most on examples of other packages; kNever where none does.
Result<std::vector<float>> cautionFor(const AdvisorInfo& info, const std::vector<Tensor>& tensors,
                                      std::span<const advice::Example> held_out) {
  ORDO_TRY_ASSIGN(const AdvisorWeights weights, AdvisorWeights::create(info, tensors, "the network"));
  policy::Network::Scratch scratch;
  const std::vector<std::uint8_t> allowed(info.spec.answers.size(), 1);
  std::vector<float> caution;
  for (std::uint32_t usual = 0; usual < info.spec.answers.size(); ++usual) {
    std::vector<std::pair<float, float>> cases;  // promised, saved
    for (const advice::Example& example : held_out) {
      if (example.usual != usual) continue;
      const std::vector<float> promised = weights.savings({example.features, allowed, usual}, scratch);
      for (std::uint32_t answer = 0; answer < promised.size(); ++answer)
        if (answer != usual && !std::isnan(example.saved[answer]) && promised[answer] > 0)
          cases.emplace_back(promised[answer],
                             std::clamp(example.saved[answer], -advice::kMost * advice::kUnit,
                                        advice::kMost * advice::kUnit));
    }
    std::ranges::sort(cases, std::greater());
    float best = 0, sum = 0, chosen = kNever;
    for (std::size_t i = 0; i < cases.size(); ++i) {
      sum += cases[i].second;
      const float next = i + 1 < cases.size() ? cases[i + 1].first : 0;
      if (next >= cases[i].first || sum <= best) continue;
      best = sum;
      chosen = (cases[i].first + next) / 2;
    }
    caution.push_back(chosen);
  }
  return caution;
}

std::vector<Tensor> shifted(const std::vector<Tensor>& tensors, const std::vector<float>& noise, double by) {
  std::vector<Tensor> result = tensors;
  std::size_t next = 0;
  for (Tensor& tensor : result)
    for (float& value : tensor.values) value += static_cast<float>(by * noise[next++]);
  return result;
}

// One generation of evolution strategies with mirrored noise (Salimans et al., 2017,
// https://arxiv.org/abs/1703.03864), on a few modules. False if it was stopped.
Result<bool> evolve(const AdvisorTraining& options, const AdvisorInfo& info,
                    const std::vector<std::string>& modules, std::size_t generation,
                    std::vector<Tensor>& tensors) {
  Rng rng(options.seed + 1000 * generation);
  std::vector<std::string> some = modules;
  rng.shuffle(std::span(some));
  some.resize(std::min(some.size(), kModulesOfGeneration));
  std::size_t size = 0;
  for (const Tensor& tensor : tensors) size += tensor.values.size();
  std::vector<std::vector<float>> noises(kPairs, std::vector<float>(size));
  std::vector<std::string> candidates;
  for (std::vector<float>& noise : noises) {
    for (float& value : noise)  // normal, near enough: the sum of twelve uniform numbers
      for (int i = 0; i < 12; ++i) value += static_cast<float>(rng.uniform() - 0.5);
    for (const double by : {kSigma, -kSigma})
      candidates.push_back(policy::writeAdvisor(info, shifted(tensors, noise, by)));
  }
  std::vector<AdvisedTotals> totals;
  ORDO_TRY_ASSIGN(const bool measured, measureAdvisors(options, candidates, some, totals));
  if (!measured) return false;
  double spread = 0;
  for (std::size_t i = 0; i < kPairs; ++i)
    spread = std::max(spread, std::abs(totals[2 * i].log_ratio - totals[2 * i + 1].log_ratio));
  for (std::size_t i = 0; i < kPairs && spread > 0; ++i) {
    const double better = (totals[2 * i + 1].log_ratio - totals[2 * i].log_ratio) / spread;
    tensors = shifted(tensors, noises[i], kStep * kSigma * better);
  }
  return true;
}

}  // namespace

Result<TrainedAdvisor> trainInlining(const AdvisorTraining& options) {
  const env::DecisionSpec& spec = notation::inlineDecision();
  if (const std::error_code error = makePrivateFolders(options.run))
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}", options.run.string(), error.message());
  ORDO_TRY_ASSIGN(std::optional<Part> train, searched(options, spec, /*held_out=*/false));
  if (!train) return TrainedAdvisor{};
  ORDO_TRY_ASSIGN(std::optional<Part> held, searched(options, spec, /*held_out=*/true));
  if (!held) return TrainedAdvisor{};

  bool stopped = false;
  const advice::Imitation imitation = advice::imitate(
      spec, train->examples, held->examples, {.seed = options.seed}, [&](std::size_t epoch, double loss) {
        stopped = !say(options, fmt::format("imitating: epoch {}, loss {:.4f}", epoch, loss));
        return !stopped;
      });
  if (stopped) return TrainedAdvisor{};
  note(options, fmt::format("imitation: epoch {}, loss {:.4f}, held out {:.4f}", imitation.epochs,
                            imitation.loss, imitation.held_out_loss));
  AdvisorInfo info = infoOf(spec, train->examples);
  info.provenance = options.provenance;

  // Every so many generations, and before the first, as a whole on other packages: the best one stays.
  TrainedAdvisor best;
  best.held_out.log_ratio = 0;
  std::vector<Tensor> tensors = imitation.tensors;
  for (std::size_t generation = 0;; ++generation) {
    ORDO_TRY_ASSIGN(const std::vector<float> by_example, cautionFor(info, tensors, held->examples));
    std::vector<std::string> candidates;
    const auto factors = options.race ? std::array{0.0f, 0.25f, 1.0f} : std::array{1.0f, 2.0f, 4.0f};
    for (const float factor : factors) {
      info.caution = by_example;
      for (float& value : info.caution) value = std::min(value * factor, kNever);
      candidates.push_back(policy::writeAdvisor(info, tensors));
    }
    if (generation % 5 == 0 || generation == options.generations) {
      std::vector<AdvisedTotals> totals;
      ORDO_TRY_ASSIGN(const bool measured, measureAdvisors(options, candidates, held->modules, totals));
      if (!measured) return TrainedAdvisor{};
      for (std::size_t i = 0; i < totals.size(); ++i) {
        note(options,
             fmt::format("generation {}, caution {}: {} better, {} worse of {}; {:.3f} % of {}, {:.3f} % on "
                         "the mean",
                         generation, fmt::format("×{}", factors[i]), totals[i].smaller, totals[i].larger,
                         totals[i].modules,
                         100 * (totals[i].usual - totals[i].advised) / std::max(1.0, totals[i].usual),
                         unitOf(options), -100 * std::expm1(totals[i].log_ratio)));
        if (!best.weights.empty() && totals[i].log_ratio >= best.held_out.log_ratio) continue;
        best = {candidates[i], totals[i]};
      }
    }
    if (generation == options.generations) return best;
    info.caution = by_example;
    ORDO_TRY_ASSIGN(const bool evolved, evolve(options, info, train->modules, generation + 1, tensors));
    if (!evolved) return TrainedAdvisor{};
  }
}

}  // namespace ordo::campaigns
