#include "cli/train_advisor.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <memory>
#include <thread>

#include "campaigns/train_advisor.h"
#include "cli/exit_code.h"
#include "cli/terminal.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string name;
  campaigns::AdvisorTraining training;
  std::string run;
  std::string out;
};

int trainAdvisor(Options& options) {
  campaigns::AdvisorTraining& training = options.training;
  training.run =
      options.run.empty() ? cacheDir() / "advisors" / options.name : std::filesystem::path(options.run);
  training.provenance = fmt::format("ordo train advisor {} --tries {} --generations {} --seed {}",
                                    options.name, training.tries, training.generations, training.seed);
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
  const Result<campaigns::TrainedAdvisor> trained = campaigns::trainInlining(training);
  progress.clear();
  if (!trained) return report(trained.error());
  if (trained->weights.empty()) {
    note(fmt::format("interrupted; the same command goes on from {}", training.run.string()));
    return kInterrupted;
  }
  const std::string out = options.out.empty() ? options.name + ".safetensors" : options.out;
  if (const Status written = writeFile(out, trained->weights); !written) return report(written.error());
  const campaigns::AdvisedTotals& held = trained->held_out;
  fmt::print("{}: {} of {} modules of other packages smaller, {} larger; {:.3f} % of code less on the mean\n",
             out, held.smaller, held.modules, held.larger, -100 * std::expm1(held.log_ratio));
  return kOk;
}

}  // namespace

std::function<int()> addTrainAdvisor(CLI::App& train) {
  const auto options = std::make_shared<Options>();
  campaigns::AdvisorTraining& training = options->training;
  training.jobs = std::max(1u, std::thread::hardware_concurrency());
  CLI::App* const advisor = train.add_subcommand(
      "advisor", "an advisor of clang's inliner, from which single decisions pay (docs/advisors.md)");
  advisor->add_option("NAME", options->name, "inline-size")
      ->required()
      ->check(CLI::IsMember({"inline-size"}));
  advisor->add_option("--on", training.programs,
                      "bitcode or folders of it, in place of debian's part for training");
  advisor->add_option("--held-out", training.held_out, "the same, in place of its part for validation");
  advisor->add_option("--modules", training.modules, "of debian to train on")->capture_default_str();
  advisor->add_option("--held-out-modules", training.held_out_modules, "of debian to choose by")
      ->capture_default_str();
  advisor->add_option("--tries", training.tries, "compiles of each module")->capture_default_str();
  advisor->add_option("--generations", training.generations, "of evolution strategies")
      ->capture_default_str();
  advisor->add_flag("--race", training.race, "for who compiles both and takes the smaller");
  advisor->add_option("--jobs", training.jobs, "processes")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  advisor->add_option("--seed", training.seed, "of all random choices")->capture_default_str();
  advisor->add_option("--run", options->run, "folder to go on from, or to begin in");
  advisor->add_option("-o,--output", options->out, "the weights; NAME.safetensors");
  return [options, advisor] { return advisor->parsed() ? trainAdvisor(*options) : -1; };
}

}  // namespace ordo::cli
