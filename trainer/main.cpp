// ordo-train: trains policies with libtorch, supervised by what searches found and then by practice.
// `ordo train policy` starts it; it does not link LLVM: programs are compiled in workers.
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <thread>

#include "campaigns/eval.h"
#include "engine/objective.h"
#include "learn/clone.h"
#include "learn/ignore.h"
#include "policy/schema.h"
#include "spaces/manifest.h"
#include "support/files.h"
#include "support/interrupt.h"
#include "support/json.h"
#include "support/streams.h"
#include "trainer/events.h"
#include "trainer/experience.h"
#include "trainer/grounds.h"
#include "trainer/practise.h"

namespace ordo::trainer {
namespace {

// Where nothing else is said, the recipe of the shipped weights (docs/learned.md).
struct Options {
  std::string experience;
  std::string restored;
  std::string out = "policy.safetensors";
  std::string events;
  std::string tensorboard;
  std::string from;
  std::string knowledge = "shipped";
  std::string architecture = "residual";
  std::string algorithm = "reinforce++";
  std::string reward = "final";
  std::vector<std::string> ignore;
  std::vector<std::string> on;
  std::string prior;
  std::size_t hidden = 256;
  std::size_t blocks = 2;
  double held_out = 0.1;
  std::uint64_t seed = 1;
  std::size_t judges = 40;
  std::size_t more = 500;
  double max_instructions = 1000;
  int threads = 1;
  unsigned jobs = std::max(1u, std::thread::hardware_concurrency());
  bool no_clone = false;
  bool json = false;
  bool quiet = false;
  learn::CloneOptions clone;
  PractiseOptions practise;

