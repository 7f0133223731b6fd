#include "campaigns/train_vectorizing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <map>
#include <optional>

#include "advice/imitate.h"
#include "advice/timed_loops.h"
#include "campaigns/advice_lines.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "support/files.h"
#include "support/hash.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;
using advice::Example;
using advice::TimedLoop;
using policy::AdvisorInfo;
using policy::AdvisorWeights;

constexpr float kUnit = 0.2f;  // of a logarithm of a speedup
// How much slower an answer is does not matter; how much faster, does.
constexpr float kLeast = -1, kMost = 6;
constexpr std::array kCautions{0.0f,  0.125f, 0.25f, 0.375f, 0.5f, 0.625f,
                               0.75f, 1.0f,   1.25f, 1.5f,   2.0f, 3.0f};
constexpr float kLongest = 1 << 20;  // iterations
constexpr std::uint64_t kParts = 3;  // one of so many shapes is held out
constexpr std::size_t kRare = 16;    // one loop of so many has it, or nobody is advised about it
constexpr double kLossWeight = 3;    // what a slower loop counts beside a faster one
constexpr std::array<std::uint64_t, 4> kSeeds{0, 1000, 2000, 3000};

struct Target {
  std::string name, flag;
  bool is_there;
};

std::vector<Target> targets() {
  std::vector<Target> all{{"sse2", "", true}};
#if defined(__x86_64__)
  all.push_back({"avx2", "-mavx2", static_cast<bool>(__builtin_cpu_supports("avx2"))});
  all.push_back({"avx512", "-march=x86-64-v4", static_cast<bool>(__builtin_cpu_supports("avx512vl"))});
#endif
  return all;
}

// Loops of all kinds, and plain ones (advice/loop_source.h), in turn.
std::string nameOf(std::size_t number) { return fmt::format("{}/{}", 1 + number % 2, number / 2); }
bool isPlain(const TimedLoop& loop) { return loop.name.starts_with("2/"); }

using Known = std::map<std::pair<std::string, std::string>, TimedLoop>;  // by name and target

Result<Known> readTimes(const VectorizingTraining& options, const fs::path& file) {
  Known known;
  std::ifstream before(file);
  std::size_t number = 0;
  for (std::string line; std::getline(before, line);) {
    const std::string where = fmt::format("{}:{}", file.string(), ++number);
    Result<TimedLoop> loop = advice::parseTimed(notation::vectorFactorsDecision(), line, where);
    if (!loop) {
      // Who was killed in the middle of a line left half of it.
      if (!before.eof()) return fail(loop.error());
      if (options.note) options.note(loop.error().message);
      continue;
    }
    known.insert_or_assign({loop->name, loop->target}, *std::move(loop));
  }
  return known;
}

// Times what was not timed before, one loop at a time: what runs beside it would be measured, too. False if
// it was stopped.
Result<bool> timeMissing(const VectorizingTraining& options, const fs::path& file, Known& known) {
  std::ofstream out(file, std::ios::app);
  for (const Target& target : targets()) {
    if (!target.is_there) {
      if (options.note) options.note(fmt::format("this machine has no {}", target.name));
      continue;
    }
    std::vector<std::string> missing, words{"loops", "--target", target.name};
    for (std::size_t number = 0; number < options.loops; ++number) {
      std::string name = nameOf(number);
      if (!known.contains({name, target.name})) missing.push_back(std::move(name));
    }
    if (missing.empty()) continue;
    if (!target.flag.empty()) words.push_back("--flag=" + target.flag);
    words.push_back("--");
    Status status;
    bool stopped = false;
    std::size_t done = 0;
    const auto take = [&](std::string_view line) -> Status {
      ORDO_TRY_ASSIGN(TimedLoop loop,
                      advice::parseTimed(notation::vectorFactorsDecision(), line, "ordo-advise"));
      loop.target = target.name;
      out << advice::writeTimed(loop) << std::flush;
      known.insert_or_assign({loop.name, loop.target}, std::move(loop));
      return {};
    };
    ORDO_TRY(eachModule(words, missing, /*jobs=*/1, [&](std::string_view line) {
      status = take(line);
      stopped = options.progress && !options.progress(fmt::format("{}: {} of {} loops timed", target.name,
                                                                  ++done, missing.size()));
      return status && !stopped;
    }));
    ORDO_TRY(status);
    if (stopped) return false;
  }
  return true;
}

// One for each loop: where nobody knows how often it runs, of the mean of what was tried and the worst.
Example exampleOf(const std::vector<Example>& cases) {
  Example one = cases.front();
  for (std::uint32_t answer = 0; answer < one.saved.size(); ++answer) {
    float sum = 0, least = one.saved[answer];
    for (const Example& each : cases) {
      sum += each.saved[answer];
      least = std::min(least, each.saved[answer]);
    }
    one.saved[answer] = (sum / static_cast<float>(cases.size()) + least) / 2;
  }
  return one;
}

