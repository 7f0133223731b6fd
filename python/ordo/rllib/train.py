"""``ordo train policy EXPERIENCE --engine rllib``: RLlib's PPO, APPO, BC and MARWIL for policies of ours.

::

    ordo train policy data/experience/debian.jsonl --engine rllib --checkpoint run --rollouts 10240
    ordo train policy experience.jsonl --engine rllib --algorithm appo --address auto --runners 30
    ordo train policy experience.jsonl --engine rllib --algorithm marwil --offline run/offline

Options have the names and meanings of our own trainer's. Checkpoints are RLlib's; the same command goes on
from the last. What comes of it is the file of weights that ``ordo tune --policy`` loads.
"""

from __future__ import annotations

import argparse
import json
import logging
import os
import pathlib
import shutil
import sys
from collections.abc import Sequence
from typing import Any

import ray
from ray.rllib.algorithms.algorithm import Algorithm
from ray.rllib.algorithms.algorithm_config import AlgorithmConfig
from ray.rllib.algorithms.appo import APPOConfig
from ray.rllib.algorithms.bc import BCConfig
from ray.rllib.algorithms.marwil import MARWILConfig
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.tune.registry import register_env

from ordo import _core
from ordo.rllib import experience, export, offline, sight
from ordo.rllib.module import PolicyModule

# Both complain of what they themselves do.
for _name in ("ray.rllib", "ray._common.deprecation"):
    logging.getLogger(_name).setLevel(logging.ERROR)

_CONFIGS = {"ppo": PPOConfig, "appo": APPOConfig, "bc": BCConfig, "marwil": MARWILConfig}
_OFFLINE = ("bc", "marwil")
_ENVIRONMENT = "ordo.rllib.sight"
#: A local Ray has no more for objects than batches of ours need.
_OBJECT_STORE = 256 << 20


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        "ordo train policy --engine rllib",
        description="trains a policy with RLlib, from experience (ordo collect)",
    )
    add = parser.add_argument
    add(
        "experience",
        type=pathlib.Path,
        help="a file of 'ordo collect': its actions, programs and best sequences",
    )
    add("-o", "--output", type=pathlib.Path, default=pathlib.Path("policy.safetensors"), help="the weights")
    add(
        "--algorithm",
        choices=sorted(_CONFIGS),
        default="ppo",
        help="bc and marwil learn from the sequences only",
    )
    add("--architecture", choices=("residual", "linear"), default="residual")
    add("--hidden", type=int, default=256, help="width of the network")
    add("--blocks", type=int, default=2, help="residual blocks")
    add("--from", dest="start", type=pathlib.Path, help="weights to start from")
    add("--on", action="append", default=[], help="practise on this program only; may be given several times")
    add("--objectives", default="ir_instructions", help="ir_instructions or text_bytes")
    add("--reward", choices=("final", "immediate"), default="immediate", help="as instructions are saved")
    add("--max-instructions", type=float, default=1000, help="of a program to practise on")
    add("--rollouts", type=int, default=10_240, help="episodes of practice")
    add("--programs", type=int, default=32, help="of a batch")
    add("--group", type=int, default=16, help="rollouts of each of them, on average")
    add("--rate", type=float, default=5e-4, help="of learning, by Adam")
    add("--entropy", type=float, default=0.001, help="weight of the choices' entropy")
    add("--iterations", type=int, default=100, help="of bc and marwil")
    add("--beta", type=float, default=1.0, help="how much marwil prefers what was worth more")
    add("--best", type=int, default=3, help="sequences of each program that bc and marwil learn from")
    add("--offline", type=pathlib.Path, help="where these are kept as Parquet; made if it is not there")
    add("--checkpoint", type=pathlib.Path, help="where training is kept, and goes on from if it is there")
    add("--address", help="of a Ray cluster, or auto; without it Ray runs on this machine only")
    add("--runners", type=int, default=0, help="processes that practise; 0: the one that learns does it, too")
    add(
        "-j",
        "--jobs",
        type=int,
        default=max(1, os.cpu_count() or 1),
        help="episodes at a time of each runner",
    )
    add("--seed", type=int, default=1)
    add("--json", action="store_true", help="print each iteration as a line of JSON")
    add("-q", "--quiet", action="store_true", help="no progress")
    return parser


