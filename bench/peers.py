"""Evaluations a second: Ordo's bandit against OpenTuner as people use it: `./ordo bench peers [PROGRAM…]`.

OpenTuner is stock: its own main loop, its own database, one `opt-22` process for each evaluation, whose
output is counted. Ordo's bandit is the same kind of search, by the same number of evaluations, on the same
programs and passes. They take turns in one run, because the machines this runs on are noisy; the last column
is in processor time, which others on the machine disturb less.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import re
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import ordo

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
SPACE = "compilergym-124"  # single passes, no attributes: all of it can be said to opt
MAX_LENGTH = 60
PROGRAMS = ["suite/crc32", "suite/sorts", "suite/sat", "suite/bignum"]
INSTRUCTION = re.compile(rb"^  (?!\s|\])", re.MULTILINE)  # of `opt -S`: its further lines are indented more


def processor_seconds() -> float:
    """Of this process and of the children it has waited for."""
    return sum(
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )


def theirs(compiles: int, seed: int) -> dict[str, float]:
    """OpenTuner with a process per evaluation, on what prepare() left in this folder."""
    import random

    import opentuner
    from opentuner.search.manipulator import ConfigurationManipulator, EnumParameter, IntegerParameter

    passes = json.loads(pathlib.Path("passes.json").read_text())
    random.seed(seed)

    class Tuner(opentuner.MeasurementInterface):
        def manipulator(self) -> ConfigurationManipulator:
            manipulator = ConfigurationManipulator()
            manipulator.add_parameter(IntegerParameter("length", 0, MAX_LENGTH))  # as long as ours
            for slot in range(MAX_LENGTH):
                manipulator.add_parameter(EnumParameter(f"slot{slot}", passes))
            return manipulator

        def run(self, desired_result, input, limit):
            chosen = desired_result.configuration.data
            pipeline = ",".join(chosen[f"slot{slot}"] for slot in range(chosen["length"]))
            result = self.call_program(["opt-22", f"-passes={pipeline}", "-S", "program.bc", "-o", "-"])
            if result["returncode"] != 0:
                return opentuner.Result(state="ERROR", time=float("inf"))
            return opentuner.Result(time=float(len(INSTRUCTION.findall(result["stdout"]))))

    options = [f"--test-limit={compiles}", "--no-dups"]
    before, cpu_before = time.perf_counter(), processor_seconds()
    Tuner.main(opentuner.default_argparser().parse_args(options))
    return {
        "evaluations": compiles,
        "wall_s": time.perf_counter() - before,
        "cpu_s": processor_seconds() - cpu_before,
    }


def ours(program: str, compiles: int, seed: int) -> dict[str, float]:
    """A run of `ordo eval`."""
    with tempfile.TemporaryDirectory() as folder:
        command = [ORDO, "eval", program, "--methods", "bandit", "--objectives", "ir_instructions"]
        command += ["--space", SPACE, "--compiles", str(compiles), "--max-length", str(MAX_LENGTH)]
        command += ["--first-seed", str(seed), "--seeds", "1", "--jobs", "1", "--json", "--quiet"]
        command += ["--study", f"{folder}/s.sqlite"]
        return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def prepare(program: str, folder: pathlib.Path) -> None:
    """Writes the program as clang gives it to its passes, and those that Ordo would use."""
    env = ordo.LlvmEnv(program, space=SPACE, stop_action=False)
    _, info = env.reset(seed=1)
    passes = [text for text, safe in zip(env.pipelines, info["action_mask"]) if safe] + ["default<Oz>"]
    (folder / "passes.json").write_text(json.dumps(passes))
    (folder / "program.bc").write_bytes(env.observe("bitcode"))
    env.close()


def in_a_folder(program: str, compiles: int, seed: int) -> dict[str, float]:
    """theirs(), in a process and a folder of its own: it writes a database and a log there."""
    command = [sys.executable, pathlib.Path(__file__).resolve(), "--theirs"]
    command += ["--compiles", str(compiles), "--seed", str(seed)]
    with tempfile.TemporaryDirectory() as folder:
        prepare(program, pathlib.Path(folder))
        result = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if result.returncode != 0:
        raise SystemExit(result.stderr)
    return json.loads(result.stdout.splitlines()[-1])


def main() -> None:
    """Takes turns and prints the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", nargs="*", default=PROGRAMS)
    parser.add_argument("--compiles", type=int, default=300)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--theirs", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.theirs:
        print(json.dumps(theirs(options.compiles, options.seed)))
        return
    print(f"evaluations a second, {options.compiles} an attempt, median of {options.turns} turns")
    print(f"{'program':<16} {'ordo bandit':>12} {'OpenTuner + opt-22':>19} {'ratio':>7} {'by cpu':>7}")
    ratios = []
    for program in options.programs:
        turns = [
            (ours(program, options.compiles, seed), in_a_folder(program, options.compiles, seed))
            for seed in range(options.seed, options.seed + options.turns)
        ]

        def rate(who: int, clock: str, turns: list = turns) -> float:
            return statistics.median(turn[who]["evaluations"] / turn[who][clock] for turn in turns)

        ratios.append(rate(0, "wall_s") / rate(1, "wall_s"))
        by_cpu = rate(0, "cpu_s") / rate(1, "cpu_s")
        print(
            f"{program:<16} {rate(0, 'wall_s'):>12.1f} {rate(1, 'wall_s'):>19.1f}"
            f" {ratios[-1]:>7.1f} {by_cpu:>7.1f}",
            flush=True,
        )
    print(f"{'geometric mean':<16} {'':>12} {'':>19} {statistics.geometric_mean(ratios):>7.1f}")


if __name__ == "__main__":
    main()
