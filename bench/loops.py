"""What decisions per loop are worth: `./ordo bench loops [KERNEL…] [--targets sse2,avx2,avx512] [--lanes N] [--report]`.

Kernels of one loop each (bench/loops/), of mixed widths and of long and short trip counts, for x86-64 as it was
(SSE2), AVX2 and AVX-512 where the machine has it, all against `clang-22 -O3` with the same flags:

- ordo: `ordo tune --objective runtime --space loops`, which has nothing else to choose
- best: all widths 1 to 32 and interleave counts 1 to 8, given by `#pragma clang loop` in the source and compiled
  by clang alone (without leave to reorder floats, which Ordo does not take either); the one that takes the least
  time is chosen in ROUNDS_TO_CHOOSE rounds

Then the three executables run in turns ROUNDS times, in a random order on one processor, and a speedup is the
median over these rounds of the ratio of their processor times: the best is not measured by what chose it.

A kernel on a target takes about 2 minutes, all of them an hour and a half in one lane. Each is a line of data/measured/loops.jsonl, for git, so that a run that
is cut off goes on where it was; --report only writes, into its part of docs/results.md. --advised measures an
advisor in its place (loop_advice.py).
"""

import argparse
import functools
import json
import math
import os
import pathlib
import random
import statistics
import subprocess

import lanes
import marks
from revision import revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
KERNELS = ROOT / "bench/loops"
FOLDER = ROOT / "build/loops"
KEPT = ROOT / "data/measured/loops.jsonl"
ORDO = ROOT / "build/release/bin/ordo"
TARGETS = {
    "sse2": ("SSE2", [], "sse2"),
    "avx2": ("AVX2", ["-mavx2"], "avx2"),
    "avx512": ("AVX-512", ["-march=x86-64-v4"], "avx512vl"),
}
REACH = {"sse2": 1.15, "avx2": 1.03, "avx512": 1.03}
WIDTHS, INTERLEAVES = (1, 2, 4, 8, 16, 32), (1, 2, 4, 8)
RUN_S = 0.04  # that clang's takes
ROUNDS_TO_CHOOSE, ROUNDS = 7, 21


def compile_kernel(kernel, flags, to, pragma=None):
    hint = [f'-DHINT=_Pragma("clang loop {pragma}")'] if pragma else []
    strict = ["-mllvm", "-hints-allow-reordering=false"]
    command = ["clang-22", "-O3", *flags, *hint, *strict, "-w", KERNELS / f"{kernel}.c", "-o", to]
    subprocess.run(command, check=True)
    return to


def run_s(program, rounds, processor):
    """Processor time of one run, and what it prints."""
    read, write = os.pipe()
    pid = os.posix_spawn("/usr/bin/taskset", ["taskset", "-c", str(processor), str(program), str(rounds)], os.environ,
                         file_actions=[(os.POSIX_SPAWN_DUP2, write, 1)])
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        printed = pipe.read()
    _, status, usage = os.wait4(pid, 0)
    if status != 0:
        raise SystemExit(f"loops: {program} ended with status {status}")
    return usage.ru_utime + usage.ru_stime, printed


def times(programs, rounds, repeats, processor, chance):
    """Of each program its processor times, one in each round; all must print the same."""
    found = {name: [] for name in programs}
    expected = None
    for _ in range(repeats):
        order = list(programs)
        chance.shuffle(order)
        for name in order:
            seconds, printed = run_s(programs[name], rounds, processor)
            if expected is None:
                expected = printed
            if printed != expected:
                raise SystemExit(f"loops: {programs[name]} prints something else than the others")
            found[name].append(seconds)
    return found


def rounds_for(program, processor):
    """How often the kernel is called in RUN_S."""
    rounds = 1000
    while (seconds := min(run_s(program, rounds, processor)[0] for _ in range(3))) < RUN_S / 2:
        rounds *= 2 if seconds > RUN_S / 20 else 10
    return max(int(rounds * RUN_S / seconds), 1)


def tune(kernel, flags, rounds, budget, folder):
    """What Ordo finds: its executable, verdict and decisions."""
    made = folder / "ordo"
    command = [ORDO, "tune", KERNELS / f"{kernel}.c", "--objective", "runtime", "--space", "loops", "--run",
               f"./{kernel} {rounds}", "--jobs", str(len(os.sched_getaffinity(0))), "--budget", f"{budget}s", "--emit", "exe", "-o", made, "--recipe",
               folder / "ordo.json", "--json", "-q", "--", *flags]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
    if done.returncode != 0:
        raise SystemExit(f"loops: {kernel}: {done.stderr}")
    recipe = json.loads(done.stdout)["results"][0]["recipe"]
    decisions = [action["name"] for action in recipe["actions"] if action["name"].startswith("ordo-loop")]
    return made, {"verdict": recipe["timing"]["verdict"], "claimed": recipe["timing"].get("speedup"),
                  "decisions": decisions, "seconds": recipe["search"]["seconds"]}


