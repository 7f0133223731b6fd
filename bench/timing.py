"""What verdicts about run time are worth on this machine: `./ordo bench timing [--trials N] [--power N] [--lanes N]`.

Two kinds of pairs are timed by `ordo time`, as people use it:
- equal programs, which differ in a constant that nothing reads, so that they are not recognised as the same,
  while another process loads the machine in bursts: how often is a difference claimed, and how often does an
  interval leave out 1?
- a program of 100 ms and one that does 3 % more, 60 s a trial: how often is that found?

Trials are kept in data/measured/timing.jsonl, for git, so that a run that is cut off goes on where it was; --report
only counts them. The table goes to standard output, and with --write into its part of docs/results.md.
"""

import argparse
import functools
import json
import math
import multiprocessing
import os
import random
import subprocess
import threading
import time
from pathlib import Path

import lanes
import marks
from revision import revision

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "build" / "timing"
KEPT = ROOT / "data" / "measured" / "timing.jsonl"
ORDO = ROOT / "build" / "release" / "bin" / "ordo"
TRUE_GAIN = 0.03

PROGRAM = """
#include <stdio.h>
const char tag[] = TAG;
int main(void) {
  unsigned long x = 1;
  for (long i = 0; i < ROUNDS; i++) x = x * 31 + (x >> 7);
  printf("%d\\n", x != 0);
  return 0;
}
"""


def build(name, rounds, tag):
    """PROGRAM with so many rounds, and a constant that nothing reads."""
    path = FOLDER / name
    command = ["clang-22", "-O2", "-x", "c", "-", f"-DROUNDS={rounds}", f'-DTAG="{tag}"', "-o", str(path)]
    subprocess.run(command, input=PROGRAM, text=True, check=True)
    return path


def rounds_for(seconds):
    """How many rounds take that much processor time here: the least of a few tries."""
    rounds = 20_000_000
    program = build("scale", rounds, "a")
    times = []
    for _ in range(7):
        before = os.times()
        subprocess.run([program], stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        times.append(
            after.children_user + after.children_system - before.children_user - before.children_system
        )
    return int(rounds * seconds / min(times))


def load(seed):
    """Busy and idle in turns, half a second each on average."""
    chance = random.Random(seed)
    while True:
        end = time.monotonic() + chance.expovariate(2)
        while time.monotonic() < end:
            pass
        time.sleep(chance.expovariate(2))


def trial(baseline, candidate, budget, seed):
    """What `ordo time` says of the two."""
    command = [ORDO, "time", baseline, candidate, "--budget", f"{budget}s", "--repeats", "0", "--json", "-q"]
    done = subprocess.run([*command, "--seed", str(seed)], capture_output=True, text=True, cwd=FOLDER)
    if done.returncode not in (0, 1):
        raise SystemExit(f"timing: {done.stderr}")
    found = json.loads(done.stdout)[0]
    kept = ("verdict", "why", "candidate_to_baseline", "blocks", "runs_of_a_cell", "seconds", "others_share")
    return {key: found[key] for key in kept}


def read(path):
    """The trials so far."""
    return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []


writing = threading.Lock()


def measure_one(path, kind, pair, budget, seed):
    """A trial, kept as soon as it is there."""
    # Either may be the baseline: a bias of the method would show on one side.
    first, second = pair if seed % 2 else pair[::-1]
    row = {"kind": kind, "seed": seed, "reversed": seed % 2 == 0, "revision": revision(), **trial(first, second, budget, seed)}
    with writing, path.open("a") as file:
        file.write(json.dumps(row) + "\n")


def measure(path, kind, wanted, pair, budget, at_a_time):
    """Trials of one kind, those that are missing."""
    done = {row["seed"] for row in read(path) if row["kind"] == kind}
    missing = [seed for seed in range(1, wanted + 1) if seed not in done]
    lanes.run([functools.partial(measure_one, path, kind, pair, budget, seed) for seed in missing], at_a_time)


def upper_bound(found, trials):
    """Clopper and Pearson's: the share at which so few would be found with a chance of 2.5 %."""
    low, high = 0.0, 1.0
    for _ in range(60):
        p = (low + high) / 2
        tail = sum(math.comb(trials, k) * p**k * (1 - p) ** (trials - k) for k in range(found + 1))
        low, high = (p, high) if tail > 0.025 else (low, p)
    return high


def is_found(trial):
    """Whether a true gain is what the verdict says."""
    return trial["verdict"] == ("faster" if trial["reversed"] else "slower")


def report(rows):
    """The table, in Markdown."""
    equal = [row for row in rows if row["kind"] == "equal"]
    power = [row for row in rows if row["kind"] == "gain"]
    sound = [row for row in equal if row["verdict"] != "void"]
    intervals = [row["candidate_to_baseline"] for row in sound]
    missed = sum(interval["low"] > 1 or interval["high"] < 1 for interval in intervals)
    claims = sum(row["verdict"] in ("faster", "slower") for row in equal)
    found = sum(map(is_found, power))
    wrong = sum(row["verdict"] == ("slower" if row["reversed"] else "faster") for row in power)
    text = "| what | reach | measured |\n|---|---|---|\n"
    if equal:
        most = 100 * upper_bound(claims, len(equal))
        text += (
            "| false claims on A/A pairs, another process loading the machine | ≤ 2.5 % of 400 | "
            f"{claims} of {len(equal)} (97.5 % sure: ≤ {most:.1f} %), {len(equal) - len(sound)} void |\n"
            f"| of the same trials, intervals that leave out 1 | ≤ 5 % | {missed} of {len(sound)} |\n"
        )
    if power:
        void = sum(row["verdict"] == "void" for row in power)
        seconds = sorted(row["seconds"] for row in power)[len(power) // 2]
        text += (
            f"| a true {100 * TRUE_GAIN:.0f} % found within 60 s, a program of 100 ms | ≥ 90 % | {found} of "
            f"{len(power)}; the wrong way round {wrong}, void {void}; median {seconds:.0f} s a trial |\n"
        )
    return text


def main():
    """Measures what is missing and reports."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--trials", type=int, default=400, help="of equal programs [400]")
    parser.add_argument("--power", type=int, default=50, help="of a gain of 3 %% [50]")
    lanes.add_option(parser, "trials")
    parser.add_argument("--report", action="store_true", help="measure nothing")
    parser.add_argument("--write", action="store_true", help="write the table into docs/results.md")
    options = parser.parse_args()
    FOLDER.mkdir(parents=True, exist_ok=True)
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    if not options.report:
        short, long = rounds_for(0.005), rounds_for(0.1)
        gain = (build("quick", long, "a"), build("slow", int(long * (1 + TRUE_GAIN)), "a"))
        equal = (build("one", short, "a"), build("other", short, "b"))
        noise = multiprocessing.Process(target=load, args=(1,), daemon=True)
        noise.start()
        try:
            measure(KEPT, "equal", options.trials, equal, 10, options.lanes)
        finally:
            noise.terminate()
        measure(KEPT, "gain", options.power, gain, 60, options.lanes)
    text = report(read(KEPT))
    print(text, end="")
    if options.write:
        marks.insert(ROOT / "docs" / "results.md", "timing", text)


if __name__ == "__main__":
    main()