def configure(
    options: argparse.Namespace, known: experience.Experience, programs: list[str], spaces: tuple[Any, Any]
) -> AlgorithmConfig:
    """The configuration of RLlib for these options. ``spaces`` are those of the environments."""
    features = spaces[0].shape[0] - int(spaces[1].n)
    module: dict[str, Any] = {
        "architecture": options.architecture,
        "hidden": options.hidden,
        "blocks": options.blocks,
        "features": features,
        "about": known.about()
        | {"provenance": f"RLlib's {options.algorithm.upper()} on {len(programs)} programs"},
    }
    if options.start:
        about = _core.Policy.load(str(options.start)).info
        if about["actions"] != [*known.actions, "stop"]:
            raise ValueError(f"{options.start} has other actions than {options.experience}")
        module |= {key: about[key] for key in ("architecture", "hidden", "blocks")}
        module["weights"] = {k: v.tolist() for k, v in _core.policy_weights(str(options.start)).items()}
    config = _CONFIGS[options.algorithm]()
    config.rl_module(rl_module_spec=RLModuleSpec(module_class=PolicyModule, model_config=module))
    config.learners(num_learners=0, num_cpus_per_learner=1)
    config.training(lr=options.rate, gamma=1.0, grad_clip=0.5)
    config.debugging(seed=options.seed, log_level="ERROR")
    if options.algorithm in _OFFLINE:
        config.environment(observation_space=spaces[0], action_space=spaces[1])
        config.offline_data(
            input_=[str(options.offline.resolve())],
            input_read_method="read_parquet",
            dataset_num_iters_per_learner=1,
            offline_data_class=offline.InMemory,
        )
        config.training(train_batch_size_per_learner=512)
        if options.algorithm == "marwil":
            config.training(beta=options.beta)
        return config
    config.environment(
        _ENVIRONMENT,
        env_config={
            "actions": known.actions,
            "space": known.space,
            "objective": options.objectives,
            "reward": options.reward,
            "max_length": known.max_length,
            "program": programs,
            "seed": options.seed,
        },
    )
    config.env_runners(
        num_env_runners=options.runners,
        num_envs_per_env_runner=options.jobs,
        num_cpus_per_env_runner=1,
        gym_env_vectorize_mode="vector_entry_point",
    )
    # Whose runner crashes loses the episode under way, and gets another runner.
    config.fault_tolerance(restart_failed_env_runners=True)
    steps = options.programs * options.group * sight.ONLY_STEPS
    config.training(train_batch_size_per_learner=steps, entropy_coeff=options.entropy)
    if options.algorithm == "ppo":
        config.training(minibatch_size=min(512, steps), num_epochs=4, clip_param=0.2, lambda_=0.95)
        config.training(vf_loss_coeff=0.5, use_kl_loss=False)
    else:
        config.env_runners(rollout_fragment_length=sight.ONLY_STEPS)
        config.reporting(min_time_s_per_iteration=0)
    return config


def start_ray(address: str | None, cpus: int) -> None:
    """Joins the cluster at ``address``, or starts a Ray of our own that ends with this process."""
    if address:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR")
    else:
        ray.init(
            address="local",  # not one that happens to be there
            num_cpus=cpus,
            include_dashboard=False,
            object_store_memory=_OBJECT_STORE,
            log_to_driver=False,
            logging_level="ERROR",
        )


def _train(options: argparse.Namespace, algorithm: Algorithm) -> str:
    """Trains to the end; what was done."""
    recorded = options.algorithm in _OFFLINE
    unit, wanted = ("iterations", options.iterations) if recorded else ("rollouts", options.rollouts)
    done = _done(algorithm, recorded)
    while done < wanted:
        result = algorithm.train()
        done = _done(algorithm, recorded)
        runners = result.get("env_runners", {})
        report = {
            "iteration": algorithm.training_iteration,
            unit: done,
            "return": runners.get("episode_return_mean"),
            "seconds": result["time_total_s"],
        }
        if options.json:
            print(json.dumps(report), flush=True)
        elif not options.quiet:
            print(
                f"{done}/{wanted} {unit}, mean return {report['return'] or 0:.4f}, {report['seconds']:.0f} s",
                file=sys.stderr,
            )
        if options.checkpoint:
            _save(algorithm, options.checkpoint.resolve())
    return f"{done} {unit} of RLlib's {options.algorithm.upper()} (Ray {ray.__version__})"


