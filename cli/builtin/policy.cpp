// ordo policy: files of weights from what other programs trained, which is Python's work.
#include "cli/command.h"
#include "cli/python.h"

namespace ordo::cli {

extern const CommandInfo policy{
    .name = "policy",
    .summary = "make weights that 'ordo tune' loads of a checkpoint of RLlib",
    .examples =
        "  ordo train policy data/experience/debian.jsonl --engine rllib --checkpoint run\n"
        "  ordo policy export run -o policy.safetensors\n"
        "  ordo tune main.c --policy policy.safetensors\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      CLI::App* write =
          app.add_subcommand("export", "write the weights of a checkpoint (docs/formats/weights.md)");
      write->prefix_command();  // Python reads its own options, and has help of its own
      write->set_help_flag();
      app.require_subcommand(1);
      return [write](const std::vector<std::string>&) {
        return becomePython("ordo.rllib.export", write->remaining());
      };
    }};

}  // namespace ordo::cli
