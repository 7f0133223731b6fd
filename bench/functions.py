"""What choices by function are worth: `./ordo bench functions [--budget 10s] [--programs FILE|URI…] [--as-is]`,
and in a build `./ordo bench functions --quick 0.2`; `--reach` makes the table of what was wanted (functions_reach.py).

Each program is tuned in several ways with the same budget, one after the other on one core: one sequence for the whole
program; a sequence for each function, the mined ones first; and the same without what was mined (chance). Figures are
changes over clang-Oz: unweighted means over programs, with a percentile bootstrap, by size of the program, and each way
against the first, with the processor time of both. What came of a program is kept in build/functions, from which the
same command goes on, and --as-is prints without measuring.
"""

import argparse
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = ROOT / "build/release/bin/ordo"
KEPT = ROOT / "build/functions"
RESAMPLES = 10_000
WAYS = {
    "whole": ("one sequence for the program", ["--no-functions"]),
    "mined": ("one for each function", []),
    "chance": ("the same, nothing mined", ["--knowledge", str(KEPT / "knowledge/debian.json")]),
}
QUICK_WAYS = {
    "whole": ("one sequence for the file", []),
    "mined": ("and one for each function", []),
    "chance": ("the same, nothing mined", []),
    "alike": ("mined, and functions that are alike say more of each other", []),
}
#: Bytes of code of the baseline.
SIZES = ((0, 10_000), (10_000, 100_000), (100_000, 10**9))


def children_s():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def tuned(program, way, objective, budget):
    """What `ordo tune` came to, or why it failed."""
    place = KEPT / f"{objective}-{budget}" / way / (program.replace("/", "_") + ".json")
    if place.exists():
        return json.loads(place.read_text(encoding="utf-8"))
    place.parent.mkdir(parents=True, exist_ok=True)
    recipe = place.with_suffix(".recipe")
    command = [ORDO, "tune", program, "--objective", objective, "--budget", budget, "--jobs", "1", "-q",
               "-o", place.with_suffix(".o"), "--recipe", recipe, *WAYS[way][1]]
    before = children_s()
    done = subprocess.run(["taskset", "-c", "0", *command], cwd=ROOT, capture_output=True, text=True, check=False)
    row = {"program": program, "cpu_s": children_s() - before}
    if done.returncode:
        # It is not kept: the next time it is tried again.
        row["failure"] = (done.stderr.strip().splitlines() or ["without a word"])[-1]
        return row
    figures = json.loads(recipe.read_text(encoding="utf-8"))["figures"]
    row |= {figure["metric"]: [figure["baseline"], figure["tuned"]] for figure in figures}
    place.write_text(json.dumps(row), encoding="utf-8")
    return row


def answered(program, objective, seconds):
    """What ordo-cc's search comes to, by way (bench/quick_answers.cpp)."""
    place = KEPT / f"{objective}-quick-{seconds:g}s" / (program.replace("/", "_") + ".json")
    if not place.exists():
        place.parent.mkdir(parents=True, exist_ok=True)
        command = ["taskset", "-c", "0", ROOT / "build/release/bin/quick_answers", objective, f"{seconds:g}",
                   KEPT / "knowledge/debian.json", program]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        if done.returncode:
            raise SystemExit(f"functions: {program}: {done.stderr.strip()}")
        place.write_text(done.stdout, encoding="utf-8")
    return {row["way"]: row for row in map(json.loads, place.read_text(encoding="utf-8").splitlines())}


def change(row, objective):
    """In percent; a failure is no change."""
    if objective not in row:
        return 0.0
    before, after = row[objective]
    return 100 * (after / before - 1) if before else 0.0


def with_interval(values):
    if not values:
        return "-"
    chance = random.Random(1)
    means = sorted(sum(chance.choices(values, k=len(values))) / len(values) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{sum(values) / len(values):+.2f} % [{low:+.2f}, {high:+.2f}]"


def report(rows, objective, budget, ways):
    print(f"\n{objective} over clang-Oz, {budget} a program, one core")
    print(f"| way | {' | '.join(f'{low:,} to {high:,} bytes' if high < 10**9 else f'from {low:,}' for low, high in SIZES)} "
          "| against the first | processor time |")
    print("|---|" + "---|" * (len(SIZES) + 2))
    first = {row["program"]: change(row, objective) for row in rows["whole"]}
    for way, (words, _) in ways.items():
        cells = []
        for low, high in SIZES:
            inside = [change(row, objective) for row in rows[way] if low <= row.get("code_bytes", [0])[0] < high]
            cells.append(f"{with_interval(inside)} of {len(inside)}")
        beside = with_interval([change(row, objective) - first[row["program"]] for row in rows[way]])
        print(f"| {words} | {' | '.join(cells)} | {'' if way == 'whole' else beside} | {sum(row.get('cpu_s', 0) for row in rows[way]):.0f} s |")
    for way in ways:
        for row in rows[way]:
            if "failure" in row:
                print(f"{way}: {row['program']} failed: {row['failure']}")


def keep_alone():
    """The knowledge of whole programs, without that of functions beside it."""
    alone = KEPT / "knowledge"
    alone.mkdir(parents=True, exist_ok=True)
    shutil.copy(ROOT / "data/knowledge/debian.json", alone / "debian.json")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", default="10s")
    parser.add_argument("--objective", default="code_bytes")
    parser.add_argument("--programs", nargs="+", default=[str(ROOT / "data/studies/validation-small.txt")],
                        help="lists of programs, or programs")
    parser.add_argument("--limit", type=int, default=10**9, help="of the list, the first")
    parser.add_argument("--quick", type=float, metavar="SECONDS", help="of a file, as ordo-cc answers")
    parser.add_argument("--as-is", action="store_true", help="of what was measured")
    args = parser.parse_args()
    keep_alone()
    programs = []
    for name in args.programs:
        path = pathlib.Path(name)
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else [name]
        programs += [line.strip() for line in lines if line.strip() and not line.startswith("#")]
    programs = programs[: args.limit]
    if args.quick is not None:
        answers = [answered(program, args.objective, args.quick) for program in programs]
        rows = {way: [answer[way] for answer in answers] for way in QUICK_WAYS}
        report(rows, args.objective, f"{args.quick:g} s", QUICK_WAYS)
        if args.objective != "code_bytes":
            report(rows, "code_bytes", f"{args.quick:g} s for {args.objective}", QUICK_WAYS)
        return
    rows = {way: [] for way in WAYS}
    for number, program in enumerate(programs, 1):
        if not args.as_is:
            print(f"{number} of {len(programs)}: {program}", file=sys.stderr, flush=True)
        for way in WAYS:
            kept = KEPT / f"{args.objective}-{args.budget}" / way / (program.replace("/", "_") + ".json")
            if not args.as_is or kept.exists():
                rows[way].append(tuned(program, way, args.objective, args.budget))
    both = set.intersection(*({row["program"] for row in rows[way]} for way in WAYS))
    rows = {way: [row for row in rows[way] if row["program"] in both] for way in WAYS}
    if not both:
        raise SystemExit("functions: nothing was measured")
    report(rows, args.objective, args.budget, WAYS)


if __name__ == "__main__":
    main()
