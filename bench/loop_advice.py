"""What an advisor makes of the kernels of bench/loops/ by itself: `./ordo bench loops --advised [NAME|FILE]`.

Each kernel by `clang-22 -O3`, by the same with `ORDO_ADVISORS=NAME` and Ordo's plugin, and by the best of the 24
ways of loops.py, all run in turns on this machine. Of the logarithm of what
the best is worth, summed over kernels, the advisor has a share: 100 % is brute force without any measurement.
How long it compiles is compared on programs of the suite, the plugin's loading counted in.
"""

import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import time

import loops
import marks
from revision import revision

KEPT = loops.ROOT / "data/measured/loop-advice.jsonl"
FOLDER = loops.ROOT / "build/loop-advice"
PLUGIN = loops.ROOT / "build/release/lib/libordo-plugin.so"
REACH = 0.85  # of the logarithm
LIKELY, ROUNDS = 6, 11  # of the ways that were tried, those that are timed again, in twice so many rounds
SUITE = ("chess/chess.c", "json/json.c", "linalg/linalg.c", "lzh/lzh.c", "regex/regex.c", "sat/sat.c")


def advised_words(advisor, flags):
    words = ["clang-22", "-O3", *flags, "-w", f"-fpass-plugin={PLUGIN}"]
    return words, {**os.environ, "ORDO_ADVISORS": advisor}


def compile_advised(kernel, flags, advisor, to):
    """The executable, and what was advised: "8x2", or "llvm"."""
    words, environment = advised_words(advisor, flags)
    done = subprocess.run([*words, "-Rpass=ordo-vectorize", loops.KERNELS / f"{kernel}.c", "-o", to], check=True,
                          capture_output=True, text=True, env=environment)
    said = [line.split("remark: ")[1] for line in done.stderr.splitlines() if "remark: a width of" in line]
    return to, "; ".join(f"{line.split()[3]}x{line.split()[9].rstrip(':')}" for line in said) or "llvm"


def try_all(kernel, flags, folder, clang, rounds, processor):
    """What each of all ways is worth, as loops.py tries them."""
    ways = {"clang": clang}
    for width in loops.WIDTHS:
        for interleave in loops.INTERLEAVES:
            pragma = f"vectorize_width({width}) interleave_count({interleave})"
            to = folder / f"{width}x{interleave}"
            ways[f"{width} x {interleave}"] = loops.compile_kernel(kernel, flags, to, pragma)
    tried = loops.times(ways, rounds, loops.ROUNDS_TO_CHOOSE, processor, random.Random(1))
    least = {name: min(seconds) for name, seconds in tried.items()}
    return {name: round(least["clang"] / each, 3) for name, each in least.items()}


def measure(kernel, target, advisor, tried, processor):
    _, flags, _ = loops.TARGETS[target]
    folder = FOLDER / f"{kernel}-{target}"
    folder.mkdir(parents=True, exist_ok=True)
    clang = loops.compile_kernel(kernel, flags, folder / "clang")
    rounds = loops.rounds_for(clang, processor)
    tried = tried or try_all(kernel, flags, folder, clang, rounds, processor)
    # Which is best is said by half of the rounds, and what it is worth by the others.
    likely = sorted(tried, key=tried.get, reverse=True)[:LIKELY]
    ways = {"clang": clang}
    for name in dict.fromkeys([*likely, *(row["best"] for row in loops.read() if row["kernel"] == kernel)]):
        if name != "clang":
            width, interleave = name.split(" x ")
            pragma = f"vectorize_width({width}) interleave_count({interleave})"
            ways[name] = loops.compile_kernel(kernel, flags, folder / f"{width}x{interleave}", pragma)
    ways["advised"], advice = compile_advised(kernel, flags, advisor, folder / "advised")
    last = loops.times(ways, rounds, 2 * ROUNDS, processor, random.Random(2))
    speedup = lambda name, part: statistics.median(a / b for a, b in zip(last["clang"][part::2], last[name][part::2]))
    best = max((name for name in ways if name != "advised"), key=lambda name: speedup(name, 0))
    return {"kernel": kernel, "target": target, "revision": revision(), "best": best, "tried": tried, "advice": advice,
            "best_speedup": speedup(best, 1), "advised_speedup": speedup("advised", 1)}