struct LoopSet {
  std::vector<Example> examples;  // one for each loop
  std::vector<std::vector<Example>> cases;
};

// What following the network comes to.
VectorizingTotals totalsOf(const AdvisorWeights& weights, const LoopSet& part) {
  VectorizingTotals totals;
  policy::Network::Scratch scratch;
  for (std::size_t i = 0; i < part.cases.size(); ++i) {
    std::vector<std::uint8_t> allowed;
    for (const float saved : part.examples[i].saved) allowed.push_back(!std::isnan(saved));
    const std::uint32_t answer = weights.answer({part.examples[i].features, allowed, 0}, scratch);
    float best = 0;
    for (const float saved : part.examples[i].saved)
      if (!std::isnan(saved)) best = std::max(best, saved);
    double mean = 0;
    for (const Example& each : part.cases[i]) {
      ++totals.cases;
      totals.advised += answer != 0;
      totals.slower += each.saved[answer] < std::log(kFloor);
      totals.worst = std::min(totals.worst, std::exp(static_cast<double>(each.saved[answer])));
      mean += each.saved[answer];
    }
    totals.log_speedup += mean / static_cast<double>(part.cases[i].size());
    totals.best_log_speedup += best;
  }
  const auto loops = std::max<double>(1, static_cast<double>(part.cases.size()));
  totals.log_speedup /= loops;
  totals.best_log_speedup /= loops;
  return totals;
}

// What is wanted of the totals: speed, and few loops that lose. `loss` is the mean below the floor.
double worthOf(const AdvisorWeights& weights, const LoopSet& part) {
  policy::Network::Scratch scratch;
  double worth = 0;
  for (std::size_t i = 0; i < part.cases.size(); ++i) {
    std::vector<std::uint8_t> allowed;
    for (const float saved : part.examples[i].saved) allowed.push_back(!std::isnan(saved));
    const std::uint32_t answer = weights.answer({part.examples[i].features, allowed, 0}, scratch);
    for (const Example& each : part.cases[i]) {
      const double saved = std::clamp(each.saved[answer], -1.0f, 1.0f);
      worth += (saved < 0 ? kLossWeight * saved : saved) / static_cast<double>(part.cases[i].size());
    }
  }
  return worth;
}

AdvisorInfo infoOf(std::span<const Example> examples) {
  AdvisorInfo info;
  info.spec = notation::vectorFactorsDecision();
  info.caution.assign(info.spec.answers.size(), 0);
  info.low = info.high = examples.front().features;
  for (const Example& example : examples) {
    for (std::size_t i = 0; i < info.low.size(); ++i) {
      info.low[i] = std::min(info.low[i], example.features[i]);
      info.high[i] = std::max(info.high[i], example.features[i]);
    }
  }
  // What hardly any loop has is not known of the few that have it.
  for (std::size_t i = 0; i < info.low.size(); ++i) {
    const auto has = [&](const Example& example) { return example.features[i] > 0; };
    const auto count = std::ranges::count_if(examples, has);
    if (info.low[i] == 0 && count > 0 && count < static_cast<std::ptrdiff_t>(examples.size() / kRare))
      info.high[i] = 0;
  }
  // What is measured, not counted, is alike beyond what was seen; longer loops are like the longest.
  for (std::size_t i = 0; i < info.low.size(); ++i) {
    const std::string& name = info.spec.features[i];
    if (name.starts_with("estimate_")) {
      info.low[i] /= 2;
      info.high[i] *= 2;
    } else if (name.ends_with("trips")) {
      info.high[i] = std::max(info.high[i], kLongest);
    }
  }
  info.backend_version = "22.1";
  return info;
}

// Leaves to LLVM what the network was not right about on loops of other shapes: one feature after the other,
// loops that have it at all or, of the registers, wider ones, wherever that makes up for what it costs.
Result<AdvisorInfo> trimmed(AdvisorInfo info, const std::vector<policy::Tensor>& tensors,
                            const LoopSet& held) {
  const auto worthWith = [&](const AdvisorInfo& one) -> Result<double> {
    ORDO_TRY_ASSIGN(const AdvisorWeights weights, AdvisorWeights::create(one, tensors, "the network"));
    return worthOf(weights, held);
  };
  ORDO_TRY_ASSIGN(double worth, worthWith(info));
  for (;;) {
    std::optional<AdvisorInfo> better;
    for (std::size_t i = 0; i < info.high.size(); ++i) {
      const std::string& name = info.spec.features[i];
      AdvisorInfo tried = info;
      tried.high[i] = name == "register_bits" ? info.low[i] : 0;
      if (tried.high[i] < info.low[i] || tried.high[i] == info.high[i] || name.ends_with("trips")) continue;
      ORDO_TRY_ASSIGN(const double found, worthWith(tried));
      if (found <= worth) continue;
      worth = found;
      better = std::move(tried);
    }
    if (!better) return info;
    info = *std::move(better);
  }
}

}  // namespace

