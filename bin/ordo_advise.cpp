// ordo-advise: what advice is worth, in processes that may end (llvm/advisors/trial.h). `ordo train advisor`
// and the benchmarks run it; each module is compiled in a process of its own and gives one line of JSON.
//
//   ordo-advise search --tries 64 --seed 1 MODULE.bc…       advice::writeFound()
//   ordo-advise measure --weights W.safetensors… MODULE.bc…
//       {"module":…,"usual":bytes,"questions":n,"advised":[bytes…],"asked":[questions…],
//        "changed":[answers that are not usual…]}
//   Both with --speed: in place of bytes at -Oz the time estimated at -O3 (llvm/advisors/speed_trial.h).
//   ordo-advise crowd --into FOLDER MODULE.bc…
//       writes the optimised functions that evict registers, for `measure --optimised`:
//       {"module":…,"questions":n,"usual":bytes,"crowded":file}; only the first two if nothing is asked
//   ordo-advise loops --target avx2 --flag=-mavx2 SEED/NUMBER…
//       advice::writeTimed(): the loop of that name (advice/loop_source.h), timed with every width and count
//   ordo-advise random --decision evict --seed 1 MODULE.bc…   the same, of a random advisor
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "advice/loop_source.h"
#include "advice/search.h"
#include "advice/timed_loops.h"
#include "env/plain_advisors.h"
#include "llvm/advisors/inline_advisor.h"
#include "llvm/advisors/loop_times.h"
#include "llvm/advisors/speed_trial.h"
#include "llvm/advisors/trial.h"
#include "notation/decisions.h"
#include "policy/learned_advisor.h"
#include "support/files.h"
#include "support/hash.h"
#include "support/json.h"
#include "support/own_limits.h"
#include "support/usage.h"

