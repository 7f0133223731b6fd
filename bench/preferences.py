"""What it is worth to say a preference among metrics: `./ordo bench preferences [NAME=WEIGHTS ...]`.

With each of the weights (of `ordo train policy`; the shipped ones unless some are named), searches of 100 compiles for
instructions, for bytes and for three preferences between them (docs/pareto.md), on the modules of
data/studies/ablations.txt. The table has, for each preference, by how much what was found for it is better than
clang-Oz as that preference sees it, what was found for instructions alone or bytes alone as it sees those, and its
difference from the better of the two, with a 95 % interval over programs, which are paired (bootstrap, 10,000 resamples).

Studies lie in --folder; a run that is cut off goes on where it was.
"""

import argparse
import math
import pathlib
import sqlite3
import subprocess

import numpy
import reach

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = ROOT / "build/release/bin/ordo"
METRICS = ("ir_instructions", "text_bytes")
SHARES = (1, 0.75, 0.5, 0.25, 0)  # of the first
SHIPPED = ROOT / "data/policy/size.safetensors"


def objective(share):
    """As --objectives takes it."""
    if share in (0, 1):
        return METRICS[0] if share == 1 else METRICS[1]
    return f"{METRICS[0]}={share:g}+{METRICS[1]}={1 - share:g}"


def measure(options, study, weights):
    command = [ORDO, "eval", "--list", options.list, "--methods", "policy", "--space", "text", "--policy", weights]
    command += ["--objectives", ",".join(map(objective, SHARES)), "--compiles", str(options.compiles), "--seeds", "1"]
    subprocess.run([*command, "-j", str(options.jobs), "--study", study], cwd=ROOT, check=True)


def outcomes(path):
    """outcomes[objective][program]: log(value / clang-Oz) of each of METRICS; 0 where nothing was found, or it failed."""
    with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as study:
        bases = {}
        for program, metric, value in study.execute(
            "select program, metric, value from baseline where baseline = ? and value > 0", (reach.BASELINE,)
        ):
            bases.setdefault(program, {})[metric] = value
        found = {}
        for run, program, wanted in study.execute("select id, program, objective from run"):
            base = bases.get(program, {})
            if not base.keys() >= set(METRICS):
                continue
            values = base | dict(
                study.execute(
                    "select metric, value from checkpoint_value where run = ?"
                    " and compiles = (select max(compiles) from checkpoint where run = ?)",
                    (run, run),
                )
            )
            logs = [math.log(values[metric] / base[metric]) for metric in METRICS]
            found.setdefault(wanted, {})[program] = logs
    return found


def rows(found):
    programs = sorted(set.intersection(*(set(by_program) for by_program in found.values())))
    logs = {wanted: numpy.array([by_program[p] for p in programs]) for wanted, by_program in found.items()}
    picks = numpy.random.default_rng(1).integers(len(programs), size=(10_000, len(programs)))
    for share in SHARES:
        gains = {wanted: -both @ numpy.array([share, 1 - share]) for wanted, both in logs.items()}
        said, ends = gains[objective(share)], [gains[metric] for metric in METRICS]
        cells = [f"{reach.percent(gain.mean()):+.2f} %" for gain in (said, *ends)]
        difference = 100 * (said - max(ends, key=lambda gain: gain.mean()))
        low, high = numpy.percentile(difference[picks].mean(1), [2.5, 97.5])
        cells.append("" if share in (0, 1) else f"{difference.mean():+.2f} [{low:+.2f}, {high:+.2f}]")
        yield [f"{share:g} : {1 - share:g}", *cells]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("weights", nargs="*", metavar="NAME=WEIGHTS", help=f"[shipped={SHIPPED.relative_to(ROOT)}]")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/preferences")
    parser.add_argument("--list", type=pathlib.Path, default=pathlib.Path("data/studies/ablations.txt"))
    parser.add_argument("--compiles", type=int, default=100, help="of a search (%(default)s)")
    parser.add_argument("--jobs", type=int, default=2, help="searches at a time (%(default)s)")
    options = parser.parse_args()
    options.folder = options.folder.resolve()
    options.folder.mkdir(parents=True, exist_ok=True)
    text = ""
    for named in options.weights or [f"shipped={SHIPPED}"]:
        name, _, weights = named.partition("=")
        if not pathlib.Path(weights).exists():
            parser.error(f"'{named}' should be NAME=WEIGHTS, with a file of `ordo train policy`")
        study = options.folder / f"{name}.sqlite"
        measure(options, study, pathlib.Path(weights).resolve())
        text += f"\n| {name} | said | instructions alone | bytes alone | said, less the better alone, points |\n"
        text += "|---|---:|---:|---:|---:|\n"
        text += "".join(f"| {' | '.join(row)} |\n" for row in rows(outcomes(study)))
    print(text)


if __name__ == "__main__":
    main()
