// The folder of a run:
//
//   measured.jsonl          a line for each kernel of each round: what was tried, and how long it took
//   round-N.safetensors     what was learned before round N
#include "campaigns/train_kernels.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <numeric>
#include <set>
#include <sstream>

#include "datasets/dataset.h"
#include "engine/kernel.h"
#include "engine/objective.h"
#include "mlir/learned/estimator.h"
#include "mlir/learned/fit.h"
#include "support/files.h"
#include "support/json.h"
#include "support/rng.h"

namespace ordo::campaigns {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kWindow = 8;  // sizes up to it, at the end, are windows and steps: they stay
constexpr std::array kNear = {0.25, 0.33, 0.5, 0.67, 0.75, 1.0, 1.0, 1.25, 1.5};
// How many times as long as the fair one something takes that could not be compiled in time: nobody should
// find it.
constexpr double kLate = 4;
constexpr const char* kKind = "schedule";

bool say(const KernelTraining& options, std::string_view text) {
  return !options.progress || options.progress(text);
}

// What was measured of one kernel in one round.
struct Measured {
  std::size_t round = 0;
  std::string kernel;
  bool held_out = false;
  std::vector<std::string> steps;
  std::vector<double> time_ns;
};

std::string lineOf(const Measured& measured) {
  Json tried = Json::array();
  for (std::size_t i = 0; i < measured.steps.size(); ++i)
    tried.push_back({{"steps", measured.steps[i]}, {"time_ns", measured.time_ns[i]}});
  return writeJson({{"round", measured.round},
                    {"kernel", measured.kernel},
                    {"held_out", measured.held_out},
                    {"tried", tried}});
}

Result<Measured> measuredOf(std::string_view line, const std::string& where) {
  ORDO_TRY_ASSIGN(const Json json, parseJson(line, where));
  ORDO_TRY_ASSIGN(const JsonObject object, JsonObject::of(json, where));
  Measured measured;
  ORDO_TRY_ASSIGN(const auto round, object.get<std::int64_t>("round"));
  measured.round = static_cast<std::size_t>(round);
  ORDO_TRY_ASSIGN(measured.kernel, object.get<std::string>("kernel"));
  ORDO_TRY_ASSIGN(measured.held_out, object.get<bool>("held_out"));
  ORDO_TRY_ASSIGN(const auto tried, object.objects("tried"));
  for (const JsonObject& one : tried) {
    ORDO_TRY_ASSIGN(std::string steps, one.get<std::string>("steps"));
    ORDO_TRY_ASSIGN(const double time_ns, one.get<double>("time_ns"));
    measured.steps.push_back(std::move(steps));
    measured.time_ns.push_back(time_ns);
  }
  return measured;
}

// A session in which action i is a whole schedule.
Result<std::unique_ptr<env::Session>> openOn(engine::Engine& engine, const std::string& kernel,
                                             const std::vector<std::string>& schedules,
                                             const std::string& settings) {
  ORDO_TRY_ASSIGN(const engine::Input input, engine::readKernel(engine, kernel));
  env::SessionSpec spec{input.program.uri, input.compiled.bytes, {}, settings};
  for (const std::string& steps : schedules) spec.actions.push_back({steps, kKind, steps});
  return engine.backend().open(std::move(spec));
}

std::vector<std::string> linesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

// Training samples of what was measured, without measuring it again.
Result<learned::Group> groupOf(engine::Engine& engine, const Measured& measured) {
  ORDO_TRY_ASSIGN(const auto session, openOn(engine, measured.kernel, measured.steps, ""));
  learned::Group group;
  for (env::ActionIndex i = 0; i < measured.steps.size(); ++i) {
    ORDO_TRY(session->reset());
    ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(std::array{i}));
    if (!outcome.ok()) continue;
    ORDO_TRY_ASSIGN(const env::Observation rows, session->observe("operations"));
    const std::span floats(reinterpret_cast<const float*>(rows.bytes.data()),
                           rows.bytes.size() / sizeof(float));
    group.push_back(learned::sampleOf(floats, measured.time_ns[i]));
  }
  return group;
}

class Training {
 public:
  Training(engine::Engine& engine, const KernelTraining& options) : engine_(engine), options_(options) {}

