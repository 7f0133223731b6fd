"""The suite tuned as people tune it: `./ordo bench suite [--budget 270s] [--as-is]`.

`ordo tune suite/*/` with its defaults, ten seconds a program: for bytes with unwind tables, as clang makes them for
x86-64, and without, as firmware is compiled, and for instructions; then the tables of docs/results.md and the first
one of README.md. What ordo printed is kept in build/suite, from which --as-is writes the tables without measuring.
"""

import argparse
import json
import math
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
README = ROOT / "README.md"
NO_TABLES = ("-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
# By its name in build/suite: the objective, the title of its table, its row in the README, and flags of clang.
RUNS = {
    "text_bytes": ("text_bytes", "text_bytes, with unwind tables", "bytes, with unwind tables", ()),
    "tableless": ("text_bytes", "text_bytes, without unwind tables", "bytes, without unwind tables", NO_TABLES),
    "ir_instructions": ("ir_instructions", "ir_instructions", "IR instructions", ()),
}
# What text consists of; the three of a program add up to it.
PARTS = {"code_bytes": "code", "rodata_bytes": "read-only data", "unwind_bytes": "unwind tables"}
RESAMPLES = 10_000


def measure(run, budget):
    """Tunes all programs, and keeps what is printed."""
    objective, _, _, flags = RUNS[run]
    programs = sorted(path.parent for path in (ROOT / "suite").glob("*/program.toml"))
    folder = KEPT / run
    folder.mkdir(parents=True, exist_ok=True)
    command = [ORDO, "tune", *programs, "--objective", objective, "--budget", budget, "--json", "-o", f"{folder}/"]
    done = subprocess.run(command + (["--", *flags] if flags else []), cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"suite: ordo tune failed ({done.returncode})")
    found = json.loads(done.stdout) | {"revision": revision(), "budget": budget}
    (KEPT / f"{run}.json").write_text(json.dumps(found), encoding="utf-8")


def mean(values):
    return sum(values) / len(values)


def mean_change(changes):
    """In percent, with a percentile bootstrap over programs."""
    chance = random.Random(1)
    means = sorted(mean(chance.choices(changes, k=len(changes))) for _ in range(RESAMPLES))
    low, high = means[int(0.025 * RESAMPLES)], means[int(0.975 * RESAMPLES) - 1]
    return f"{mean(changes):+.2f} % [{low:+.2f}, {high:+.2f}]"


def bare_mean(rows):
    """Of those that were measured, and how many these are, where they are not all."""
    changes = [row["bare"] for row in rows if row["bare"] is not None]
    if not changes:
        return "not measured"
    return mean_change(changes) + ("" if len(changes) == len(rows) else f" of {len(changes)}")


def number(value):
    return f"{value:,.0f}".replace(",", " ")


def percent(after, before):
    return 100 * (after / before - 1) if before else 0.0 if after == before else math.inf


def summed(found, objective):
    """Of all programs: changes in percent against clang-Oz and bare-Oz, parts of the former in points, and counts.

    A program without a result would be an error of ordo's, and is no change.
    """
    rows, failed = [], 0
    for result in found["results"]:
        failed += not result["ok"]
        row = {"name": pathlib.Path(result["file"]).name, "figures": {}, "oz": 0.0, "bare": None, "parts": dict.fromkeys(PARTS, 0.0), "code": 0.0}
        if "recipe" in result:
            figures = row["figures"] = {figure["metric"]: figure for figure in result["recipe"]["figures"]}
            whole = figures[objective]
            row["oz"] = percent(whole["tuned"], whole["baseline"])
            # Not measured where the budget was over.
            if "bare" in whole:
                row["bare"] = percent(whole["tuned"], whole["bare"])
            row["code"] = percent(figures["code_bytes"]["tuned"], figures["code_bytes"]["baseline"])
            if objective == "text_bytes":
                row["parts"] = {part: 100 * (figures[part]["tuned"] - figures[part]["baseline"]) / whole["baseline"] for part in PARTS}
        rows.append(row)
    return rows, failed


def pair(figure):
    return f"{number(figure['baseline'])} → {number(figure['tuned'])}" if figure["baseline"] or figure["tuned"] else "0"


def table(run, found):
    """A row for each program."""
    objective, title, _, flags = RUNS[run]
    rows, failed = summed(found, objective)
    in_parts = objective == "text_bytes"
    columns = ["program", "clang-Oz", "tuned", "change"] + ([*PARTS.values()] if in_parts else ["code"]) + ["bare-Oz", "change"]
    lines = [f"### {title}", "| " + " | ".join(columns) + " |", "|---" + "|---:" * (len(columns) - 1) + "|"]
    for row in rows:
        if not row["figures"]:
            lines.append(f"| {row['name']} | no result |" + " |" * (len(columns) - 2))
            continue
        whole = row["figures"][objective]
        parts = [pair(row["figures"][part]) for part in (PARTS if in_parts else ("code_bytes",))]
        bare = [number(whole["bare"]), f"{row['bare']:+.2f} %"] if row["bare"] is not None else ["not measured", ""]
        lines.append("| " + " | ".join([row["name"], number(whole["baseline"]), number(whole["tuned"]), f"{row['oz']:+.2f} %", *parts, *bare]) + " |")
    parts = [f"{mean([row['parts'][part] for row in rows]):+.2f} points" for part in PARTS] if in_parts else [f"{mean([row['code'] for row in rows]):+.2f} %"]
    bare = bare_mean(rows)
    lines.append("| **" + "** | **".join([f"mean of {len(rows)}", "", "", mean_change([row["oz"] for row in rows]), *parts, "", bare]).replace("****", "") + "** |")
    search = next(result["recipe"]["search"] for result in found["results"] if "recipe" in result)
    lines.append(f"\nWorse: {sum(row['oz'] > 0 for row in rows)}. More code: {sum(row['code'] > 0 for row in rows)}. Refused or failed a test: "
                 f"{failed}." + (f" Code alone: {mean_change([row['code'] for row in rows])}." if in_parts else "") +
                 (f" Flags `{' '.join(flags)}`." if flags else "") +
                 f" Searcher `{search['searcher']}`, space `{search['space']}`, seed {search['seed']}, {search['jobs']} workers, "
                 f"{found['budget']} for all; Ordo {found['revision']}.\n")
    return "\n".join(lines)


def overview(kept):
    """The README's table: a row for each run."""
    lines = ["| what shrinks | against clang-Oz (95 % interval) | code | read-only data | unwind tables | against bare-Oz | worse |",
             "|---|---:|---:|---:|---:|---:|---:|"]
    for run, found in kept.items():
        objective, _, title, _ = RUNS[run]
        rows, _ = summed(found, objective)
        parts = [f"{mean([row['parts'][part] for row in rows]):+.2f}" for part in PARTS] if objective == "text_bytes" else [""] * len(PARTS)
        bare = bare_mean(rows).split(" [")[0]
        lines.append(f"| {title} | {mean_change([row['oz'] for row in rows])} | " + " | ".join(parts) + f" | {bare} | {sum(row['oz'] > 0 for row in rows)} |")
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(prog="./ordo bench suite", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--budget", default="270s", help="for all programs together [%(default)s]")
    parser.add_argument("--as-is", action="store_true", help="measure nothing, write what there is")
    options = parser.parse_args()
    if not options.as_is:
        for run in RUNS:
            print(f"suite: {run}", file=sys.stderr)
            measure(run, options.budget)
    kept = {run: json.loads((KEPT / f"{run}.json").read_text(encoding="utf-8")) for run in RUNS if (KEPT / f"{run}.json").exists()}
    text = "\n".join(table(run, found) for run, found in kept.items())
    marks.insert(PAGE, "suite", text)
    marks.insert(README, "suite", overview(kept))
    print(text)


if __name__ == "__main__":
    main()