def compile_ratio(advisor, processor):
    """Processor time of compiling the suite with the advisor over that without; the median of nine rounds."""
    words, environment = advised_words(advisor, [])
    plain = [word for word in words if not word.startswith("-fpass-plugin")]
    files = [file for name in SUITE if (file := loops.ROOT / "suite" / name).exists()]

    def seconds(command, env):
        before = os.times()
        for file in files:
            subprocess.run(["taskset", "-c", str(processor), *command, "-c", file, "-o", FOLDER / "suite.o"], check=True,
                           env=env)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system

    return statistics.median(seconds(words, environment) / seconds(plain, os.environ) for _ in range(9))


def share(rows):
    """Of the logarithm of what the best is worth."""
    total = sum(max(math.log(row["best_speedup"]), 0) for row in rows)
    return sum(math.log(row["advised_speedup"]) for row in rows) / total if total > 0 else 1.0


def read():
    return [json.loads(line) for line in KEPT.read_text().splitlines()] if KEPT.exists() else []


def report(rows):
    text = "| target | kernels | advised, geometric mean (95 %) | best of all, the same | share of its logarithm | reach | slowest |\n"
    text += "|---|---:|---:|---:|---:|---:|---:|\n"
    details = "\n| kernel | target | advised | that is | best of all | that is |\n|---|---|---:|---|---:|---|\n"
    for target, (title, _, _) in loops.TARGETS.items():
        mine = sorted((row for row in rows if row.get("target") == target), key=lambda row: row["kernel"])
        if not mine:
            continue
        advised, best = ([row[key] for row in mine] for key in ("advised_speedup", "best_speedup"))
        text += (f"| {title} | {len(mine)} | {loops.mean(advised)} | {loops.mean(best)} | {100 * share(mine):.0f} % | "
                 f"≥ {100 * REACH:.0f} % | {min(advised):.3f} |\n")
        for row in mine:
            details += (f"| {row['kernel']} | {title} | {row['advised_speedup']:.3f} | {row['advice']} | "
                        f"{row['best_speedup']:.3f} | {row['best']} |\n")
    ratios = [row["compile_ratio"] for row in rows if "compile_ratio" in row]
    if ratios:
        text += f"\nCompiling {len(SUITE)} programs of the suite at -O3 takes {ratios[-1]:.3f} times clang's processor time.\n"
    return text + details


def main(advisor, kernels, targets):
    processor = max(os.sched_getaffinity(0))
    machine = pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
    known = {(row["kernel"], row["target"]): row for row in read() if "kernel" in row}
    rows = dict(known)
    begin = time.monotonic()
    for target in targets:
        if loops.TARGETS[target][2] not in machine:
            print(f"this machine has no {loops.TARGETS[target][0]}")
            continue
        for kernel in kernels:
            before = known.get((kernel, target))
            row = measure(kernel, target, advisor, before and before["tried"], processor)
            rows[kernel, target] = row
            print(f"{kernel:16} {target:7} advised {row['advised_speedup']:.3f} ({row['advice']}), "
                  f"best {row['best_speedup']:.3f} ({row['best']})", flush=True)
            KEPT.write_text("".join(json.dumps(one) + "\n" for one in rows.values()))
    every = [*rows.values(), {"compile_ratio": compile_ratio(advisor, processor)}]
    KEPT.write_text("".join(json.dumps(one) + "\n" for one in every))
    print(report(every), f"\n{time.monotonic() - begin:.0f} s", sep="")
    marks.insert(loops.ROOT / "docs/results.md", "loop advice", report(every))
