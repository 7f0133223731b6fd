// ordo-train: trains policies with libtorch, supervised by what searches found and then by practice.
// `ordo train policy` starts it; it does not link LLVM: programs are compiled in workers.
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>

#include "campaigns/eval.h"
#include "engine/objective.h"
#include "learn/clone.h"
#include "learn/ignore.h"
#include "policy/grown.h"
#include "policy/schema.h"
#include "spaces/manifest.h"
#include "support/exit_code.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/json.h"
#include "support/streams.h"
#include "trainer/events.h"
#include "trainer/experience.h"
#include "trainer/grounds.h"
#include "trainer/options.h"
#include "trainer/practise.h"
#include "trainer/production.h"

namespace ordo::trainer {
namespace {

policy::NetworkShape shapeOf(const Options& options, policy::Architecture architecture, std::size_t inputs,
                             std::size_t actions) {
  const bool linear = architecture == policy::Architecture::kLinear;
  return {architecture, inputs, linear ? 0 : options.hidden, linear ? 0 : options.blocks, actions};
}

Result<std::string> supervise(const Options& options, const learn::Samples& samples, learn::Network& network,
                              Events& events) {
  const auto [held_out, others] = learn::holdOut(samples, options.held_out);
  if (held_out.packages.empty() || others.packages.empty())
    return fail(ErrorCode::kInvalidArgument, "{}: too few packages to hold some out", options.experience);
  if (!options.quiet) {
    fmt::print(stderr, "{} samples, {} of them of other packages and held out; {} parameters\n",
               samples.packages.size(), held_out.packages.size(), policy::parameters(network->shape()));
  }
  const learn::CloneEpoch best =
      learn::clone(network, others, held_out, options.clone, [&](const learn::CloneEpoch& epoch) {
        events.add(epoch);
        return !interrupted();
      });
  return fmt::format("cloned from {} steps of {} ({})", others.packages.size(), options.experience,
                     toText(best));
}

Result<std::string> practiseAll(const Options& options, const policy::PolicyInfo& info,
                                campaigns::Stage& stage, const Experience& experience,
                                learn::Network& network, Events& events) {
  PractiseOptions practise_options = options.practise;
  if (options.judges > 0) {
    ORDO_TRY_ASSIGN(practise_options.judges, judgesOf(options.judges, options.max_instructions, stage));
  }
  if (!options.prior.empty()) {
    ORDO_TRY_ASSIGN(prior::File file, prior::read(options.prior));
    practise_options.prior = std::make_shared<const prior::File>(std::move(file));
  }
  ORDO_TRY_ASSIGN(const std::vector<Ground> grounds,
                  options.on.empty() ? groundsOf(experience, options.more, options.max_instructions, stage)
                                     : groundsOf(options.on, stage));
  if (!options.quiet) {
    fmt::print(stderr, "{} rollouts of {} on {} programs, judged by {}\n", practise_options.rollouts,
               options.algorithm, grounds.size(), practise_options.judges.size());
  }
  ORDO_TRY_ASSIGN(const PractiseReport report,
                  practise(network, info, stage, grounds, practise_options, interrupted(),
                           [&](const PractiseReport& now) { events.add(now); }));
  std::string done =
      fmt::format("{} batches of {} on {} programs", report.batch, options.algorithm, grounds.size());
  if (practise_options.prior != nullptr)
    done += fmt::format(", which began with what {} proposes", practise_options.prior->model);
  if (!practise_options.judges.empty())
    done += fmt::format(" ({:+.2f} % on {} judges)", 100 * report.judged, practise_options.judges.size());
  return done;
}

Result<spaces::Space> spaceOf(const std::string& name, const Hash128& hash) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  ORDO_TRY_ASSIGN(const spaces::Space space, spaces::loadSpace(dataDir(), name, manifest));
  return spaces::beginning(space, hash);
}

// How it ended.
void tell(const Options& options, const std::string& text, bool written) {
  if (!written)
    fmt::print(stderr, "ordo: {} was not written: {}\n", options.out, text);
  else if (options.json)
    fmt::print("{}\n", writeJson({{"output", options.out}, {"provenance", text}}));
  else
    fmt::print("{}: {}\n", options.out, text);
}

// Whether weights were written; false: they were refused.
Result<bool> train(Options& options, Events& events) {
  ORDO_TRY_ASSIGN(policy::Architecture architecture, policy::architectureOf(options.architecture));
  const bool production = options.algorithm == "awr";
  if (production && options.from.empty())
    return fail(ErrorCode::kInvalidArgument, "--algorithm awr needs --from and the weights to start from");
  const bool reinforce = !production && options.algorithm != "none";
  if (reinforce) {
    ORDO_TRY_ASSIGN(options.practise.reinforce.algorithm, learn::algorithmOf(options.algorithm));
  }
  for (const std::string& objective : options.practise.objectives) {
    ORDO_TRY(policy::preferenceOf(objective));
    if (options.practise.preference_share > 0 && objective.find('=') != std::string::npos) {
      return fail(
          ErrorCode::kInvalidArgument,
          "--preferences weighs the --objectives by chance: each has to be one metric, and '{}' is not",
          objective);
    }
  }
  if (options.practise.preference_share > 0 && options.practise.objectives.size() < 2)
    return fail(ErrorCode::kInvalidArgument, "--preferences weighs the --objectives: there have to be two");
  if (!options.on.empty() && !options.no_clone && options.from.empty())
    return fail(ErrorCode::kInvalidArgument,
                "--on is for practice: say --no-clone, or --from and the weights to start from");
  options.clone.seed = options.practise.seed = options.production.awr.seed = options.seed;
  options.practise.reinforce.immediate_reward = options.reward == "immediate";
  ORDO_TRY_ASSIGN(Experience experience, readExperience(options.experience));
  const experience::Header& header = experience.header;
  const policy::Encoder encoder(header.actions.size());

  policy::PolicyInfo info;
  info.schema_hash = encoder.schemaHash();
  info.space = header.space;
  info.space_hash = header.space_hash;
  info.actions = header.actions;
  info.actions.emplace_back(policy::kStop);
  info.backend_version = header.version;

  torch::set_num_threads(options.threads);
  torch::manual_seed(options.seed);
  std::vector<policy::Tensor> weights;
  policy::NetworkShape shape = shapeOf(options, architecture, encoder.width(), info.actions.size());
  std::string provenance;
  const auto note = [&](const std::string& text) { provenance += (provenance.empty() ? "" : "; ") + text; };
  if (!options.from.empty()) {
    ORDO_TRY_ASSIGN(const policy::Policy start, policy::Policy::load(options.from));
    architecture = start.info().architecture;
    shape = start.network().shape();
    shape.inputs = encoder.width(), shape.actions = info.actions.size();
    provenance = start.info().provenance;
    ORDO_TRY_ASSIGN(const std::string bytes, readFile(options.from));
    ORDO_TRY_ASSIGN(policy::SafeTensors file, policy::parseSafetensors(bytes, options.from));
    Result<std::vector<policy::Tensor>> grown = policy::grown(start, std::move(file.tensors), info.actions);
    if (!grown)
      return fail(std::move(grown).error().context(fmt::format("{}, {}", options.from, options.experience)));
    weights = *std::move(grown);
  }
  info.architecture = architecture;
  learn::Network network(shape);
  if (!weights.empty()) ORDO_TRY(learn::setWeights(network, weights));
  if (!options.ignore.empty()) {
    ORDO_TRY_ASSIGN(const std::vector<std::uint8_t> ignored,
                    policy::featuresOf(encoder.schema(), options.ignore));
    learn::ignore(network, ignored);
    note(fmt::format("blind to {}", fmt::join(options.ignore, ", ")));
  }
  Result<spaces::Space> known = spaceOf(info.space, info.space_hash);
  if (!known) return fail(std::move(known).error().context(options.experience));
  spaces::Space space = *std::move(known);
  const auto write = [&]() -> Status {
    info.provenance = provenance;
    return writeFile(options.out, policy::writePolicy(info, learn::weightsOf(network)));
  };
  const auto say = [&](std::string_view text) {
    if (!options.quiet) fmt::print(stderr, "{}\n", text);
  };
  if (production) {
    ORDO_TRY(replay(experience, space, say));
    ORDO_TRY_ASSIGN(
        const loop::Judgement judgement,
        learnFromProduction(network, experience, encoder, options.production, interrupted(), say));
    if (judgement.passes) {
      note(judgement.why);
      ORDO_TRY(write());
    }
    tell(options, judgement.passes ? provenance : judgement.why, judgement.passes);
    return judgement.passes;
  }
  campaigns::EvalHost host(std::move(space), {engine::knowledgePath(options.knowledge), ""},
                           campaigns::RunPurpose::kStudy);
  campaigns::StageOptions stage_options;
  stage_options.jobs = options.jobs;
  stage_options.max_length = header.max_length;
  stage_options.stop = &interrupted();
  campaigns::Stage stage(host, stage_options);
  const bool clones = options.from.empty() && !options.no_clone;
  const bool keeps = reinforce && !options.no_clone && options.practise.keep > 0;
  learn::Samples samples;
  const bool replays = header.observations.empty() && (clones || keeps || !options.restored.empty());
  const bool restored = !options.restored.empty() && std::filesystem::exists(options.restored);
  if ((replays && !restored) || (reinforce && options.on.empty()))
    ORDO_TRY(harvestFirst(experience, options.jobs, say));
  if (replays) {
    ORDO_TRY(options.restored.empty() ? restore(experience, stage, say)
                                      : restoreOnce(experience, options.restored, stage, say));
  }
  if (clones || keeps) {
    ORDO_TRY_ASSIGN(samples, learn::samplesOf(experience.header, experience.runs, encoder));
  }
  if (keeps) options.practise.kept = learn::amongMany(samples);
  if (clones) {
    ORDO_TRY_ASSIGN(const std::string done, supervise(options, samples, network, events));
    note(done);
    ORDO_TRY(write());
  }
  if (reinforce && !interrupted()) {
    ORDO_TRY_ASSIGN(const std::string done, practiseAll(options, info, stage, experience, network, events));
    note(done);
    ORDO_TRY(write());
  }
  tell(options, provenance, true);
  return true;
}

// The same, told to who follows it from its beginning to its end.
Result<bool> trainAndTell(Options& options) {
  ORDO_TRY_ASSIGN(Events events, Events::open(options.events, options.tensorboard, options.quiet));
  events.begin({{"experience", options.experience},
                {"output", options.out},
                {"algorithm", options.algorithm},
                {"rollouts", options.practise.rollouts},
                {"epochs", options.clone.epochs}});
  Result<bool> done = train(options, events);
  events.end(done ? "" : done.error().message);
  return done;
}

int run(int argc, char** argv) {
  prepareStreams();
  neverFailToPrint();
  Options options;
  CLI::App app(
      "trains a policy on experience (ordo collect), then by practice; by default as the "
      "shipped weights were trained (on data/experience/debian.jsonl)",
      "ordo train policy");
  addOptions(app, options);
  CLI11_PARSE(app, argc, argv);
  interrupted();
  const Result<bool> done = trainAndTell(options);
  if (!done) fmt::print(stderr, "ordo: {}\n", done.error().message);
  if (interrupted()) return kInterrupted;
  return !done ? exitCode(done.error().code) : *done ? kOk : kWrong;
}

}  // namespace
}  // namespace ordo::trainer

int main(int argc, char** argv) { return ordo::trainer::run(argc, argv); }
