"""What an environment costs beside the passes themselves: `./ordo bench environment [--json FILE]`.

Everything is a ratio or a difference against the same passes called directly in C++ (bench/direct_steps.cpp),
measured turn by turn in one run, because the machines this runs on are noisy.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import time

import numpy as np

import ordo

NATIVE = pathlib.Path(ordo.__file__).parent / "_native"
ROOT = pathlib.Path(__file__).resolve().parent.parent
SPACE = "compilergym-124"  # single passes, as CompilerGym's figures are about
STEPS = 45
TURNS = 6


def safe_actions(env: ordo.LlvmEnv) -> list[int]:
    return [i for i in np.flatnonzero(env.action_masks()) if i < len(env.actions) - 1]


def direct(program: str, actions: list[tuple[str, str]], repetitions: int) -> dict:
    lines = "".join(f"{name}\t{text}\n" for name, text in actions)
    command = [NATIVE / "bin" / "direct_steps", program, str(repetitions)]
    run = subprocess.run(command, input=lines, text=True, check=True, capture_output=True)
    return json.loads(run.stdout)


def timed(function) -> float:
    start = time.perf_counter()
    function()
    return (time.perf_counter() - start) * 1e6


def steps(program: str, reward: str, repetitions: int) -> dict:
    """Microseconds of each step of one random sequence, in Python and called directly."""
    env = ordo.LlvmEnv(program, space=SPACE, reward=reward, max_steps=0)
    env.reset(seed=1)
    choices = np.random.default_rng(1).choice(safe_actions(env), STEPS)
    pairs = [(env.actions[i], env.pipelines[i]) for i in choices]
    ours = [[] for _ in choices]
    theirs = []
    forks, uses = [], []
    for _ in range(TURNS):
        theirs.append(direct(program, pairs, repetitions))
        for _ in range(repetitions):
            env.reset()
            for times, action in zip(ours, choices):
                times.append(timed(lambda: env.step(action)))
            # The first fork of a state has to write the program down; the copy reads it when it is used.
            copies: list[ordo.LlvmEnv] = []
            forks.append(timed(lambda: copies.append(env.fork())))
            uses.append(timed(lambda: copies[0].observe("autophase")))
    passes = np.median([turn["steps"] for turn in theirs], axis=0)
    python = np.array([statistics.median(times) for times in ours])
    return {
        "sequence": pairs,
        "instructions": theirs[0]["instructions"],
        "pass_us": float(passes.mean()),
        "step_us": float(python.mean()),
        "more_us": float(np.median(python - passes)),
        "more_us_p90": float(np.quantile(python - passes, 0.9)),
        "fork_us": statistics.median(forks),
        "first_use_us": statistics.median(uses),
        "direct": {key: theirs[-1][key] for key in ("fork", "emit", "text_bytes", "observe")},
        "text_ratio": statistics.median(turn["text_bytes"] / turn["emit"] for turn in theirs),
    }


def throughput(program: str, cores: int, seconds: float) -> float:
    """Steps a second of a random walk on `cores` processors, from Python."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, set(sorted(before)[:cores]))
    try:
        # A zygote of its own, so that its workers are held to these processors too.
        script = [sys.executable, __file__, "--walk", program, "--seconds", str(seconds)]
        run = subprocess.run(script, check=True, capture_output=True, text=True)
    finally:
        os.sched_setaffinity(0, before)
    return float(run.stdout)


def walk(program: str, seconds: float) -> float:
    env = ordo.LlvmVectorEnv(
        16, batch_size=4, program=program, space=SPACE, reward="ir_instructions", stop_action=False
    )
    env.async_reset(seed=1)
    rng = np.random.default_rng(1)
    _, _, _, _, info = env.recv()
    done, start = 0, time.perf_counter()
    while (elapsed := time.perf_counter() - start) < seconds:
        # Only what is safe: a masked action would cost nothing and count.
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        env.send(actions, info["env_id"])
        _, rewards, _, _, info = env.recv()
        done += len(rewards)
    return done / elapsed


def report(rows: list[tuple[str, str, str, str]]) -> None:
    print(f"{'what':<62} {'measured':>22} {'wanted':>16}  CompilerGym, published")
    for row in rows:
        print(f"{row[0]:<62} {row[1]:>22} {row[2]:>16}  {row[3]}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=10, help="of each random walk")
    parser.add_argument("--json", type=pathlib.Path, help="where to write all figures")
    parser.add_argument("--walk", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.walk:
        print(walk(options.walk, options.seconds))
        return

    step = steps("suite/crc32", "ir_instructions", options.repetitions)
    small = direct(str(ROOT / "bench" / "quicksort.c"), step["sequence"], options.repetitions)
    one = [throughput("suite/crc32", 1, options.seconds) for _ in range(2)]
    two = [throughput("suite/crc32", 2, options.seconds) for _ in range(2)]
    figures = {"step": step, "small": small, "one_core": one, "two_cores": two}
    if options.json:
        options.json.write_text(json.dumps(figures, indent=1))
    seen = small["observe"]
    report(
        [
            (
                f"step with autophase over the pass itself, {step['instructions']:g} instructions, Python",
                f"{step['more_us']:.0f} µs (p90 {step['more_us_p90']:.0f})",
                "<= 60 µs",
                "310 to 570 µs in all",
            ),
            ("  the pass itself, mean over the sequence", f"{step['pass_us']:.0f} µs", "", ""),
            (
                "fork, from Python, and the copy's first observation",
                f"{step['fork_us'] / 1000:.2f} + {step['first_use_us'] / 1000:.2f} ms",
                "<= 1 ms",
                "5.3 to 6.0 ms",
            ),
            (f"autophase, {small['instructions']:g} instructions", f"{seen['autophase']:.1f} µs", "<= 30 µs", "150-580 µs"),
            ("inst_count", f"{seen['inst_count']:.1f} µs", "<= 20 µs", "612 µs"),
            ("IR text", f"{seen['ir'] / 1000:.2f} ms", "<= 0.3 ms", "808 µs"),
            ("program_graph", f"{seen['program_graph'] / 1000:.2f} ms", "<= 1 ms", "38-52 ms"),
            ("text_bytes over LLVM's own emission", f"{step['text_ratio']:.3f} x", "<= 1.05 x", "10-14 ms"),
            (
                f"  when most functions did not change ({small['known_states']} states)",
                f"{small['known_text_bytes'] / 1000:.1f} ms",
                "<= 2 ms",
                "",
            ),
            ("  LLVM's own emission", f"{small['emit'] / 1000:.1f} ms", "", ""),
            ("random walk, 2 cores", f"{statistics.mean(two):.0f} steps/s", ">= 8,000", "1,091 steps/s (one env)"),
            ("  over one core", f"{statistics.mean(two) / statistics.mean(one):.2f} x", ">= 1.8 x", ""),
        ]
    )


if __name__ == "__main__":
    main()
