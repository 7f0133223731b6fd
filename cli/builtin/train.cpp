// ordo train: learns what other commands use: the vocabulary of the ir2vec observations, policies, and
// language models. Those two are the work of programs of their own, ordo-train and Python, because libtorch
// is a gigabyte that nobody else needs. `--engine rllib` has Python train a policy, by RLlib on Ray.
#include <unistd.h>

#include <array>
#include <memory>

#include "campaigns/vocabulary.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/python.h"
#include "cli/terminal.h"
#include "cli/train_advisor.h"
#include "cli/train_kernels.h"
#include "support/child.h"
#include "support/clock.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  campaigns::VocabularyOptions training;
  std::string out = "vocabulary.json";
  bool json = false;
};

Json asJson(const embedding::Ranking& ranking) {
  return {
      {"questions", ranking.questions}, {"mean_rank", ranking.mean_rank}, {"hits_at_10", ranking.hits_at_10}};
}

void print(const Options& options, const campaigns::Vocabulary& result, double seconds) {
  if (options.json) {
    const Json all = {{"output", options.out},
                      {"modules", result.modules},
                      {"left_out", result.left_out},
                      {"triplets", result.triplets},
                      {"distinct_triplets", result.distinct},
                      {"entities_seen", result.entities_seen},
                      {"dim", options.training.transe.dim},
                      {"epochs", options.training.transe.epochs},
                      {"seed", options.training.seed},
                      {"loss", result.loss},
                      {"untrained", asJson(result.untrained)},
                      {"trained", asJson(result.trained)},
                      {"seconds", seconds}};
    fmt::print("{}\n", writeJson(all, 2));
    return;
  }
  fmt::print("{} modules, {} left out; {} triplets, {} of them distinct, about {} entities\n", result.modules,
             result.left_out, grouped(static_cast<double>(result.triplets)),
             grouped(static_cast<double>(result.distinct)), result.entities_seen);
  if (result.trained.questions > 0) {
    fmt::print("held out: mean rank {:.1f} (untrained {:.1f}), right in the first ten {:.1f} % ({:.1f} %)\n",
               result.trained.mean_rank, result.untrained.mean_rank, 100 * result.trained.hits_at_10,
               100 * result.untrained.hits_at_10);
  }
  fmt::print("{}: {} dimensions, {} epochs, {:.1f} s\n", options.out, options.training.transe.dim,
             options.training.transe.epochs, seconds);
}

int trainIr2Vec(Options& options) {
  const SteadyClock clock;
  const double start = clock.seconds();
  ProgressLine progress(true);
  options.training.progress = [&](std::string_view text) {
    progress.show(text);
    return !interrupted();
  };
  options.training.note = [&](std::string_view text) { progress.print(text); };
  const Result<campaigns::Vocabulary> result = campaigns::trainVocabulary(options.training);
  progress.clear();
  if (!result) return report(result.error());
  if (result->json.empty()) {
    note("interrupted; nothing was written");
    return kInterrupted;
  }
  if (const Status written = writeOutput(options.out, result->json); !written) {
    return report(written.error());
  }
  if (options.out != "-") print(options, *result, clock.seconds() - start);
  return kOk;
}

// Becomes ordo-train, which lies beside this program. Returns only if it cannot.
int becomeTrainer(std::vector<std::string> arguments) {
  const std::string program = (installPrefix() / "bin" / "ordo-train").string();
  arguments.insert(arguments.begin(), program);
  execv(program.c_str(), pointers(arguments).data());
  return report({ErrorCode::kUnavailable,
                 fmt::format("there is no {}: it is built where libtorch is (./ordo train policy does that)",
                             program)});
}

// Takes `--engine NAME`, or `--engine=NAME`, out of a policy's options: "ordo", unless it is there.
std::string takeEngine(std::vector<std::string>& arguments) {
  constexpr std::string_view kOption = "--engine";
  std::string engine = "ordo";
  for (auto at = arguments.begin(); at != arguments.end();) {
    if (*at == kOption && at + 1 != arguments.end()) {
      engine = *(at + 1);
      at = arguments.erase(at, at + 2);
    } else if (at->starts_with("--engine=")) {
      engine = at->substr(kOption.size() + 1);
      at = arguments.erase(at);
    } else {
      ++at;
    }
  }
  return engine;
}