  Options() {
    clone.patience = 6;
    clone.learning_rate = 5e-4;
    clone.weight_decay = 0.1;
    practise.rollouts = 10'240;
    practise.programs = 32;
    practise.curriculum = false;
    practise.judge_every = 4;
    practise.reinforce.learning_rate = 5e-4;
    practise.reinforce.entropy = 0.001;
    practise.reinforce.kl = 0;
  }
};

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

Result<spaces::Space> spaceOf(const std::string& name) {
  ORDO_TRY_ASSIGN(const std::unique_ptr<engine::Engine> engine, engine::Engine::start());
  ORDO_TRY_ASSIGN(const spaces::Manifest manifest, spaces::loadManifest(dataDir(), engine->info()));
  return spaces::loadSpace(dataDir(), name, manifest);
}

Status train(Options& options, Events& events) {
  ORDO_TRY_ASSIGN(policy::Architecture architecture, policy::architectureOf(options.architecture));
  const bool reinforce = options.algorithm != "none";
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
  options.clone.seed = options.practise.seed = options.seed;
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
    if (start.info().actions != info.actions || start.info().space_hash != info.space_hash)
      return fail(ErrorCode::kInvalidArgument, "{} has other actions than {}", options.from,
                  options.experience);
    architecture = start.info().architecture;
    shape = start.network().shape();
    provenance = start.info().provenance;
    ORDO_TRY_ASSIGN(const std::string bytes, readFile(options.from));
    ORDO_TRY_ASSIGN(policy::SafeTensors file, policy::parseSafetensors(bytes, options.from));
    weights = std::move(file.tensors);
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
  ORDO_TRY_ASSIGN(spaces::Space space, spaceOf(info.space));
  if (space.hash != info.space_hash)
    return fail(ErrorCode::kUnsupported, "{}: the space {} has changed since", options.experience,
                info.space);
  campaigns::EvalHost host(std::move(space), {engine::knowledgePath(options.knowledge), ""},
                           campaigns::RunPurpose::kStudy);
  campaigns::StageOptions stage_options;
  stage_options.jobs = options.jobs;
  stage_options.max_length = header.max_length;
  stage_options.stop = &interrupted();
  campaigns::Stage stage(host, stage_options);
  const auto write = [&]() -> Status {
    info.provenance = provenance;
    return writeFile(options.out, policy::writePolicy(info, learn::weightsOf(network)));
  };
  const bool clones = options.from.empty() && !options.no_clone;
  const bool keeps = reinforce && !options.no_clone && options.practise.keep > 0;
  learn::Samples samples;
  if (header.observations.empty() && (clones || keeps || !options.restored.empty())) {
    const auto say = [&](std::string_view text) {
      if (!options.quiet) fmt::print(stderr, "{}\n", text);
    };
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
  if (options.json)
    fmt::print("{}\n", writeJson({{"output", options.out}, {"provenance", provenance}}));
  else
    fmt::print("{}: {}\n", options.out, provenance);
  return {};
}

// The same, told to who follows it from its beginning to its end.
Status trainAndTell(Options& options) {
  ORDO_TRY_ASSIGN(Events events, Events::open(options.events, options.tensorboard, options.quiet));
  events.begin({{"experience", options.experience},
                {"output", options.out},
                {"algorithm", options.algorithm},
                {"rollouts", options.practise.rollouts},
                {"epochs", options.clone.epochs}});
  Status done = train(options, events);
  events.end(done ? "" : done.error().message);
  return done;
}

void addOptions(CLI::App& app, Options& options) {
  app.add_option("EXPERIENCE", options.experience, "a file of 'ordo collect'")->required();
  app.add_option("-o,--output", options.out, "the weights")->capture_default_str();
  app.add_option("--restored", options.restored,
                 "keep slim experience here with the states of its programs, for other trainings: to replay "
                 "its sequences is most of what a short one takes");
  app.add_option("--events", options.events, "add what each epoch and batch came to here, as lines of JSON");
  app.add_option("--tensorboard", options.tensorboard, "the same as curves, in this folder");
  app.add_option("--from", options.from, "weights to start from, rather than from the experience");
  app.add_option("--knowledge", options.knowledge,
                 "whose first sequence only answers go on from: shipped, none or a file of 'ordo mine'")
      ->capture_default_str();
  app.add_option(
         "--on", options.on,
         "practise on this program only, whatever split it is of; may be given several times. For a "
         "policy of its own, with --no-clone: what is trained on validation programs is no policy for "
         "others")
      ->allow_extra_args(false);
  app.add_option(
      "--prior", options.prior,
      "a file of 'ordo agent propose': episodes of its programs begin with its sequences, and then "
      "the policy takes over");
  app.add_option("--prior-share", options.practise.prior_share,
                 "of the episodes of such a program, once each sequence was played")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_flag("--no-clone", options.no_clone, "practise from nothing");
  app.add_option("--algorithm", options.algorithm, "of practice: grpo, ppo, reinforce++, or none")
      ->capture_default_str();
  app.add_option("--rollouts", options.practise.rollouts, "of practice")->capture_default_str();
  app.add_option("--checkpoint", options.practise.checkpoint,
                 "where practice is kept after each batch, and goes on from if it is there");
  app.add_option("--programs", options.practise.programs, "of a batch")->capture_default_str();
  app.add_option("--group", options.practise.group, "rollouts of each of them")->capture_default_str();
  app.add_option("--objectives", options.practise.objectives,
                 "ir_instructions, text_bytes, or both at once: ir_instructions=0.7+text_bytes=0.3")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--preferences", options.practise.preference_share,
                 "share of practice for all objectives at once, each with a weight by chance")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--reward", options.reward, "final, or immediate: as instructions are saved")
      ->check(CLI::IsMember({"final", "immediate"}))
      ->capture_default_str();
  app.add_option("--max-instructions", options.max_instructions, "of a program to practise on")
      ->capture_default_str();
  app.add_option("--more-programs", options.more,
                 "practise also on programs of the training split, so many before the larger ones go")
      ->capture_default_str();
  app.add_option("--floor", options.practise.reinforce.floor, "no return is lower")->capture_default_str();
  app.add_option("--only", options.practise.only_share,
                 "share of practice in which each answer is to be the only one")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  app.add_option("--keep", options.practise.keep,
                 "weight of staying, in practice, what cloning made of answers of which there are many")
      ->capture_default_str();
  app.add_flag("--curriculum,!--no-curriculum", options.practise.curriculum,
               "begin with the smallest programs");
  app.add_option("--judges", options.judges,
                 "validation programs by which the weights to keep are chosen; 0: the last are kept")
      ->capture_default_str();
  app.add_option("--judge-episodes", options.practise.judge_episodes,
                 "the best of so many counts; one is the greedy answer")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--quantile", options.practise.reinforce.quantile,
                 "only episodes above this quantile of their program's teach; 0: all")
      ->check(CLI::Range(0.0, 0.99))
      ->capture_default_str();
  app.add_option("--judge-every", options.practise.judge_every, "batches")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--patience", options.practise.patience,
                 "judgements without a better one before practice ends; 0: to the end")
      ->capture_default_str();
  learn::ReinforceOptions& reinforce = options.practise.reinforce;
  app.add_option("--rate", reinforce.learning_rate, "of learning in practice, by Adam")
      ->capture_default_str();
  app.add_option("--entropy", reinforce.entropy, "weight of the choices' entropy")->capture_default_str();
  app.add_option("--kl", reinforce.kl, "weight of the distance from where practice began")
      ->capture_default_str();
  app.add_option("--architecture", options.architecture, "residual or linear")->capture_default_str();
  app.add_option("--hidden", options.hidden, "width of the network")->capture_default_str();
  app.add_option("--blocks", options.blocks, "residual blocks")->capture_default_str();
  app.add_option("--ignore", options.ignore,
                 "features that the network shall not see, for ablations: history, ir2vec, …")
      ->delimiter(',');
  app.add_option("--epochs", options.clone.epochs, "of cloning, at most")->capture_default_str();
  app.add_option("--clone-patience", options.clone.patience, "epochs without a better one")
      ->capture_default_str();
  app.add_option("--clone-rate", options.clone.learning_rate, "of learning in cloning, by AdamW")
      ->capture_default_str();
  app.add_option("--weight-decay", options.clone.weight_decay, "of cloning")->capture_default_str();
  app.add_option("--held-out", options.held_out, "share of the packages to judge cloning by")
      ->capture_default_str();
  app.add_option("--seed", options.seed, "of chance; with one thread it decides the weights")
      ->capture_default_str();
  app.add_option("--threads", options.threads, "of libtorch")->capture_default_str();
  app.add_option("-j,--jobs", options.jobs, "rollouts at a time")->capture_default_str();
  app.add_flag("--json", options.json, "print what was done as JSON");
  app.add_flag("-q,--quiet", options.quiet, "no progress");
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
  if (const Status done = trainAndTell(options); !done) {
    fmt::print(stderr, "ordo: {}\n", done.error().message);
    return interrupted() ? 130 : 1;
  }
  return interrupted() ? 130 : 0;
}

}  // namespace
}  // namespace ordo::trainer

int main(int argc, char** argv) { return ordo::trainer::run(argc, argv); }