namespace {

using namespace ordo;

struct Options {
  std::vector<std::string> modules, weights, loops, flags;
  std::string target, decision = "inline";
  std::string folder;
  bool untimed = false, is_optimised = false, speed = false;
  advice::SearchLimits limits;
  unsigned seconds = 120;
};

// Of the processor time, to find something in: what is killed has found nothing.
constexpr double kShareOfSearch = 0.8;

// One line for each, whatever becomes of it.
void eachAlone(const Options& options, const std::vector<std::string>& names,
               const std::function<Result<std::string>(const std::string& name)>& work) {
  for (const std::string& name : names) {
    std::fflush(stdout);
    const pid_t child = ::fork();
    if (child == 0) {
      setSoftLimit(RLIMIT_CPU, options.seconds);
      setSoftLimit(RLIMIT_CORE, 0);
      setSoftLimit(RLIMIT_AS, mappedBytes() + (std::uint64_t{2} << 30));
      const Result<std::string> line = work(name);
      const std::string text = line ? *line : advice::writeFailure(name, line.error().message);
      const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
      std::_Exit(std::fflush(stdout) == 0 && written ? EXIT_SUCCESS : EXIT_FAILURE);
    }
    int status = 0;
    if (child < 0 || ::waitpid(child, &status, 0) != child) std::exit(EXIT_FAILURE);
    if (WIFSIGNALED(status))
      fmt::print("{}", advice::writeFailure(name, fmt::format("signal {}", WTERMSIG(status))));
    else if (WEXITSTATUS(status) != 0)
      fmt::print("{}", advice::writeFailure(name, "it could not be compiled"));
  }
}

Result<advisors::Trial> trialOf(const std::string& file, bool is_optimised = false) {
  ORDO_TRY_ASSIGN(std::string bitcode, readFile(file));
  return is_optimised ? advisors::Trial::openOptimised(std::move(bitcode), file)
                      : advisors::Trial::open(std::move(bitcode), file);
}

std::size_t changedBy(const env::AdviceLog& log) {
  std::size_t changed = 0;
  for (const env::Advice& advice : log.advice) changed += advice.answer != advice.usual;
  return changed;
}

// What is tried of a module by an advisor of that decision.
Result<advice::Try> attemptOf(const std::string& module, const env::DecisionSpec& decision,
                              const Options& options) {
  if (options.speed) {
    ORDO_TRY_ASSIGN(std::string bitcode, readFile(module));
    ORDO_TRY_ASSIGN(advisors::SpeedTrial trial, advisors::SpeedTrial::open(std::move(bitcode), module));
    return [trial = std::move(trial)](env::Advisor& advisor) -> Result<advice::Tried> {
      ORDO_TRY_ASSIGN(advisors::SpeedOutcome outcome, trial.run(advisor));
      return advice::Tried{outcome.cost, std::move(outcome.log)};
    };
  }
  ORDO_TRY_ASSIGN(advisors::Trial trial, trialOf(module, options.is_optimised));
  if (decision == notation::evictDecision() && !options.is_optimised) {
    ORDO_TRY_ASSIGN(trial, trial.optimised());
  }
  const advisors::EvictionScope scope{.as_learned = !options.weights.empty(), .asked_in = {}};
  return [trial = std::move(trial), scope](env::Advisor& advisor) -> Result<advice::Tried> {
    ORDO_TRY_ASSIGN(advisors::Outcome outcome, trial.run(advisor, scope));
    return advice::Tried{static_cast<double>(outcome.code), std::move(outcome.log)};
  };
}

Result<std::string> measure(const std::string& module,
                            std::span<const std::unique_ptr<env::Advisor>> advisors, const Options& options) {
  env::UsualAdvisor usual(advisors.front()->spec());
  ORDO_TRY_ASSIGN(const advice::Try attempt, attemptOf(module, usual.spec(), options));
  ORDO_TRY_ASSIGN(const advice::Tried plain, attempt(usual));
  Json advised = Json::array(), asked = Json::array(), changed = Json::array();
  for (const auto& advisor : advisors) {
    ORDO_TRY_ASSIGN(const advice::Tried outcome, attempt(*advisor));
    advised.push_back(outcome.cost);
    asked.push_back(outcome.log.advice.size());
    changed.push_back(changedBy(outcome.log));
  }
  return writeJson({{"module", module},
                    {"usual", plain.cost},
                    {"questions", plain.log.advice.size()},
                    {"advised", advised},
                    {"asked", asked},
                    {"changed", changed}}) +
         "\n";
}

Result<std::string> search(const std::string& module, const Options& options) {
  ORDO_TRY_ASSIGN(const advice::Try attempt, attemptOf(module, notation::inlineDecision(), options));
  advice::SearchLimits limits = options.limits;
  limits.enough = [most = kShareOfSearch * options.seconds] { return processCpuSeconds() > most; };
  ORDO_TRY_ASSIGN(const advice::Found found,
                  advice::searchDecisions(notation::inlineDecision(), attempt, limits));
  return advice::writeFound(module, found);
}

Result<std::string> crowd(const std::string& module, const std::string& folder) {
  ORDO_TRY_ASSIGN(const advisors::Trial trial, trialOf(module));
  ORDO_TRY_ASSIGN(const std::optional<std::string> bitcode, trial.crowdedFunctions());
  if (!bitcode) return writeJson({{"module", module}, {"questions", 0}}) + "\n";
  const std::string file = fmt::format("{}/{}.bc", folder, hashBytes(module).hex());
  ORDO_TRY(writeFile(file, *bitcode));
  ORDO_TRY_ASSIGN(const advisors::Trial crowded, advisors::Trial::openOptimised(*bitcode, file));
  env::UsualAdvisor usual(notation::evictDecision());
  ORDO_TRY_ASSIGN(const advisors::Outcome outcome, crowded.run(usual));
  return writeJson({{"module", module},
                    {"questions", outcome.log.advice.size()},
                    {"usual", outcome.code},
                    {"crowded", file}}) +
         "\n";
}

Result<std::string> time(const std::string& name, const Options& options) {
  ORDO_TRY_ASSIGN(const advice::LoopSource source, advice::loopNamed(name));
  ORDO_TRY_ASSIGN(
      const advisors::LoopTimes times,
      advisors::timeLoop(source.text, options.untimed ? std::vector<long>{} : source.counts, options.flags));
  return advice::writeTimed({name, options.target, "", times.features,
                             options.untimed ? std::vector<long>{} : source.counts, times.ns});
}

Status run(const CLI::App& app, const Options& options) {
  if (app.got_subcommand("search")) {
    eachAlone(options, options.modules, [&](const std::string& module) { return search(module, options); });
    return {};
  }
  if (app.got_subcommand("crowd")) {
    eachAlone(options, options.modules,
              [&](const std::string& module) { return crowd(module, options.folder); });
    return {};
  }
  if (app.got_subcommand("loops")) {
    eachAlone(options, options.loops, [&](const std::string& loop) { return time(loop, options); });
    return {};
  }
  std::vector<std::unique_ptr<env::Advisor>> advisors;
  if (app.got_subcommand("random"))
    advisors.push_back(std::make_unique<env::RandomAdvisor>(
        options.decision == "evict" ? notation::evictDecision() : notation::inlineDecision(),
        options.limits.seed));
  for (const std::string& file : options.weights) {
    ORDO_TRY_ASSIGN(policy::AdvisorWeights weights, policy::AdvisorWeights::load(file));
    advisors.push_back(std::make_unique<policy::LearnedAdvisor>(
        std::make_shared<const policy::AdvisorWeights>(std::move(weights))));
    const env::DecisionSpec& spec = advisors.back()->spec();
    if (spec != advisors.front()->spec() ||
        (spec != notation::inlineDecision() && spec != notation::evictDecision()))
      return fail(ErrorCode::kUnsupported,
                  "{}: modules are measured with advisors of one decision, inline or "
                  "evict",
                  file);
  }
  eachAlone(options, options.modules,
            [&](const std::string& module) { return measure(module, advisors, options); });
  return {};
}

}  // namespace

