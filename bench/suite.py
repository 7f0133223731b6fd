"""The suite tuned as people tune it: `./ordo bench suite [--budget 270s] [--as-is]`.

`ordo tune suite/*/` with its defaults, once for each objective, ten seconds a program; then the tables of docs/results.md. What
ordo printed is kept in build/suite, from which --as-is writes the tables without measuring.
"""

import argparse
import json
import pathlib
import random
import subprocess
import sys

import marks
from revision import revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = ROOT / "build/release/bin/ordo"
KEPT = ROOT / "build/suite"
PAGE = ROOT / "docs/results.md"
OBJECTIVES = ("text_bytes", "ir_instructions")
RESAMPLES = 10_000


def measure(objective, budget):
    """Tunes all programs, and keeps what is printed."""
    programs = sorted(path.parent for path in (ROOT / "suite").glob("*/program.toml"))
    folder = KEPT / objective
    folder.mkdir(parents=True, exist_ok=True)
    command = [ORDO, "tune", *programs, "--objective", objective, "--budget", budget, "--json", "-o", f"{folder}/"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"suite: ordo tune failed ({done.returncode})")
    found = json.loads(done.stdout) | {"revision": revision(), "budget": budget}
    (KEPT / f"{objective}.json").write_text(json.dumps(found), encoding="utf-8")


def mean_change(changes):
    """In percent, with a percentile bootstrap over programs."""
    chance = random.Random(1)
    means = sorted(sum(chance.choices(changes, k=len(changes))) / len(changes) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{sum(changes) / len(changes):+.2f} % [{low:+.2f}, {high:+.2f}]"


def number(value):
    return f"{value:,.0f}".replace(",", " ")


def percent(after, before):
    return 100 * (after / before - 1)


def table(objective, found):
    """A row for each program; one without a result would be an error of ordo's, and no change."""
    lines = [f"### {objective}", f"| program | {objective} tuned | clang-Oz | change | bare-Oz | change |", "|---|---:|---:|---:|---:|---:|"]
    oz, bare, worse, failed = [], [], 0, 0
    for result in found["results"]:
        name = pathlib.Path(result["file"]).name
        failed += not result["ok"]
        if "recipe" not in result:
            oz.append(0.0)
            lines.append(f"| {name} | no result | | | | |")
            continue
        figure = result["recipe"]["figures"][0]
        oz.append(percent(figure["tuned"], figure["baseline"]))
        bare.append(percent(figure["tuned"], figure["bare"]))
        worse += oz[-1] > 0
        lines.append(f"| {name} | {number(figure['tuned'])} | {number(figure['baseline'])} | {oz[-1]:+.2f} % | {number(figure['bare'])} | {bare[-1]:+.2f} % |")
    lines.append(f"| **mean of {len(oz)}** | | | **{mean_change(oz)}** | | **{mean_change(bare)}** |")
    search = next(result["recipe"]["search"] for result in found["results"] if "recipe" in result)
    lines.append(f"\nWorse: {worse}. Refused or failed a test: {failed}. Searcher `{search['searcher']}`, space `{search['space']}`, seed {search['seed']}, "
                 f"{search['jobs']} workers, {found['budget']} for all; Ordo {found['revision']}.\n")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(prog="./ordo bench suite", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", default="270s", help="for all programs together [%(default)s]")
    parser.add_argument("--as-is", action="store_true", help="measure nothing, write what there is")
    options = parser.parse_args()
    if not options.as_is:
        for objective in OBJECTIVES:
            print(f"suite: {objective}", file=sys.stderr)
            measure(objective, options.budget)
    kept = {objective: KEPT / f"{objective}.json" for objective in OBJECTIVES}
    text = "\n".join(table(objective, json.loads(path.read_text())) for objective, path in kept.items() if path.exists())
    marks.insert(PAGE, "suite", text)
    print(text)


if __name__ == "__main__":
    main()
