#include "cli/train_kernels.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "campaigns/train_kernels.h"
#include "cli/terminal.h"
#include "engine/kernel.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

// What takes longer to compile, compare and time is none that a search should find.
constexpr double kStepSeconds = 5;

struct KernelOptions {
  campaigns::KernelTraining training;
  std::string run;
  std::string out = "kernels.safetensors";
};

int trainKernels(KernelOptions& options) {
  campaigns::KernelTraining& training = options.training;
  training.run = options.run.empty() ? cacheDir() / "kernels" : std::filesystem::path(options.run);
  training.provenance = fmt::format(
      "ordo train kernels --rounds {} --kernels {} --held-out-kernels {} --epochs {} --seed {}",
      training.rounds, training.kernels, training.held_out_kernels, training.epochs, training.seed);
  const Result<std::unique_ptr<engine::Engine>> engine =
      engine::startForKernels(/*remember_crashes=*/false, kStepSeconds);
  if (!engine) return report(engine.error());
  interrupted();
  ProgressLine progress(true);
  training.progress = [&](std::string_view text) {
    progress.show(text);
    return !interrupted();
  };
  training.note = [&](std::string_view text) { progress.print(text); };
  const Result<campaigns::TrainedKernels> trained = campaigns::trainKernels(**engine, training);
  progress.clear();
  if (!trained) return report(trained.error());
  if (trained->weights.empty()) {
    note(fmt::format("interrupted; the same command goes on from {}", training.run.string()));
    return kInterrupted;
  }
  if (const Status written = writeFile(options.out, trained->weights); !written)
    return report(written.error());
  fmt::print(
      "{}: {} schedules of {} kernels; of {} others {:.1f} % of the logarithm of what was measured "
      "best, {:.1f} % by the model of costs\n",
      options.out, trained->schedules, trained->kernels, trained->held_out_kernels, 100 * trained->share,
      100 * trained->share_of_costs);
  return kOk;
}

}  // namespace

std::function<int()> addTrainKernels(CLI::App& train) {
  const auto options = std::make_shared<KernelOptions>();
  campaigns::KernelTraining& training = options->training;
  CLI::App* const kernels = train.add_subcommand(
      "kernels", "the policy of kernels of MLIR, from schedules that are measured here (docs/mlir.md)");
  kernels->add_option("--rounds", training.rounds, "of measuring, each by what was learned before")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  kernels->add_option("--kernels", training.kernels, "to measure in each round; 0: learn from what is there")
      ->capture_default_str();
  kernels->add_option("--held-out-kernels", training.held_out_kernels, "to choose by in each round")
      ->capture_default_str();
  kernels->add_option("--epochs", training.epochs, "how often all that was measured is learned from")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  kernels->add_option("--most-work", training.most_work, "the product of a kernel's sizes, at most")
      ->capture_default_str();
  kernels->add_option("--seed", training.seed, "of all random choices")->capture_default_str();
  kernels->add_option("--run", options->run, "folder to go on from, or to begin in");
  kernels->add_option("-o,--output", options->out, "the weights")->capture_default_str();
  return [options, kernels] { return kernels->parsed() ? trainKernels(*options) : -1; };
}

}  // namespace ordo::cli