def measure(kernel, target, budget):
    _, flags, _ = TARGETS[target]
    processor = max(os.sched_getaffinity(0))
    folder = FOLDER / f"{kernel}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    clang = compile_kernel(kernel, flags, folder / "clang")
    rounds = rounds_for(clang, processor)
    made, found = tune(kernel, flags, rounds, budget, folder)
    ways = {"clang": clang}
    for width in WIDTHS:
        for interleave in INTERLEAVES:
            pragma = f"vectorize_width({width}) interleave_count({interleave})"
            ways[f"{width} x {interleave}"] = compile_kernel(kernel, flags, folder / f"{width}x{interleave}", pragma)
    chance = random.Random(1)
    tried = times(ways, rounds, ROUNDS_TO_CHOOSE, processor, chance)
    best = min(tried, key=lambda name: min(tried[name]))
    last = times({"clang": clang, "ordo": made, "best": ways[best]}, rounds, ROUNDS, processor, chance)
    speedup = lambda name: statistics.median(a / b for a, b in zip(last["clang"], last[name]))
    return {"kernel": kernel, "target": target, "revision": revision(), "best": best, "ordo_speedup": speedup("ordo"),
            "best_speedup": speedup("best"), "rounds": rounds, "budget": budget, **found}


def measure_and_keep(kernel, target, budget):
    row = measure(kernel, target, budget)
    with KEPT.open("a", encoding="utf-8") as file:
        file.write(json.dumps(row) + "\n")
    print(f"{kernel:16} {target:7} ordo {row['ordo_speedup']:.3f} ({row['verdict']}), "
          f"best {row['best_speedup']:.3f} ({row['best']})", flush=True)


def read():
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def kernels():
    """Names of all there are."""
    return sorted(path.stem for path in KERNELS.glob("*.c"))


def geometric(ratios):
    """The geometric mean, and its 95 % interval: the bootstrap's percentiles, over kernels."""
    logs, chance = [math.log(ratio) for ratio in ratios], random.Random(1)
    means = sorted(statistics.fmean(chance.choices(logs, k=len(logs))) for _ in range(10000))
    return tuple(math.exp(value) for value in (statistics.fmean(logs), means[250], means[9749]))


def mean(ratios):
    if len(ratios) < 2:
        return f"{ratios[0]:.3f}"
    return "{:.3f} [{:.3f}, {:.3f}]".format(*geometric(ratios))


def summary(action):
    """"8 x 2, loop 3" of ordo-loop<3;width=8;interleave=2>; "unrolled 4, loop 3" of ordo-loop<3;unroll=4>."""
    loop, *choices = action.removeprefix("ordo-loop<").removesuffix(">").split(";")
    chosen = dict(choice.split("=") for choice in choices)
    way = f"unrolled {chosen['unroll']}" if "unroll" in chosen else f"{chosen['width']} x {chosen['interleave']}"
    return f"{way}, loop {loop}"


def report(rows):
    text = "| target | kernels | Ordo, geometric mean (95 %) | reach | best of all, the same | Ordo against that | found faster, slower |\n"
    text += "|---|---:|---:|---:|---:|---:|---:|\n"
    details = "\n| kernel | target | Ordo | decided | verdict | best of all | that is |\n|---|---|---:|---|---|---:|---|\n"
    for target, (title, _, _) in TARGETS.items():
        mine = sorted((row for row in rows if row["target"] == target), key=lambda row: row["kernel"])
        if not mine:
            continue
        ordo, best = ([row[key] for row in mine] for key in ("ordo_speedup", "best_speedup"))
        verdicts = [row["verdict"] for row in mine]
        text += (f"| {title} | {len(mine)} | {mean(ordo)} | {REACH[target]:.2f} | {mean(best)} | "
                 f"{mean([a / b for a, b in zip(ordo, best)])} | {verdicts.count('faster')}, {verdicts.count('slower')} |\n")
        for row in mine:
            decided = "; ".join(map(summary, row["decisions"])) or "nothing"
            details += (f"| {row['kernel']} | {title} | {row['ordo_speedup']:.3f} | {decided} | {row['verdict']} | "
                        f"{row['best_speedup']:.3f} | {row['best']} |\n")
    return text + details


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kernels", nargs="*", help="names of files in bench/loops [all]")
    parser.add_argument("--targets", default=",".join(TARGETS))
    parser.add_argument("--budget", type=int, default=90, help="seconds of each tuning [90]")
    parser.add_argument("--advised", nargs="?", const="vectorize", metavar="NAME",
                        help="measure an advisor in clang instead (ORDO_ADVISORS) [vectorize]")
    lanes.add_option(parser, "kernels")
    parser.add_argument("--report", action="store_true")
    given = parser.parse_args()
    if given.advised:
        import loop_advice  # it has this one's kernels and ways

        return loop_advice.main(given.advised, given.kernels or kernels(), given.targets.split(","))
    flags = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    known = {(row["kernel"], row["target"]) for row in read()}
    wanted = given.kernels or kernels()
    jobs = []
    for target in [] if given.report else given.targets.split(","):
        if TARGETS[target][2] not in flags:
            print(f"this machine has no {TARGETS[target][0]}")
            continue
        missing = [kernel for kernel in wanted if (kernel, target) not in known]
        jobs += [functools.partial(measure_and_keep, kernel, target, given.budget) for kernel in missing]
    lanes.run(jobs, given.lanes)
    rows = read()
    if rows:
        marks.insert(ROOT / "docs/results.md", "loops", report(rows))
    return None


if __name__ == "__main__":
    main()
