#include "cli/train_advisor.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <thread>

#include "campaigns/train_advisor.h"
#include "campaigns/train_eviction.h"
#include "campaigns/train_vectorizing.h"
#include "cli/terminal.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct AdvisorOptions {
  std::string name;
  campaigns::AdvisorTraining training;
  std::size_t loops = campaigns::VectorizingTraining{}.loops;
  std::string run;
  std::string out;
};

std::filesystem::path folderOf(const AdvisorOptions& options) {
  return options.run.empty() ? cacheDir() / "advisors" / options.name : std::filesystem::path(options.run);
}

int written(const AdvisorOptions& options, const std::string& weights, std::string_view worth) {
  if (weights.empty()) {
    note(fmt::format("interrupted; the same command goes on from {}", folderOf(options).string()));
    return kInterrupted;
  }
  const std::string out = options.out.empty() ? options.name + ".safetensors" : options.out;
  if (const Status done = writeFile(out, weights); !done) return report(done.error());
  fmt::print("{}: {}\n", out, worth);
  return kOk;
}

int trainVectorize(const AdvisorOptions& options) {
  campaigns::VectorizingTraining training;
  training.loops = options.loops;
  training.seed = options.training.seed;
  training.run = folderOf(options);
  training.provenance =
      fmt::format("ordo train advisor {} --loops {} --seed {}", options.name, training.loops, training.seed);
  interrupted();
  ProgressLine progress(true);
  training.progress = [&](std::string_view text) {
    progress.show(text);
    return !interrupted();
  };
  training.note = [&](std::string_view text) { progress.print(text); };
  const Result<campaigns::TrainedVectorizing> trained = campaigns::trainVectorizing(training);
  progress.clear();
  if (!trained) return report(trained.error());
  const campaigns::VectorizingTotals& held = trained->held_out;
  return written(
      options, trained->weights,
      fmt::format("{} of {} cases of other shapes advised, {} slower than {}; {:.3f} times as fast on the "
                  "mean, and {:.3f} if the best were always known",
                  held.advised, held.cases, held.slower, campaigns::kFloor, std::exp(held.log_speedup),
                  std::exp(held.best_log_speedup)));
}

int trainAdvisor(AdvisorOptions& options) {
  campaigns::AdvisorTraining& training = options.training;
  training.run = folderOf(options);
  const bool evicts = options.name == "evict";
  training.speed = options.name == "inline-speed";
  if (training.speed && training.race)
    return report(Error{ErrorCode::kInvalidArgument, "--race is for inline-size: nobody races for speed"});
  training.provenance = fmt::format("ordo train advisor {}{} --generations {} --seed {}", options.name,
                                    evicts ? "" : fmt::format(" --tries {}", training.tries),
                                    training.generations, training.seed);
  if (training.race) training.provenance += " --race";
  if (training.programs.empty())
    training.provenance += fmt::format(" --modules {} --held-out-modules {}; debian, train and validation",
                                       training.modules, training.held_out_modules);
  interrupted();
  ProgressLine progress(true);
  training.progress = [&](std::string_view text) {
    progress.show(text);
    return !interrupted();
  };
  training.note = [&](std::string_view text) { progress.print(text); };
  const Result<campaigns::TrainedAdvisor> trained =
      evicts ? campaigns::trainEviction(training) : campaigns::trainInlining(training);
  progress.clear();
  if (!trained) return report(trained.error());
  const campaigns::AdvisedTotals& held = trained->held_out;
  return written(options, trained->weights,
                 fmt::format("{} of {} modules of other packages {}, {} {}; {:.3f} % of {} less on the mean",
                             held.smaller, held.modules, training.speed ? "quicker" : "smaller", held.larger,
                             training.speed ? "slower" : "larger", -100 * std::expm1(held.log_ratio),
                             training.speed ? "estimated time" : "code"));
}

}  // namespace

std::function<int()> addTrainAdvisor(CLI::App& train) {
  const auto options = std::make_shared<AdvisorOptions>();
  campaigns::AdvisorTraining& training = options->training;
  training.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* const advisor = train.add_subcommand(
      "advisor", "an advisor of clang's inliner, register allocator or vectorizer (docs/advisors.md)");
  advisor->add_option("NAME", options->name, "inline-size, inline-speed, evict, or vectorize")
      ->required()
      ->check(CLI::IsMember({"inline-size", "inline-speed", "evict", "vectorize"}));
  advisor->add_option("--loops", options->loops, "of vectorize: generated loops to time")
      ->capture_default_str();
  advisor->add_option("--on", training.programs,
                      "bitcode or folders of it, in place of debian's part for training");
  advisor->add_option("--held-out", training.held_out, "the same, in place of its part for validation");
  advisor->add_option("--modules", training.modules, "of debian to train on")->capture_default_str();
  advisor->add_option("--held-out-modules", training.held_out_modules, "of debian to choose by")
      ->capture_default_str();
  advisor->add_option("--tries", training.tries, "of inlining: compiles of each module")
      ->capture_default_str();
  advisor->add_option("--generations", training.generations, "of evolution strategies")
      ->capture_default_str();
  advisor->add_flag("--race", training.race, "for who compiles both and takes the smaller");
  advisor->add_option("--jobs", training.jobs, "processes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  advisor->add_option("--seed", training.seed, "of all random choices")->capture_default_str();
  advisor->add_option("--run", options->run, "folder to go on from, or to begin in");
  advisor->add_option("-o,--output", options->out, "the weights; NAME.safetensors");
  return [options, advisor] {
    if (!advisor->parsed()) return -1;
    return options->name == "vectorize" ? trainVectorize(*options) : trainAdvisor(*options);
  };
}

}  // namespace ordo::cli