def _save(algorithm: Algorithm, folder: pathlib.Path) -> None:
    """A checkpoint in the place of the last. Whenever it is killed, :func:`_last` finds a whole one."""
    new, old = _beside(folder)
    shutil.rmtree(new, ignore_errors=True)
    algorithm.save_to_path(str(new))
    if folder.exists():
        shutil.rmtree(old, ignore_errors=True)
        folder.rename(old)
    new.rename(folder)
    shutil.rmtree(old, ignore_errors=True)


def _last(folder: pathlib.Path) -> pathlib.Path | None:
    """The checkpoint to go on from; ``None``: there is none."""
    for place in (folder, _beside(folder)[1]):
        if (place / "rllib_checkpoint.json").is_file():
            return place
    return None


def _beside(folder: pathlib.Path) -> tuple[pathlib.Path, pathlib.Path]:
    """Where the next checkpoint is written, and where the last is until the next has its place."""
    return folder.with_name(f"{folder.name}.new"), folder.with_name(f"{folder.name}.old")


def _done(algorithm: Algorithm, recorded: bool) -> int:
    if recorded:
        return algorithm.training_iteration
    steps = algorithm.metrics.peek(("env_runners", "num_env_steps_sampled_lifetime"), default=0)
    return int(steps) // sight.ONLY_STEPS


def run(options: argparse.Namespace) -> None:
    """The whole of a training. Raises ``ValueError`` or ``ordo.Error`` with what is wrong."""
    known = experience.read(options.experience)
    small = {uri for uri, size in known.sizes.items() if size <= options.max_instructions}
    if known.trials:
        if options.algorithm not in _OFFLINE:
            raise ValueError(f"{options.experience} is of production: bc and marwil learn from it")
        small = {uri for sequences in known.made_by.values() for uri in sequences}
    programs = options.on or sorted(small)
    if not programs:
        raise ValueError(
            f"{options.experience} has no program of at most {options.max_instructions:g} instructions"
        )
    recorded = options.algorithm in _OFFLINE
    if recorded and options.offline is None:
        options.offline = options.experience.with_suffix(".parquet")
    if recorded and not options.offline.is_dir():
        rows = experience.write_parquet(
            known, options.offline, options.objectives, programs, options.best, options.reward
        )
        if not options.quiet:
            print(f"{rows} steps are in {options.offline}", file=sys.stderr)
    env = sight.PolicyVectorEnv(actions=known.actions, space=known.space, program=programs[:1])
    spaces = env.single_observation_space, env.single_action_space
    env.close()
    start_ray(options.address, options.runners + 2)
    try:
        register_env(_ENVIRONMENT, sight.create)
        algorithm = configure(options, known, programs, spaces).build_algo()
        if options.checkpoint and (last := _last(options.checkpoint.resolve())):
            algorithm.restore_from_path(str(last))
        provenance = f"{_train(options, algorithm)} on {len(programs)} programs"
        if options.start:
            provenance = f"{_core.Policy.load(str(options.start)).info['provenance']}; {provenance}"
        export.write(algorithm.learner_group._learner.module["default_policy"], options.output, provenance)
        algorithm.stop()
    finally:
        ray.shutdown()
    print(f"{options.output}: {provenance}")


def main(arguments: Sequence[str] | None = None) -> int:
    """The command."""
    options = _parser().parse_args(arguments)
    try:
        run(options)
    except KeyboardInterrupt:
        return 130
    except (ValueError, _core.Error, OSError) as error:
        print(f"ordo: {error}", file=sys.stderr)
        return 1
    except ray.exceptions.RayError as error:
        again = "; the same command goes on" if options.checkpoint else ""
        print(f"ordo: Ray: {str(error).strip().splitlines()[-1]}{again}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
