"""A build of your own, passes chosen by RLlib's PPO, and whether that is faster than clang -O3.

./ordo python --with rllib examples/phase1/phase1.py                    minutes; a table and a verdict
./ordo python --with rllib examples/phase1/phase1.py --svg curve.svg    and the curve

The blueprint's first phase, literally: an environment that wraps a build, Autophase as its state, common
passes as its actions, and at each step the instructions that it saved as its reward.
"""

from __future__ import annotations

import argparse
import logging
import pathlib
import subprocess
import sys
import tempfile

import ray
from ray.rllib.algorithms.ppo import PPO, PPOConfig

import ordo
import ordo.rllib

logging.getLogger("ray.rllib").setLevel(logging.ERROR)
HERE = pathlib.Path(__file__).parent
#: What any step of the build is compiled with, to get bitcode that no pass has seen yet.
BITCODE = "-O3 -Xclang -disable-llvm-passes -emit-llvm"
STEPS = 20  # of an episode


def run(*command: str | pathlib.Path, cwd: pathlib.Path | None = None) -> str:
    return subprocess.run(
        [str(word) for word in command], cwd=cwd, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def wrap(project: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Has the user's make compile to bitcode, and links that: the program of the environment."""
    run("cp", "-r", project, folder / "build")
    build = folder / "build"
    objects = [source.with_suffix(".o").name for source in sorted(build.glob("*.c"))]
    run("make", "-s", "-C", build, "clean")
    run("make", "-s", "-C", build, f"CFLAGS={BITCODE}", *objects)
    run("llvm-link-22", *(build / name for name in objects), "-o", folder / "program.bc")
    return folder / "program.bc"


def options(program: pathlib.Path) -> dict[str, object]:
    return {
        "program": str(program),
        "observation": "autophase_norm",
        "reward": "ir_instructions/initial",
        "space": str(HERE / "passes.txt"),
        "max_steps": STEPS,
        "level": "O3",
    }


def configure(program: pathlib.Path, seed: int) -> PPOConfig:
    config = PPOConfig().environment("phase1", env_config=options(program))
    config.env_runners(
        num_env_runners=0, num_envs_per_env_runner=4, gym_env_vectorize_mode="vector_entry_point"
    )
    config.training(
        train_batch_size_per_learner=800,
        minibatch_size=200,
        num_epochs=6,
        lr=1e-3,
        gamma=1.0,
        entropy_coeff=0.01,
    )
    return config.debugging(seed=seed, log_level="ERROR")


class Best:
    """The shortest of the sequences with the fewest instructions that an algorithm plays."""

    def __init__(self, program: pathlib.Path):
        self.program = program
        self.instructions = float("inf")
        self.actions: list[str] = []

    def look(self, algorithm: PPO, episodes: int) -> None:
        """Plays so many."""
        for episode in algorithm.env_runner.sample(num_episodes=episodes, random_actions=False):
            env = ordo.LlvmEnv(**options(self.program))
            env.reset()
            taken: list[str] = []
            for action in episode.get_actions():
                _, _, terminated, truncated, info = env.step(int(action))
                if info["changed"]:
                    taken.append(env.actions[int(action)])
                if info["metric"] < self.instructions:
                    self.instructions, self.actions = info["metric"], list(taken)
                if terminated or truncated:
                    break
            env.close()


def emit(best: Best, out: pathlib.Path) -> None:
    """The program after the best sequence, by the code generator of -O3."""
    env = ordo.LlvmEnv(**options(best.program))
    env.reset()
    for name in best.actions:
        env.step(env.actions.index(name))
    module = out.with_suffix(".bc")
    module.write_bytes(env.observe("bitcode"))
    env.close()
    run("clang-22", "-O3", "-Xclang", "-disable-llvm-passes", module, "-o", out, "-lm")


def count(program: pathlib.Path) -> tuple[float, float]:
    """Instructions as the build makes them, and after clang -O3."""
    names = ["ir_instructions/initial", "ir_instructions/clang-O3"]
    env = ordo.LlvmEnv(**(options(program) | {"observation": names}))
    seen, _ = env.reset()
    env.close()
    return float(seen[names[0]].item()), float(seen[names[1]].item())


def svg(curve: list[float]) -> str:
    """The mean return of each iteration, as a picture."""
    wide, high, left, margin = 560, 220, 60, 30
    low, top = min(curve), max(curve)
    across = (wide - left - margin) / max(1, len(curve) - 1)
    up = (high - 2 * margin) / ((top - low) or 1)
    points = " ".join(
        f"{left + i * across:.1f},{high - margin - (y - low) * up:.1f}" for i, y in enumerate(curve)
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {wide} {high}" '
        f'font-family="sans-serif" font-size="12">'
        f'<rect width="{wide}" height="{high}" fill="white"/>'
        f'<path d="M{left},{margin - 10}V{high - margin}H{wide - margin}" fill="none" stroke="#888"/>'
        f'<polyline points="{points}" fill="none" stroke="#2563eb" stroke-width="2"/>'
        f'<text x="{left}" y="14">share of the instructions that an episode saves, mean</text>'
        f'<text x="{left - 6}" y="{margin + 4}" text-anchor="end">{top:.2f}</text>'
        f'<text x="{left - 6}" y="{high - margin + 4}" text-anchor="end">{low:.2f}</text>'
        f'<text x="{left}" y="{high - 10}">1</text>'
        f'<text x="{wide - margin}" y="{high - 10}" text-anchor="end">iteration {len(curve)}</text></svg>\n'
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--project", type=pathlib.Path, default=HERE / "project", help="sources with a Makefile"
    )
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--arguments", default="1500", help="of the program, for timing")
    parser.add_argument("--budget", default="60", help="seconds of the comparison at most")
    parser.add_argument("--svg", type=pathlib.Path, help="where to draw the curve")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        program = wrap(args.project, folder)
        initial, reference = count(program)
        ray.init(
            address="local",
            include_dashboard=False,
            object_store_memory=1 << 28,
            log_to_driver=False,
            logging_level="ERROR",
        )
        ordo.rllib.register("phase1")
        algorithm = configure(program, args.seed).build_algo()
        best, curve = Best(program), []
        for iteration in range(args.iterations):
            curve.append(algorithm.train()["env_runners"]["episode_return_mean"])
            print(f"{iteration + 1}/{args.iterations} mean return {curve[-1]:.4f}", file=sys.stderr)
        best.look(algorithm, 40)
        algorithm.stop()
        ray.shutdown()
        emit(best, folder / "best")
        run("make", "-s", "-C", folder / "build", "clean")
        run("make", "-s", "-C", folder / "build", "CFLAGS=-O3", "heat")
        executable = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
        timed = subprocess.run(
            [
                executable,
                "time",
                folder / "build" / "heat",
                folder / "best",
                "--quiet",
                "--budget",
                args.budget + "s",
            ]
            + ["--", *args.arguments.split()],
            stdout=subprocess.PIPE,
            text=True,
        )
    print("| the program | instructions |\n|---|---|")
    print(f"| as the build makes it, before any pass | {initial:.0f} |\n| clang -O3 | {reference:.0f} |")
    print(f"| the best that PPO found, {len(best.actions)} passes | {best.instructions:.0f} |\n")
    print(f"The passes: `{' '.join(best.actions)}`\n\nThe best in run time, against `-O3`:\n\n```")
    print(timed.stdout.replace(str(folder) + "/", "").rstrip() + "\n```")
    if args.svg:
        args.svg.write_text(svg(curve), encoding="utf-8")


if __name__ == "__main__":
    main()
