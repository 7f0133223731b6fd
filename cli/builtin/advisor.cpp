// ordo advisor: advice for stock tools of LLVM, and logs of MLGO's (docs/advisors.md).
#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "advice/mlgo.h"
#include "advice/serve.h"
#include "cli/command.h"
#include "cli/output.h"
#include "cli/terminal.h"
#include "env/plain_advisors.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "support/child.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string base;
  std::string advisor = "inline-size", decision = "inline";
  std::string log, out = "-", to = "ordo";
};

Result<std::unique_ptr<env::Advisor>> advisorOf(const std::string& name, const std::string& decision) {
  const env::DecisionSpec& plain =
      decision == "evict" ? notation::evictDecision() : notation::inlineDecision();
  if (name == "random") return std::make_unique<env::RandomAdvisor>(plain, 1);
  if (name == "usual") return std::make_unique<env::UsualAdvisor>(plain);
  const std::filesystem::path file = name.ends_with(".safetensors")
                                         ? std::filesystem::path(name)
                                         : dataDir() / "advisors" / (name + ".safetensors");
  ORDO_TRY_ASSIGN(policy::AdvisorWeights weights, policy::AdvisorWeights::load(file));
  if (weights.info().spec != notation::inlineDecision() && weights.info().spec != notation::evictDecision())
    return fail(ErrorCode::kUnsupported, "{}: it does not decide what LLVM asks on a channel", file.string());
  return std::make_unique<policy::LearnedAdvisor>(
      std::make_shared<const policy::AdvisorWeights>(std::move(weights)));
}

// Until `command` has ended, or for ever where there is none.
int serve(const Options& options, const std::vector<std::string>& command) {
  Result<std::unique_ptr<env::Advisor>> advisor = advisorOf(options.advisor, options.decision);
  if (!advisor) return report(advisor.error());
  int child = 0, status = 0;
  const auto over = [&] {
    if (command.empty()) return false;
    if (child == 0) {  // the pipes are there now
      const Result<int> started = startBeside(command);
      child = started ? *started : -1;
      if (!started) status = report(started.error()) << 8;
    }
    return child < 0 || ::waitpid(child, &status, WNOHANG) == child;
  };
  const Result<advice::Served> served = advice::serveChannel(options.base, **advisor, interrupted(), over);
  if (!served) return report(served.error());
  note(fmt::format("{} compiles, {} answers", served->compiles, served->answers));
  if (command.empty()) return kOk;
  return WIFEXITED(status) ? WEXITSTATUS(status) : kWrong;
}

// Ours are text.
Result<env::AdviceLog> readLog(const std::string& file) {
  ORDO_TRY_ASSIGN(const std::string bytes, readFile(file));
  if (bytes.starts_with("{\"ordo_advice\"")) return env::parseAdvice(bytes, file);
  Result<env::AdviceLog> log = advice::parseMlgoLog(notation::inlineDecision(), bytes, file);
  if (log || log.error().code != ErrorCode::kUnsupported) return log;
  Result<env::AdviceLog> other = advice::parseMlgoLog(notation::evictDecision(), bytes, file);
  return other || other.error().code != ErrorCode::kUnsupported ? std::move(other) : std::move(log);
}

int convert(const Options& options) {
  const Result<env::AdviceLog> log = readLog(options.log);
  if (!log) return report(log.error());
  const Status written = writeOutput(options.out, options.to == "ordo"   ? env::writeAdvice(*log)
                                                  : options.to == "mlgo" ? advice::writeMlgoLog(*log)
                                                                         : advice::writeMlgoAnswers(*log));
  return written ? kOk : report(written.error());
}

}  // namespace

extern const CommandInfo advisor{
    .name = "advisor",
    .summary = "answer stock LLVM's inliner and register allocator, and read and write logs of MLGO",
    .examples =
        "  ordo advisor serve /tmp/channel -- opt-22 -passes='default<Oz>' -enable-ml-inliner=release \\\n"
        "      -inliner-interactive-channel-base=/tmp/channel -inliner-interactive-include-default in.bc -o "
        "out.bc\n"
        "  ordo advisor convert mlgo.log -o advice.jsonl\n"
        "  ordo advisor convert advice.jsonl --to answers -o channel.in\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      const auto options = std::make_shared<Options>();
      app.require_subcommand(1);
      CLI::App* const serving = app.add_subcommand(
          "serve", "answer on the pipes BASE.in and BASE.out while the command after -- runs");
      serving->add_option("BASE", options->base, "path of the pipes, which are made and removed")->required();
      serving->add_option("--advisor", options->advisor, "a name or a .safetensors file; usual, random")
          ->capture_default_str();
      serving->add_option("--decision", options->decision, "what usual and random are asked: inline, evict")
          ->check(CLI::IsMember({"inline", "evict"}))
          ->capture_default_str();
      CLI::App* const converting =
          app.add_subcommand("convert", "a log of MLGO's as Ordo's, or the other way");
      converting->add_option("LOG", options->log, "either")->required()->check(CLI::ExistingFile);
      converting->add_option("--to", options->to, "ordo, mlgo, or answers: what stock opt repeats")
          ->check(CLI::IsMember({"ordo", "mlgo", "answers"}))
          ->capture_default_str();
      converting->add_option("-o,--output", options->out, "a file; - for standard output")
          ->capture_default_str();
      return [options, serving](const std::vector<std::string>& command) {
        return serving->parsed() ? serve(*options, command) : convert(*options);
      };
    }};

}  // namespace ordo::cli