  Result<TrainedKernels> run() {
    if (const std::error_code error = makePrivateFolders(options_.run))
      return fail(ErrorCode::kUnavailable, "cannot make {}: {}", options_.run.string(), error.message());
    ORDO_TRY(readBefore());
    for (std::size_t round = 0; round < options_.rounds; ++round) {
      std::string weights;
      if (round > 0) {
        const fs::path file = options_.run / fmt::format("round-{}.safetensors", round);
        if (!fs::exists(file)) {
          ORDO_TRY_ASSIGN(const TrainedKernels trained, fit());
          if (trained.weights.empty()) return TrainedKernels{};
          ORDO_TRY(writeFile(file, trained.weights));
        }
        weights = file.string();
      }
      for (const bool held_out : {true, false}) {
        ORDO_TRY_ASSIGN(const bool done, measureRound(round, held_out, weights));
        if (!done) return TrainedKernels{};
      }
    }
    return fit();
  }

 private:
  Status readBefore() {
    const fs::path file = options_.run / "measured.jsonl";
    std::ifstream before(file);
    std::size_t number = 0;
    for (std::string line; std::getline(before, line);) {
      Result<Measured> measured = measuredOf(line, fmt::format("{}:{}", file.string(), ++number));
      // Who was killed in the middle of a line left half of it.
      if (!measured && !before.eof()) return fail(std::move(measured).error());
      if (measured) all_.push_back(*std::move(measured));
    }
    return {};
  }

  // False if it was stopped.
  Result<bool> measureRound(std::size_t round, bool held_out, const std::string& weights) {
    const std::size_t count = held_out ? options_.held_out_kernels : options_.kernels;
    ORDO_TRY_ASSIGN(const std::vector<std::string> kernels,
                    drawKernels(held_out, count, options_.most_work, options_.seed + 100 * round));
    std::set<std::string> there;
    for (const Measured& one : all_) {
      if (one.round == round && one.held_out == held_out) there.insert(one.kernel);
    }
    std::ofstream out(options_.run / "measured.jsonl", std::ios::app);
    for (const std::string& kernel : kernels) {
      if (there.contains(kernel)) continue;
      if (!say(options_, fmt::format("round {} of {}{}: {} of {} kernels, now {}", round + 1, options_.rounds,
                                     held_out ? ", held out" : "", there.size(), kernels.size(), kernel)))
        return false;
      Measured measured{round, kernel, held_out, {}, {}};
      if (const Status status = measure(weights, measured); !status && options_.note)
        options_.note(fmt::format("{} is left out: {}", kernel, status.error().message));
      there.insert(kernel);
      out << lineOf(measured) << '\n' << std::flush;
      all_.push_back(std::move(measured));
    }
    return true;
  }

  // What was measured stays, also if the error comes in the middle.
  Status measure(const std::string& weights, Measured& measured) {
    const std::string settings =
        writeJson({{"weights", weights}, {"seed", options_.seed + 1000 * measured.round}});
    ORDO_TRY_ASSIGN(const auto asked, openOn(engine_, measured.kernel, {}, settings));
    ORDO_TRY_ASSIGN(const std::string lines, engine::observedText(*asked, "exploration"));
    const std::vector<std::string> schedules = linesOf(lines);
    ORDO_TRY_ASSIGN(const auto session, openOn(engine_, measured.kernel, schedules, settings));
    for (env::ActionIndex i = 0; i < schedules.size(); ++i) {
      ORDO_TRY(session->reset());
      ORDO_TRY_ASSIGN(const env::StepOutcome outcome, session->apply(std::array{i}));
      if (!outcome.ok()) continue;
      ORDO_TRY_ASSIGN(const env::Measurement time, session->measure(engine::kKernelTime));
      const bool late = time.status == env::StepStatus::kTimedOut && !measured.time_ns.empty();
      if (!late && (!time.ok() || !(time.value > 0))) continue;
      measured.steps.push_back(schedules[i]);
      measured.time_ns.push_back(late ? kLate * measured.time_ns.front() : time.value);
    }
    return {};
  }

