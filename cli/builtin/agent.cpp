// ordo agent: a language model tunes a program with Ordo's tools.
#include <cmath>
#include <memory>

#include "agent/conversation.h"
#include "agent/host.h"
#include "agent/model.h"
#include "cli/command.h"
#include "cli/outcome.h"
#include "cli/output.h"
#include "cli/places.h"
#include "cli/prior.h"
#include "cli/python.h"
#include "cli/talk.h"
#include "cli/terminal.h"
#include "engine/stock.h"
#include "search/evaluation/budget_text.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/json.h"

namespace ordo::cli {
namespace {

struct Options {
  std::string file;
  std::string model;
  std::vector<std::string> flags;  // after "--"
  agent::OpenRequest request;
  std::string budget = "10m,200evals";
  double reply_s = 120;
  agent::Sampling sampling;
  int replies = 40;
  std::string knowledge = "shipped", policy = "shipped";
  std::string transcript;
  OutputOptions output;
  bool json = false, quiet = false;
};

// What was said, with what it took, for whoever reads it later.
Json transcriptOf(const Options& options, const agent::Model& model, const agent::Conversation& talk) {
  return {{"format", 1},
          {"model", model.name()},
          {"program", options.file},
          {"objective", options.request.objective},
          {"seed", options.request.seed},
          {"temperature", options.sampling.temperature},
          {"end", agent::name(talk.end)},
          {"why", talk.why},
          {"replies", talk.replies},
          {"calls", talk.calls},
          {"failed_calls", talk.failed_calls},
          {"thinking_s", talk.seconds},
          {"model_cpu_s", talk.model_cpu_s},
          {"prompt_tokens", talk.prompt_tokens},
          {"completion_tokens", talk.completion_tokens},
          {"flops", talk.flops},
          {"messages", talk.messages}};
}

Status writeAll(agent::Host& host, const Options& options, const std::string& handle, Outcome& outcome) {
  const tune::Tuned& tuned = *outcome.tuned;
  const engine::Input& input = host.find(handle)->input();
  const std::string name = input.program.name;
  outcome.out = outputPath(options.output, name);
  ORDO_TRY(writeResult(host.engine(), input, engine::emissionSource(input.source, tuned.recipe.actions),
                       tuned.bitcode, tuned.object, options.output.emit, outcome.out));
  outcome.recipe = recipePath(options.output, name);
  return writeFile(outcome.recipe, recipe::write(tuned.recipe));
}

Result<int> hold(Options& options) {
  ORDO_TRY_ASSIGN(const search::Budget budget, search::parseBudget(options.budget));
  if (std::isfinite(budget.passes))
    return fail(ErrorCode::kInvalidArgument,
                "--budget is of time and compiles here: 10m, 200evals, 10m,200evals");
  ORDO_TRY(checkOutput(options.output));
  ORDO_TRY_ASSIGN(const std::vector<Subject> subjects, subjectsOf({options.file}));
  ORDO_TRY(preparePlaces(subjects, options.output, 0));
  options.request.file = options.file;
  options.request.flags = options.flags;
  options.request.budget = {std::min(budget.evaluations, 100000.0), std::min(budget.seconds, 86400.0)};
  ORDO_TRY_ASSIGN(const std::unique_ptr<agent::Host> host, agent::Host::start({.knowledge = options.knowledge,
                                                                               .policy = options.policy,
                                                                               .most = {100000, 86400},
                                                                               .stop = &interrupted()}));
  ORDO_TRY_ASSIGN(const std::string handle, host->open(options.request));
  if (!options.quiet) {
    for (const std::string& text : host->find(handle)->input().notes) note(text);
    note(fmt::format("starting the model {}", options.model));
  }
  ORDO_TRY_ASSIGN(const std::unique_ptr<agent::Model> model,
                  agent::openModel(options.model, {.reply_s = options.reply_s, .stop = &interrupted()}));
  agent::ConversationOptions how;
  how.replies = options.replies;
  how.seconds = options.request.budget.seconds;
  how.sampling = options.sampling;
  how.stop = &interrupted();
  const auto on_event = [&](const agent::Event& event) {
    if (!options.quiet) fmt::print(stderr, "{}", talkText(event));
  };
  ORDO_TRY_ASSIGN(const agent::Conversation talk, agent::converse(*host, handle, *model, how, on_event));
  if (!options.transcript.empty()) {
    ORDO_TRY(writeOutput(options.transcript, writeJson(transcriptOf(options, *model, talk), 2) + "\n"));
  }
  if (!talk.why.empty()) note(fmt::format("{}: {}", agent::name(talk.end), talk.why));
  Outcome outcome;
  outcome.file = outcome.name = options.file;
  outcome.tuned = *host->submitted().at(handle);
  if (outcome.tuned->tested == tune::Tuned::Checked::kFailed ||
      outcome.tuned->verified == tune::Tuned::Checked::kFailed) {
    note("even the baseline, which is what clang makes, is refused");
    return kWrong;
  }
  ORDO_TRY(writeAll(*host, options, handle, outcome));
  if (options.json) {
    Json json = toJson(outcome);
    json["agent"] = transcriptOf(options, *model, talk);
    fmt::print("{}\n", writeJson(json, 2));
  } else {
    printOutcome(outcome, true, options.output.out == "-" ? stderr : stdout);
  }
  if (talk.end == agent::End::kModel) return exitCode(ErrorCode::kUnavailable);
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

extern const CommandInfo agent{
    .name = "agent",
    .summary = "let a language model tune a program with Ordo's tools, and prove the result",
    .examples =
        "  ordo agent main.c --model openai:http://127.0.0.1:8080/v1#qwen3 -- -I inc\n"
        "  ordo agent suite/crc32 --model shipped --budget 5m,100evals --objective ir_instructions\n"
        "  ordo agent main.c --model gguf:model.gguf --transcript talk.json\n"
        "  ordo agent propose --dataset suite --model hf:build/agent/rl/model -o proposals.jsonl\n"
        "  ordo agent demonstrate -o demonstrations.jsonl --programs 1000\n",
    .takes_flags = true,
    .setup = [](CLI::App& app) -> Command {
      auto options = std::make_shared<Options>();
      app.add_option("FILE", options->file, "C, C++, .ll or .bc file, or a folder with a program.toml");
      app.add_option(
          "--model", options->model,
          "openai:URL#NAME (any server in the manner of OpenAI's; the key is $OPENAI_API_KEY), hf:FOLDER, "
          "gguf:FILE, or shipped");
      app.add_option("--objective", options->request.objective, "what to minimise (ordo list metrics)")
          ->capture_default_str();
      app.add_option("--baseline", options->request.baseline, "what never to be worse than")
          ->capture_default_str();
      app.add_option("--limit", options->request.limits, "what another metric may be: text_bytes=+5%")
          ->allow_extra_args(false);
      app.add_option("--space", options->request.space, "which actions to use [text for bytes, else size]");
      app.add_option("--budget", options->budget, "of time, with the model's thinking, and of compiles")
          ->capture_default_str();
      app.add_option("--replies", options->replies, "of the model's, at most")
          ->capture_default_str()
          ->check(CLI::Range(1, 1000));
      app.add_option("--reply-seconds", options->reply_s, "the longest that one may take")
          ->capture_default_str()
          ->check(CLI::PositiveNumber);
      app.add_option("--temperature", options->sampling.temperature, "of the model's choices")
          ->capture_default_str()
          ->check(CLI::Range(0.0, 2.0));
      app.add_option("--seed", options->request.seed, "of chance, in searches and of the model")
          ->capture_default_str();
      app.add_option("--knowledge", options->knowledge, "as of 'ordo tune'")->capture_default_str();
      app.add_option("--policy", options->policy, "as of 'ordo tune'")->capture_default_str();
      app.add_option("--emit", options->output.emit, "obj, bc, ll, asm or exe")->capture_default_str();
      app.add_option("-o,--output", options->output.out,
                     "where to write the result; - for standard output [NAME.o]");
      app.add_option("--recipe", options->output.recipe, "where to write the recipe [NAME.ordo.json]");
      app.add_option("--transcript", options->transcript, "where to write what was said, as JSON");
      app.add_flag("--json", options->json, "print the result as JSON, with what was said");
      app.add_flag("-q,--quiet", options->quiet, "do not print what is said");
      CLI::App* demonstrate = app.add_subcommand(
          "demonstrate", "write dialogues to learn from, by using the tools on training programs");
      demonstrate->prefix_command();  // Python reads its own options, and has help of its own
      demonstrate->set_help_flag();
      CLI::App* evaluate = app.add_subcommand(
          "evaluate", "what a local model is worth on programs, as it is and with one thing changed");
      evaluate->prefix_command();
      evaluate->set_help_flag();
      const auto propose = addPropose(app);
      return [options, demonstrate, evaluate, propose](const std::vector<std::string>& flags) {
        if (const std::optional<int> code = propose()) return *code;
        if (demonstrate->parsed()) return becomePython("ordo.agent.demonstrate", demonstrate->remaining());
        if (evaluate->parsed()) return becomePython("ordo.agent.evaluate", evaluate->remaining());
        if (options->file.empty())
          return report({ErrorCode::kInvalidArgument, "which program? say ordo agent FILE --model MODEL"});
        if (options->model.empty())
          return report({ErrorCode::kInvalidArgument,
                         "which model? say --model openai:URL#NAME, hf:FOLDER, gguf:FILE or shipped"});
        options->flags = flags;
        options->sampling.seed = options->request.seed;
        const Result<int> code = hold(*options);
        return code ? *code : report(code.error());
      };
    }};

}  // namespace ordo::cli
