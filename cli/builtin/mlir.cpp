// ordo mlir: kernels from elsewhere, and schedules that take no search.
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/kernel.h"
#include "cli/python.h"
#include "cli/terminal.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string model, out;
  std::vector<std::string> kernels;
  unsigned threads = 1;
};

int importModel(const Options& options) {
  const std::size_t colon = options.model.rfind(':');
  if (colon == std::string::npos || colon + 1 == options.model.size())
    return report(
        {ErrorCode::kInvalidArgument,
         fmt::format("{}: write MODEL.py:FUNCTION; it returns the model and its inputs", options.model)});
  const std::string out = options.out.empty() ? options.model.substr(colon + 1) + ".mlir" : options.out;
  const std::filesystem::path program = dataDir() / "peers" / "import_torch.py";
  return becomePythonProgram(program, {options.model, out});
}

}  // namespace

extern const CommandInfo mlir{
    .name = "mlir",
    .summary = "kernels of linalg from models of PyTorch, and schedules at once",
    .examples =
        "  ordo mlir import model.py:mlp -o mlp.mlir\n"
        "  ordo mlir schedule mlp.mlir -o out\n"
        "  ordo tune mlp.mlir --emit so -o out\n",
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.require_subcommand(1);
      CLI::App* import = app.add_subcommand("import", "write a model of PyTorch as a kernel, by torch-mlir");
      import->add_option("MODEL", options->model, "model.py:FUNCTION, which returns a model and its inputs")
          ->required();
      import->add_option("-o,--output", options->out, "where to write it [FUNCTION.mlir]");
      CLI::App* schedule = app.add_subcommand(
          "schedule",
          "write the policy's schedules of kernels: nothing is measured, but every element compared");
      schedule->add_option("KERNEL", options->kernels, "files, or kernels of the dataset mlir")->required();
      schedule->add_option("-o,--output", options->out, "the folder to write them into [here]");
      schedule->add_option("--threads", options->threads, "that loops are dealt out to, by OpenMP")
          ->check(CLI::Range(1, 256))
          ->capture_default_str();
      return [options, schedule](const std::vector<std::string>&) -> int {
        return schedule->parsed() ? scheduleKernels(options->kernels, options->out, options->threads)
                                  : importModel(*options);
      };
    }};

}  // namespace ordo::cli