  Result<TrainedKernels> fit() {
    std::vector<learned::Group> groups, held_out;
    TrainedKernels trained;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (all_[i].steps.size() < 2) continue;
      if (!say(options_, fmt::format("reading what was measured: {} of {} kernels", i, all_.size())))
        return TrainedKernels{};
      auto known = groups_.find(i);
      if (known == groups_.end()) {
        ORDO_TRY_ASSIGN(learned::Group group, groupOf(engine_, all_[i]));
        known = groups_.emplace(i, std::move(group)).first;
      }
      if (known->second.size() < 2) continue;
      trained.schedules += known->second.size();
      (all_[i].held_out ? held_out : groups).push_back(known->second);
    }
    if (groups.empty()) return fail(ErrorCode::kUnavailable, "no schedule could be measured");
    bool stopped = false;
    const learned::Fit fit =
        learned::fit(groups, held_out, {.epochs = options_.epochs, .seed = options_.seed},
                     [&](std::size_t epoch, double loss) {
                       stopped = !say(options_, fmt::format("learning: epoch {}, loss {:.4f}", epoch, loss));
                       return !stopped;
                     });
    if (stopped) return TrainedKernels{};
    trained.kernels = groups.size();
    trained.held_out_kernels = held_out.size();
    trained.share = fit.share;
    trained.share_of_costs = fit.share_of_costs;
    trained.weights = learned::writeEstimator(fit.networks, options_.provenance);
    if (options_.note) {
      options_.note(
          fmt::format("{} schedules of {} kernels; of {} others {:.1f} % of the logarithm of what was "
                      "measured best, {:.1f} "
                      "% by the model of costs",
                      trained.schedules, trained.kernels, trained.held_out_kernels, 100 * fit.share,
                      100 * fit.share_of_costs));
    }
    return trained;
  }

  engine::Engine& engine_;
  const KernelTraining& options_;
  std::vector<Measured> all_;
  std::map<std::size_t, learned::Group> groups_;  // by place in all_
};

std::vector<std::int64_t> sizesIn(const std::string& shape) {
  std::vector<std::int64_t> sizes;
  std::istringstream in(shape);
  for (std::string size; std::getline(in, size, 'x');) {
    std::int64_t number = 0;
    std::from_chars(size.data(), size.data() + size.size(), number);
    sizes.push_back(number);
  }
  return sizes;
}

double workOf(const std::vector<std::int64_t>& sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), 1.0,
                         [](double work, std::int64_t size) { return work * static_cast<double>(size); });
}

}  // namespace

Result<std::vector<std::string>> drawKernels(bool held_out, std::size_t count, double most_work,
                                             std::uint64_t seed) {
  const datasets::Split part = held_out ? datasets::Split::kValidation : datasets::Split::kTrain;
  ORDO_TRY_ASSIGN(const std::vector<std::string> listed, datasets::listPrograms("mlir", {.split = part}));
  // What sizes are near: of the part for training there are many, of the other few.
  ORDO_TRY_ASSIGN(const std::vector<std::string> patterns,
                  datasets::listPrograms("mlir", {.split = datasets::Split::kTrain}));
  Rng rng(seed);
  std::vector<std::string> kernels;
  std::set<std::string> known;
  for (std::size_t tries = 0; kernels.size() < count && tries < 100 * count; ++tries) {
    const bool as_listed = rng.chance(0.4);
    std::string uri = as_listed ? listed[rng.below(listed.size())] : patterns[rng.below(patterns.size())];
    const std::size_t slash = uri.rfind('/');
    std::vector<std::int64_t> sizes = sizesIn(uri.substr(slash + 1));
    if (!as_listed) {
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        const bool window = sizes[i] <= kWindow && i + 2 >= sizes.size() && sizes.size() > 3;
        if (!window)
          sizes[i] = std::max<std::int64_t>(
              1, std::llround(static_cast<double>(sizes[i]) * kNear[rng.below(kNear.size())]));
      }
      uri = fmt::format("{}{}", uri.substr(0, slash + 1), fmt::join(sizes, "x"));
    }
    if (workOf(sizes) > most_work || known.contains(uri)) continue;
    const Result<datasets::Program> program = datasets::loadProgram(uri);
    if (!program || program->split != part) continue;
    known.insert(uri);
    kernels.push_back(std::move(uri));
  }
  return kernels;
}

Result<TrainedKernels> trainKernels(engine::Engine& engine, const KernelTraining& options) {
  return Training(engine, options).run();
}

}  // namespace ordo::campaigns
