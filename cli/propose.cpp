// ordo agent propose: asks a model about each program and objective that the file has not yet. A line is
// written when it is known, so that whoever is interrupted goes on from there.
#include <cstdio>
#include <filesystem>

#include "cli/command.h"
#include "cli/prior.h"
#include "cli/programs.h"
#include "cli/terminal.h"
#include "env/metric.h"
#include "support/exit_code.h"
#include "support/files.h"

namespace ordo::cli {
namespace {

struct Options {
  ProgramChoice programs;
  std::vector<std::string> objectives{env::kIrInstructions};
  std::string model = "shipped";
  std::string out = "proposals.jsonl";
  agent::ProposeOptions how;
  bool quiet = false;
};

using Closer = decltype([](std::FILE* file) { std::fclose(file); });

// What is in the file so far, which is made if it is not there, and cleared of a line that was cut off.
Result<prior::File> begin(const Options& options) {
  prior::File file{options.model, options.how.sampling.temperature,
                   static_cast<std::int64_t>(options.how.sampling.seed),
                   static_cast<std::int64_t>(options.how.count)};
  if (!std::filesystem::exists(options.out)) {
    ORDO_TRY(writeFile(options.out, prior::writeHeader(file)));
    return file;
  }
  ORDO_TRY_ASSIGN(const std::string text, readFile(options.out));
  ORDO_TRY_ASSIGN(prior::File known, prior::parse(text, options.out));
  if (prior::writeHeader(known) != prior::writeHeader(file))
    return fail(ErrorCode::kInvalidArgument,
                "{} is of another model, temperature, seed or count; remove it, or name another file",
                options.out);
  if (!text.ends_with('\n')) ORDO_TRY(writeFile(options.out, text.substr(0, text.rfind('\n') + 1)));
  return known;
}

Status proposeAll(const Options& options) {
  ORDO_TRY_ASSIGN(const std::vector<study::Plan::Entry> programs, choosePrograms(options.programs));
  ORDO_TRY_ASSIGN(const prior::File known, begin(options));
  const std::unique_ptr<std::FILE, Closer> file(std::fopen(options.out.c_str(), "ab"));
  if (!file) return fail(ErrorCode::kUnavailable, "cannot write {}", options.out);
  std::unique_ptr<Proposer> proposer;
  ProgressLine progress(!options.quiet);
  std::size_t made = 0, failed = 0;
  for (std::size_t i = 0; i < programs.size() && !interrupted(); ++i) {
    for (const std::string& objective : options.objectives) {
      const std::string& uri = programs[i].uri;
      if (interrupted() || known.find(uri, objective) != nullptr) continue;
      if (proposer == nullptr) {
        progress.show(fmt::format("starting the model {}", options.model));
        ORDO_TRY_ASSIGN(proposer, Proposer::start(options.model));
      }
      progress.show(fmt::format("{}/{}  {}", i + 1, programs.size(), uri));
      agent::OpenRequest request;
      request.file = uri;
      request.objective = objective;
      Result<prior::Proposals> proposals = proposer->propose(std::move(request), options.how);
      if (!proposals) {
        // A model that is gone is gone for all of them.
        if (proposals.error().code == ErrorCode::kUnavailable || interrupted())
          return fail(std::move(proposals).error());
        progress.print(fmt::format("left out: {}: {}", uri, proposals.error().message));
        ++failed;
        continue;
      }
      const std::string line = prior::writeLine(*proposals);
      if (std::fwrite(line.data(), 1, line.size(), file.get()) != line.size() || std::fflush(file.get()) != 0)
        return fail(ErrorCode::kUnavailable, "cannot write {}", options.out);
      ++made;
    }
  }
  progress.clear();
  if (!options.quiet)
    fmt::print(stderr, "{}: {} programs and objectives were there, {} are new, {} were left out\n",
               options.out, known.programs.size(), made, failed);
  return {};
}

int run(const Options& options) {
  interrupted();
  if (const Status done = proposeAll(options); !done) return report(done.error());
  return interrupted() ? kInterrupted : kOk;
}

}  // namespace

std::function<std::optional<int>()> addPropose(CLI::App& agent) {
  auto options = std::make_shared<Options>();
  CLI::App* propose = agent.add_subcommand(
      "propose",
      "write what a model would try first on programs: for --prior of 'ordo tune' and 'ordo "
      "train policy', and prior:FILE:SEARCHER of 'ordo eval'");
  addProgramOptions(*propose, options->programs);
  propose->add_option("--objectives", options->objectives, "ir_instructions, text_bytes")
      ->delimiter(',')
      ->capture_default_str();
  propose->add_option("--model", options->model, "hf:FOLDER, gguf:FILE or shipped")->capture_default_str();
  propose->add_option("--count", options->how.count, "sequences for each, at most")
      ->check(CLI::Range(std::size_t{1}, prior::kMostProposals))
      ->capture_default_str();
  propose->add_option("--temperature", options->how.sampling.temperature, "of the model's choices")
      ->check(CLI::Range(0.0, 2.0))
      ->capture_default_str();
  propose->add_option("--seed", options->how.sampling.seed, "of its chance")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 32))
      ->capture_default_str();
  propose->add_option("-o,--output", options->out, "the file; what it has is not asked again")
      ->capture_default_str();
  propose->add_flag("-q,--quiet", options->quiet, "no progress");
  return [options, propose]() -> std::optional<int> {
    if (!propose->parsed()) return {};
    return run(*options);
  };
}

}  // namespace ordo::cli