Result<TrainedVectorizing> trainVectorizing(const VectorizingTraining& options) {
  if (const std::error_code error = makePrivateFolders(options.run))
    return fail(ErrorCode::kUnavailable, "cannot make {}: {}", options.run.string(), error.message());
  const fs::path file = options.run / "times.jsonl";
  ORDO_TRY_ASSIGN(Known known, readTimes(options, file));
  ORDO_TRY_ASSIGN(const bool timed, timeMissing(options, file, known));
  if (!timed) return TrainedVectorizing{};

  LoopSet train, held;
  for (const auto& [name, loop] : known) {
    std::vector<Example> cases = advice::examplesOf(loop);
    if (cases.empty()) continue;
    ORDO_TRY_ASSIGN(const advice::LoopSource source, advice::loopNamed(loop.name));
    // Plain ones are what programs are like, by which it is judged.
    LoopSet& part = isPlain(loop) && hashBytes(source.shape).low % kParts == 0 ? held : train;
    part.examples.push_back(exampleOf(cases));
    part.cases.push_back(std::move(cases));
  }
  if (options.note)
    options.note(
        fmt::format("{} loops to learn from, {} of other shapes held out, {} without a loop to ask about",
                    train.examples.size(), held.examples.size(),
                    known.size() - train.examples.size() - held.examples.size()));
  if (train.examples.empty() || held.examples.empty())
    return fail(ErrorCode::kInvalidArgument, "too few loops to learn from: {} and {} held out",
                train.examples.size(), held.examples.size());

  TrainedVectorizing best;
  AdvisorInfo chosen;
  std::vector<policy::Tensor> tensors;
  double most = 0;
  for (const std::uint64_t seed : kSeeds) {
    bool stopped = false;
    const advice::Imitation imitation = advice::imitate(
        notation::vectorFactorsDecision(), train.examples, held.examples,
        {.hidden = 96,
         .blocks = 2,
         .most_epochs = options.most_epochs,
         .patience = 15,
         .rate = 5e-4,
         .seed = options.seed + seed,
         .unit = kUnit,
         .least = kLeast,
         .most = kMost},
        [&](std::size_t epoch, double loss) {
          stopped = options.progress &&
                    !options.progress(fmt::format("learning: epoch {}, loss {:.4f}", epoch, loss));
          return !stopped;
        });
    if (stopped) return TrainedVectorizing{};
    AdvisorInfo info = infoOf(train.examples);
    info.provenance = options.provenance;
    for (const float caution : kCautions) {
      info.caution.assign(info.caution.size(), caution);
      ORDO_TRY_ASSIGN(const AdvisorWeights weights,
                      AdvisorWeights::create(info, imitation.tensors, "the network"));
      const VectorizingTotals totals = totalsOf(weights, held);
      const double worth = worthOf(weights, held);
      if (options.note)
        options.note(fmt::format(
            "seed {}, epoch {}, loss {:.3f}, held out {:.3f}, caution {}: {:.3f} of {:.3f}, {} of {} "
            "cases advised, {} slower, worst {:.3f}",
            options.seed + seed, imitation.epochs, imitation.loss, imitation.held_out_loss, caution,
            totals.log_speedup, totals.best_log_speedup, totals.advised, totals.cases, totals.slower,
            totals.worst));
      if (!best.weights.empty() && worth <= most) continue;
      most = worth;
      best = {policy::writeAdvisor(info, imitation.tensors), totals};
      chosen = info;
      tensors = imitation.tensors;
    }
  }
  ORDO_TRY_ASSIGN(const AdvisorInfo safe, trimmed(chosen, tensors, held));
  ORDO_TRY_ASSIGN(const AdvisorWeights weights, AdvisorWeights::create(safe, tensors, "the network"));
  for (std::size_t i = 0; i < safe.high.size(); ++i)
    if (options.note && safe.high[i] != chosen.high[i])
      options.note(fmt::format("left to LLVM: {} above {}", safe.spec.features[i], safe.high[i]));
  return TrainedVectorizing{policy::writeAdvisor(safe, tensors), totalsOf(weights, held)};
}

}  // namespace ordo::campaigns