int main(int argc, char** argv) {
  CLI::App app("what advice is worth (ordo train advisor)");
  Options options;
  app.require_subcommand(1);
  CLI::App* const search = app.add_subcommand("search", "which single decisions pay");
  CLI::App* const measure = app.add_subcommand("measure", "what advisors do to modules");
  CLI::App* const random = app.add_subcommand("random", "what random decisions do to modules");
  CLI::App* const crowd = app.add_subcommand("crowd", "the functions of modules that evict registers");
  crowd->add_option("--into", options.folder, "folder for their optimised bitcode")->required();
  measure->add_flag("--optimised", options.is_optimised, "modules of crowd: nothing but code is made");
  CLI::App* const loops = app.add_subcommand("loops", "what widths do to loops made to learn from");
  loops->add_option("LOOP", options.loops, "SEED/NUMBER")->required();
  loops->add_option("--target", options.target, "name of what --flag says")->required();
  loops->add_flag("--untimed", options.untimed, "features alone");
  loops->add_option("--flag", options.flags, "of clang; may be given more than once");
  for (CLI::App* command : {search, measure, random, crowd, loops})
    command->add_option("--seconds", options.seconds, "of processor time for each");
  for (CLI::App* command : {search, measure, random, crowd}) {
    command->add_option("MODULE", options.modules, "bitcode before any pass")->required();
  }
  for (CLI::App* command : {search, measure, random})
    command->add_flag(
        "--speed", options.speed,
        "of inlining: not bytes of code at -Oz but time estimated at -O3, 2000 for what is usual");
  for (CLI::App* command : {search, random})
    command->add_option("--seed", options.limits.seed, "of what is random");
  random->add_option("--decision", options.decision, "inline, or evict")
      ->check(CLI::IsMember({"inline", "evict"}));
  search->add_option("--tries", options.limits.tries, "compiles for each module");
  measure->add_option("--weights", options.weights, "of an advisor; may be given more than once")->required();
  CLI11_PARSE(app, argc, argv);
  if (const Status done = run(app, options); !done) {
    fmt::print(stderr, "ordo-advise: {}\n", done.error().message);
    return EXIT_FAILURE;
  }
  return EXIT_SUCCESS;
}