int trainPolicy(std::vector<std::string> arguments) {
  const std::string engine = takeEngine(arguments);
  if (engine == "rllib") return becomePython("ordo.rllib.train", arguments);
  if (engine == "ordo") return becomeTrainer(std::move(arguments));
  return report({ErrorCode::kInvalidArgument, fmt::format("--engine is ordo or rllib, not '{}'", engine)});
}

}  // namespace

extern const CommandInfo train{
    .name = "train",
    .summary =
        "learn a policy, of kernels too, an advisor, a language model that tunes, or the vocabulary of "
        "ir2vec",
    .examples =
        "  ordo train ir2vec suite ~/bitcode -o vocabulary.json\n"
        "  ordo train policy data/experience/debian.jsonl -o policy.safetensors\n"
        "  ordo train policy data/experience/debian.jsonl --engine rllib --algorithm appo --address auto\n"
        "  ordo train advisor inline-size -o inline-size.safetensors\n"
        "  ordo train kernels -o kernels.safetensors\n"
        "  ordo train agent all --run runs/1 --lines demonstrations.jsonl\n"
        "  ordo train ir2vec a.bc b.ll --dim 64 --epochs 200 --seed 7 --json\n",
    .takes_flags = false,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      embedding::TranseOptions& transe = options->training.transe;
      CLI::App* ir2vec = app.add_subcommand(
          "ir2vec", "a vocabulary in LLVM's format, by TransE on triplets from llvm-ir2vec-22");
      app.require_subcommand(1);
      ir2vec
          ->add_option("PROGRAM", options->training.inputs,
                       "modules, programs, or folders with .bc and .ll files and programs")
          ->required();
      ir2vec->add_option("-o,--output", options->out, "where to write it; - for standard output")
          ->capture_default_str();
      ir2vec->add_option("--dim", transe.dim, "numbers per entity")
          ->check(CLI::Range(1, 4096))
          ->capture_default_str();
      ir2vec->add_option("--epochs", transe.epochs, "how often every triplet is learned from")
          ->capture_default_str();
      ir2vec->add_option("--margin", transe.margin, "of distance between true and made up")
          ->check(CLI::PositiveNumber)
          ->capture_default_str();
      ir2vec->add_option("--rate", transe.rate, "of learning, at the start")
          ->check(CLI::PositiveNumber)
          ->capture_default_str();
      ir2vec->add_option("--held-out", options->training.held_out, "share of triplets to test with")
          ->check(CLI::Range(0.0, 0.9))
          ->capture_default_str();
      ir2vec->add_option("--seed", options->training.seed, "of all random choices")->capture_default_str();
      ir2vec->add_flag("--json", options->json, "print as JSON");
      CLI::App* policy = app.add_subcommand(
          "policy", "a policy from experience (ordo collect), by libtorch, or with --engine rllib by RLlib");
      policy->prefix_command();  // ordo-train reads its own options, and has help of its own
      policy->set_help_flag();
      CLI::App* agent = app.add_subcommand("agent",
                                           "a language model that uses Ordo's tools, by PyTorch, from "
                                           "demonstrations (ordo agent demonstrate)");
      agent->prefix_command();
      agent->set_help_flag();
      const std::array others = {addTrainAdvisor(app), addTrainKernels(app)};
      return [options, policy, agent, others](const std::vector<std::string>&) {
        for (const std::function<int()>& other : others) {
          if (const int code = other(); code >= 0) return code;
        }
        if (policy->parsed()) return trainPolicy(policy->remaining());
        if (agent->parsed()) return becomePython("ordo.agent.train", agent->remaining());
        interrupted();
        return trainIr2Vec(*options);
      };
    }};

}  // namespace ordo::cli
