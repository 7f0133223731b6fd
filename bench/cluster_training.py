"""RLlib beside our own trainer, and its runner beside the vector that it steps (cluster.py)."""

from __future__ import annotations

import argparse
import pathlib
import sqlite3
import statistics
import subprocess
import tempfile
import time

import numpy as np
from cluster_study import ORDO, PROGRAMS, ROOT

EXPERIENCE = ROOT / "data" / "experience" / "debian.jsonl"  # for the names of its actions only
VALIDATION = [
    f"suite/{name}" for name in ("bwt", "fft", "lzh", "sha256", "sorts", "stencil", "sudoku", "textsearch")
]
# Both start from nothing, see the same features and are paid the same.
SAME = "--algorithm ppo --reward immediate --objectives ir_instructions --hidden 64 --blocks 1 --rate 1e-3"
ON = [word for program in PROGRAMS for word in ("--on", program)]


def options_of(rollouts: int, seed: int, programs: int, group: int) -> list[str]:
    batch = ["--rollouts", str(rollouts), "--programs", str(programs), "--group", str(group)]
    return [*SAME.split(), *ON, *batch, "--seed", str(seed)]


def theirs(weights: pathlib.Path, rollouts: int, seed: int, programs: int = 4, group: int = 4) -> list[str]:
    """RLlib's PPO."""
    command = [
        str(ORDO),
        "train",
        "policy",
        str(EXPERIENCE),
        "--engine",
        "rllib",
        "-o",
        str(weights),
        "-j",
        "2",
    ]
    return [*command, *options_of(rollouts, seed, programs, group)]


def ours(weights: pathlib.Path, rollouts: int, seed: int) -> list[str]:
    """Our trainer's, with all that RLlib's has not left out."""
    trainer = ROOT / "build" / "release" / "bin" / "ordo-train"
    without = "--no-clone --judges 0 --only 1 --knowledge none --kl 0 --threads 1 -q -j 2".split()
    return [str(trainer), str(EXPERIENCE), "-o", str(weights), *without, *options_of(rollouts, seed, 4, 4)]


def answer(weights: pathlib.Path, study: pathlib.Path) -> float:
    """How many percent fewer instructions its own answers have than clang -Oz, on average; none counts as 0."""
    study.unlink(missing_ok=True)
    command = [str(ORDO), "eval", *VALIDATION, "--methods=policy_answer", "--policy", str(weights), "--quiet"]
    command += ["--knowledge=none", "--objectives=ir_instructions", "--compiles=10", "--seeds=1"]
    subprocess.run([*command, "--study", str(study)], cwd=ROOT, check=True)
    database = sqlite3.connect(study)
    rows = database.execute(
        "select coalesce(min(i.value), b.value), b.value from run r left join improvement i on i.run = r.id join "
        "baseline b on b.program = r.program and b.baseline = 'clang-Oz' and b.metric = r.objective group by r.id"
    ).fetchall()
    database.close()
    if len(rows) != len(VALIDATION):
        raise SystemExit(
            f"cluster: {weights} was asked about {len(VALIDATION)} programs, and {len(rows)} are there"
        )
    return statistics.mean(100 * (1 - value / baseline) for value, baseline in rows)


def training(options: argparse.Namespace) -> list[str]:
    """PPO by both, from the same seeds, over as many steps."""
    found: dict[str, list[float]] = {"RLlib's": [], "ours": []}
    seconds: dict[str, list[float]] = {"RLlib's": [], "ours": []}
    options.folder.mkdir(parents=True, exist_ok=True)
    for seed in range(1, options.seeds + 1):
        for who, make in (("RLlib's", theirs), ("ours", ours)):
            weights = options.folder / f"{who[0]}-{seed}-{options.rollouts}.safetensors"
            start = time.perf_counter()
            if not weights.exists():
                subprocess.run(make(weights, options.rollouts, seed), cwd=ROOT, check=True)
            seconds[who].append(time.perf_counter() - start)
            gain = answer(weights, weights.with_suffix(".sqlite"))
            found[who].append(gain)
            print(f"cluster: seed {seed}, {who}: {gain:+.2f} %, {seconds[who][-1]:.0f} s", flush=True)
    low, high = difference(found["RLlib's"], found["ours"])
    means = ", ".join(f"{who} {statistics.mean(gains):+.2f} %" for who, gains in found.items())
    word = "equal" if low <= 0 <= high else "**not equal**"
    return [
        f"| PPO through RLlib against our trainer, own answer | equal within the seeds' interval | {word}: {means}, "
        f"difference [{low:+.2f}, {high:+.2f}] points ({options.seeds} seeds, {24 * options.rollouts:,} steps on "
        f"{len(PROGRAMS)} programs, {len(VALIDATION)} others answered for) |"
    ]


def difference(one: list[float], other: list[float]) -> tuple[float, float]:
    """Welch's 95 % interval for the difference of two means."""
    from scipy import stats

    interval = stats.ttest_ind(one, other, equal_var=False).confidence_interval(0.95)
    low, high = float(interval.low), float(interval.high)
    if np.isnan(low):  # all alike
        low = high = statistics.mean(one) - statistics.mean(other)
    return low, high


def samples(options: argparse.Namespace) -> list[str]:
    """Steps a second of RLlib's runner, beside the vector that it steps."""
    import ray
    from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
    from ray.tune.registry import register_env

    from ordo.rllib import experience, sight, train

    known = experience.read(EXPERIENCE)
    arguments = train._parser().parse_args([str(EXPERIENCE), "-j", "4", "--hidden", "256"])
    env = sight.PolicyVectorEnv(4, actions=known.actions, space=known.space, program=PROGRAMS)
    spaces = env.single_observation_space, env.single_action_space
    chance = np.random.default_rng(1)
    rows, _ = env.reset(seed=1)

    def alone(steps: int) -> float:
        nonlocal rows
        start = time.perf_counter()
        for _ in range(steps // 4):
            rows = env.step(np.array([chance.choice(np.flatnonzero(r[env.features :])) for r in rows]))[0]
        return steps / (time.perf_counter() - start)

    train.start_ray(None, 2)
    register_env(train._ENVIRONMENT, sight.create)
    config = train.configure(arguments, known, PROGRAMS, spaces)
    runner = SingleAgentEnvRunner(config=config, worker_index=1, spaces={"__env__": spaces})

    def through(steps: int) -> float:
        start = time.perf_counter()
        runner.sample(num_timesteps=steps)
        return steps / (time.perf_counter() - start)

    alone(200), through(200)  # programs are loaded
    pairs = [(alone(400), through(400)) for _ in range(8)]
    runner.stop()
    env.close()
    ray.shutdown()
    native, theirs_ = (statistics.median(side) for side in zip(*pairs))
    ratios = sorted(b / a for a, b in pairs)
    found = f"{statistics.median(ratios):.2f} ({ratios[0]:.2f} to {ratios[-1]:.2f} in {len(ratios)} pairs; "
    found += f"{theirs_:.0f} of {native:.0f} samples/s, 4 environments)"
    return [f"| samples a second through RLlib's runner, of the native vector's | ≥ 0.7 | {found} |"]
