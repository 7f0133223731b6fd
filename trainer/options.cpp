#include "trainer/options.h"

#include <CLI/CLI.hpp>

namespace ordo::trainer {

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
  app.add_option("--algorithm", options.algorithm,
                 "of practice: grpo, ppo, reinforce++, or none; or awr, from what production said")
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
  addOptions(app, options.production);
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

}  // namespace ordo::trainer
