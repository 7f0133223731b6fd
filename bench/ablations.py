"""What each part of the learned policy is worth: `./ordo bench ablations [--folder build/ablations] [--seeds 3]`.

Every row of the table is the reference with one thing changed: trained anew at one small scale, the same rollouts of
practice and the same experience for all, or the reference's weights used by another search. Rows that leave out
practice or cloning say so: the table has what each training took. Nothing is selected by what is measured: there are no
judges (--judges 0), the last weights are kept.

Each row and seed is trained, then evaluated with 100 compiles on the modules of data/studies/ablations.txt, all of
them validation modules, and kept in a folder of its own. Ctrl-C ends it; the same command goes on from there. What was
done with another ordo-train is not noticed: remove the folder after changes to it.
"""

import argparse
import html
import itertools
import json
import math
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
import zlib
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy
import reach

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build/release/bin"
OBJECTIVES = ("ir_instructions", "text_bytes")
REFERENCE = "reference"


class Row(NamedTuple):
    """The reference with other options of `ordo train policy`, or of `ordo eval`."""

    name: str
    training: tuple | None = ()  # beside those that all have; None: the weights of the reference
    method: str = "policy"


# The reference has the defaults of `ordo train policy`, which are the recipe of the shipped weights.
ROWS = (
    Row(REFERENCE),
    Row("supervised only", ("--algorithm", "none")),
    Row("practice only", ("--no-clone",)),
    Row("PPO, final reward", ("--algorithm", "ppo", "--reward", "final")),
    Row("PPO, immediate reward", ("--algorithm", "ppo", "--reward", "immediate")),
    Row("GRPO", ("--algorithm", "grpo")),
    Row("practice of all answers", ("--only", "0", "--keep", "0", "--quantile", "0.75", "--kl", "0.002")),
    Row("nothing kept", ("--keep", "0")),
    Row("without history", ("--ignore", "history")),
    Row("without ir2vec", ("--ignore", "ir2vec")),
    Row("with curriculum", ("--curriculum",)),
    Row("0.1 M parameters", ("--hidden", "96")),
    Row("2 M parameters", ("--hidden", "640")),
    Row("linear", ("--architecture", "linear")),
    Row("small MLP", ("--hidden", "64", "--blocks", "1")),  # one residual block: the least that is no linear model
    Row("feedback shuffled", None, "policy_shuffled"),
    Row("no value bound", None, "policy_unbounded"),
    Row("nearest neighbour", None, "nearest_neighbour"),
)

# Processor seconds of what has not been done before, to begin with: a training without practice, a rollout of it, and
# the evaluation of one policy.
TRAINING_S, ROLLOUT_S, EVALUATION_S = 60, 0.016, 70


class Stopped(Exception):
    """By Ctrl-C."""


class Failed(Exception):
    """One training or evaluation: the others go on."""


class Commands:
    """Runs programs, and ends them all on request: each by one Ctrl-C, after which they keep what they have done."""

    def __init__(self):
        self.lock = threading.Lock()
        self.running = set()
        self.stopped = False

    def run(self, command, log):
        """Seconds of processor time, also of its descendants, and the exit status. Output is added to `log`."""
        with open(log, "ab") as output:
            with self.lock:
                if self.stopped:
                    raise Stopped
                # In a group of its own, so that the terminal's Ctrl-C is not its second one.
                process = subprocess.Popen(
                    command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=output, start_new_session=True
                )
                self.running.add(process)
            _, status, usage = os.wait4(process.pid, 0)
            with self.lock:
                self.running.discard(process)
                process.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime, process.returncode

    def stop(self):
        with self.lock:
            self.stopped = True
            for process in self.running:
                os.kill(process.pid, signal.SIGINT)


def read_json(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def write_json(path, content):
    beside = path.with_suffix(".new")
    beside.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    beside.rename(path)


class Unit:
    """One row with one seed, in a folder of its own."""

    def __init__(self, row, seed, options):
        self.row, self.seed = row, seed
        self.folder = options.folder / row.name.replace(" ", "-").replace(",", "") / f"seed-{seed}"
        weights = self if row.training is not None else Unit(ROWS[0], seed, options)
        self.weights = weights.folder / "policy.safetensors"
        self.train_options = [str(options.experience), "--seed", str(seed), "--rollouts", str(options.rollouts)]
        self.train_options += ["--more-programs", "0", "--judges", "0", "-j", "1", "--threads", "1", *(row.training or ())]
        methods = [row.method, reach.ANSWER] if row.method.startswith("policy") else [row.method]
        self.eval_options = ["--list", str(options.list), "--methods", ",".join(methods)]
        self.eval_options += ["--compiles", str(options.compiles), "--seeds", "1", "--first-seed", str(seed)]
        self.eval_options += ["-j", "1", "-q"]

    @property
    def trains(self):
        return self.row.training is not None

    @property
    def practises(self):
        return self.trains and self.row.training != ("--algorithm", "none")

    @property
    def study(self):
        return self.folder / "study.sqlite"

    def done(self, what):
        """What was noted when `what`, a training or an evaluation, had ended; None if it has not."""
        note = read_json(self.folder / f"{what}.json")
        wanted = self.train_options if what == "training" else self.eval_options
        if note and note["options"] != wanted:
            raise SystemExit(
                f"{self.folder} is a {what} with other options ({' '.join(note['options'])});"
                " remove it, or name another --folder"
            )
        return note

    def attempt(self, what, command, commands):
        """Processor seconds of it all, with those of earlier attempts that were stopped."""
        self.folder.mkdir(parents=True, exist_ok=True)
        spent = self.folder / f"{what}-seconds.json"
        cpu_s, status = commands.run(command, self.folder / f"{what}.log")
        cpu_s += read_json(spent) or 0
        write_json(spent, cpu_s)
        if commands.stopped:
            raise Stopped
        if status != 0:
            raise Failed(f"{self.row.name}, seed {self.seed}: the {what} failed; see {self.folder}/{what}.log")
        return cpu_s

    def train(self, commands):
        made, events, checkpoint = (self.folder / name for name in ("made.safetensors", "events.jsonl", "checkpoint"))
        command = [BIN / "ordo-train", *self.train_options, "-o", made]
        command += ["--events", events, "--checkpoint", checkpoint]
        cpu_s = self.attempt("training", command, commands)
        made.rename(self.weights)
        checkpoint.unlink(missing_ok=True)
        with open(events, encoding="utf-8") as lines:
            reports = [json.loads(line) for line in lines]
        episodes = {report["batch"]: report["episodes"] for report in reports if report["stage"] == "practise"}
        note = {"options": self.train_options, "cpu_s": cpu_s, "rollouts": sum(episodes.values())}
        write_json(self.folder / "training.json", note | {"parameters": parameters(self.weights)})

    def evaluate(self, commands):
        command = [BIN / "ordo", "eval", *self.eval_options, "--policy", self.weights, "--study", self.study]
        cpu_s = self.attempt("evaluation", command, commands)
        write_json(self.folder / "evaluation.json", {"options": self.eval_options, "cpu_s": cpu_s})

    def run(self, commands):
        if self.trains and not self.done("training"):
            self.train(commands)
        if not self.done("evaluation"):
            self.evaluate(commands)


def parameters(weights):
    """How many numbers a file of weights has (docs/formats/weights.md)."""
    with open(weights, "rb") as file:
        header = int.from_bytes(file.read(8), "little")
    return (weights.stat().st_size - 8 - header) // 4


def remaining_s(units):
    """Processor seconds that the rest should take, by what the others took."""

    def typical(what, like, otherwise):
        took = [note["cpu_s"] for unit in units if like(unit) and (note := unit.done(what))]
        return sum(took) / len(took) if took else otherwise

    total = 0
    for unit in units:
        if unit.trains and not unit.done("training"):
            rollouts = int(unit.train_options[4]) if unit.practises else 0
            alike = lambda other, wanted=unit.practises: other.trains and other.practises == wanted
            total += typical("training", alike, TRAINING_S + ROLLOUT_S * rollouts)
        if not unit.done("evaluation"):
            total += typical("evaluation", lambda other: True, EVALUATION_S)
    return total


def hours(seconds):
    return f"{seconds / 3600:.1f} h" if seconds >= 5400 else f"{seconds / 60:.0f} min"


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", file=sys.stderr, flush=True)


def run_all(units, jobs):
    """Returns whether it was not stopped."""
    commands = Commands()

    def work(unit):
        if commands.stopped or unit.done("evaluation"):
            return
        if not unit.trains and not unit.weights.exists():
            return  # the reference failed, which has been said
        say(f"{unit.row.name}, seed {unit.seed}")
        try:
            unit.run(commands)
        except Failed as failure:
            say(str(failure))

    with ThreadPoolExecutor(jobs) as pool:
        try:
            # The others need the weights of the reference.
            for phase in ([u for u in units if u.trains], [u for u in units if not u.trains]):
                say(f"about {hours(remaining_s(units) / jobs)} left, {jobs} at a time")
                for future in [pool.submit(work, unit) for unit in phase]:
                    future.result()
        except (KeyboardInterrupt, Stopped):
            commands.stop()
            say("stopping; the same command goes on from here")
            return False
        except BaseException:
            commands.stop()
            raise
    return True


def figures_of(units):
    """figures[row][objective, budget][seed][program]: gains, as logarithms."""
    figures = defaultdict(lambda: defaultdict(dict))
    baselines = {}
    for unit in units:
        if not unit.done("evaluation"):
            continue
        runs = defaultdict(lambda: defaultdict(lambda: defaultdict(dict)))
        reach.read(unit.study, runs, baselines)
        for objective in OBJECTIVES:
            with_own = figures[unit.row.name]
            # What a rival answers first is its own answer.
            answer = reach.ANSWER in runs[objective]
            with_own[objective, "own"][unit.seed] = reach.gains(
                runs, baselines, objective, reach.ANSWER if answer else unit.row.method,
                evaluations=math.inf if answer else reach.GREEDY,
            )
            with_own[objective, "all"][unit.seed] = reach.gains(runs, baselines, objective, unit.row.method)
    return figures


class Difference(NamedTuple):
    """From the reference, in points."""

    mean: float
    low: float
    high: float
    by_seed: list


def resampled(gains, weights, picks, rng_of):
    """The mean of `gains` [seeds, programs] in each resample; rows with the same weights draw the same seeds."""
    drawn = rng_of(weights).integers(len(gains), size=(len(picks), len(gains)))
    counts = numpy.stack([(drawn == seed).mean(1) for seed in range(len(gains))], 1)
    return numpy.einsum("rs,sp,rp->r", counts, gains, picks, optimize=True)


def compare(row, gains, reference):
    """A hierarchical bootstrap of two arrays [seeds, programs]: programs, the same for both, and the seeds of training
    of each, the same for both if they share the weights; then REQUIRES: the same seeds."""
    paired = row.training is None
    rng = numpy.random.default_rng(1)
    programs = gains.shape[1]
    drawn = rng.integers(programs, size=(10_000, programs))
    picks = numpy.stack([(drawn == program).mean(1) for program in range(programs)], 1)
    of_weights = lambda name: numpy.random.default_rng(zlib.crc32(name.encode()))
    means = resampled(gains, REFERENCE if paired else row.name, picks, of_weights)
    differences = means - resampled(reference, REFERENCE, picks, of_weights)
    low, high = numpy.percentile(100 * differences, [2.5, 97.5])
    by_seed = 100 * (gains.mean(1) - (reference.mean(1) if paired else reference.mean()))
    return Difference(float(by_seed.mean()), float(low), float(high), [float(d) for d in by_seed])


def table_of(units):
    """A line for each row that has been evaluated: name, seeds, costs, and by objective and budget the gain in per
    cent and the difference from the reference; and the number of programs."""
    figures = figures_of(units)
    lines, programs = [], 0
    for row in {unit.row: None for unit in units}:
        if row.name not in figures:
            continue
        notes = [note for u in units if u.row == row and u.trains and (note := u.done("training"))]
        mean = lambda key: sum(note[key] for note in notes) / len(notes) if notes else None
        line = {"row": row.name, "seeds": len(figures[row.name][OBJECTIVES[0], "own"])}
        line |= {key: mean(key) for key in ("parameters", "rollouts", "cpu_s")}
        for key in itertools.product(OBJECTIVES, ("own", "all")):
            # Only programs that all rows have.
            everywhere = [set(by) for name in figures for by in figures[name][key].values()]
            common = sorted(set.intersection(*everywhere))
            programs = len(common)
            array = lambda name, seeds: numpy.array([[figures[name][key][seed][p] for p in common] for seed in seeds])
            seeds = figures[row.name][key]
            gains = array(row.name, seeds)
            line["/".join(key)] = {"gain": reach.percent(gains.mean())}
            if REFERENCE in figures and row.name != REFERENCE:
                reference = array(REFERENCE, seeds if row.training is None else figures[REFERENCE][key])
                line["/".join(key)] |= compare(row, gains, reference)._asdict()
        lines.append(line)
    return lines, programs


def cell(figure):
    text = f"{figure['gain']:+.2f} %"
    if "mean" in figure:
        text += f"; {figure['mean']:+.2f} [{figure['low']:+.2f}, {figure['high']:+.2f}]"
    return text


def columns_of(compiles):
    return [
        (f"{objective}/{budget}", f"`{objective}`, {'own answer' if budget == 'own' else f'{compiles} compiles'}")
        for objective in OBJECTIVES
        for budget in ("own", "all")
    ]


def caption(programs, options):
    return (
        f"{programs} validation modules, over `{reach.BASELINE}`. After the gain: its difference from the reference in"
        " points, with a 95 % interval by a hierarchical bootstrap over programs, which are paired, and over the seeds"
        " of training of both, which few seeds make too narrow. All with the same experience and at most"
        f" {options.rollouts:,} rollouts, without judges. The own answer of nearest neighbour is the first sequence"
        " that it measures."
    )


def markdown(lines, programs, options):
    columns = columns_of(options.compiles)
    text = "| | seeds | parameters | rollouts | CPU-min | " + " | ".join(name for _, name in columns) + " |\n"
    text += "|---|" + "---:|" * (4 + len(columns)) + "\n"
    for line in lines:
        numbers = [line["seeds"]]
        numbers += ["" if line[key] is None else f"{line[key]:,.0f}" for key in ("parameters", "rollouts")]
        numbers.append("" if line["cpu_s"] is None else f"{line['cpu_s'] / 60:.1f}")
        cells = [str(number) for number in numbers] + [cell(line[key]) for key, _ in columns]
        text += f"| {line['row']} | " + " | ".join(cells) + " |\n"
    return text + "\n" + caption(programs, options) + "\n"


def picture(lines, columns):
    """Differences from the reference as SVG: a point and its interval, and a ring for each seed."""
    left, width, height, gap = 170, 190, 24, 24
    shown = [line for line in lines if "mean" in line[columns[0][0]]]
    total = left + len(columns) * (width + gap), 44 + height * len(shown)
    parts = [
        f'<svg viewBox="0 0 {total[0]} {total[1]}" width="{total[0]}" role="img" font-size="12" fill="currentColor"'
        ' stroke="none"><title>Differences from the reference, in points, with 95 % intervals</title>'
    ]
    for i, line in enumerate(shown):
        y = 40 + height * i
        parts.append(f'<text x="{left - 10}" y="{y + 4}" text-anchor="end">{html.escape(line["row"])}</text>')
    for column, (key, name) in enumerate(columns):
        figures = [line[key] for line in shown]
        values = [0, *(f[end] for f in figures for end in ("low", "high")), *(d for f in figures for d in f["by_seed"])]
        least, most = min(values), max(values)
        start = left + column * (width + gap)
        x = lambda value: start + width * (value - least) / ((most - least) or 1)
        parts.append(f'<text x="{start}" y="12">{html.escape(name.replace("`", ""))}</text>')
        parts.append(f'<text x="{start}" y="26" opacity=".6">{least:+.2f}</text>')
        parts.append(f'<text x="{start + width}" y="26" opacity=".6" text-anchor="end">{most:+.2f}</text>')
        parts.append(f'<path d="M{x(0):.1f} 30V{total[1]}" stroke="currentColor" opacity=".4"/>')
        for i, f in enumerate(figures):
            y = 40 + height * i
            clear = f["low"] > 0 or f["high"] < 0
            colour = "#2a7de1" if clear else "currentColor"
            parts.append(f'<path d="M{x(f["low"]):.1f} {y}H{x(f["high"]):.1f}" stroke="{colour}" stroke-width="2"/>')
            parts.append(f'<circle cx="{x(f["mean"]):.1f}" cy="{y}" r="4" fill="{colour}"/>')
            for d in f["by_seed"]:
                parts.append(f'<circle cx="{x(d):.1f}" cy="{y}" r="2.5" fill="none" stroke="{colour}" opacity=".6"/>')
    return "\n".join([*parts, "</svg>"])


def page(lines, programs, options):
    columns = columns_of(options.compiles)
    rows = markdown(lines, programs, options).split("\n\n")[0].split("\n")
    cells = lambda line, tag: "".join(f"<{tag}>{html.escape(c.strip())}</{tag}>" for c in line.split("|")[1:-1])
    body = "\n".join(f"<tr>{cells(line, 'td')}</tr>" for line in rows[2:])
    return f"""<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Ablations</title><style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; }}
div {{ overflow-x: auto; }}
table {{ border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }}
th, td {{ padding: .2rem .6rem; text-align: right; border-bottom: 1px solid #8884; }}
th:first-child, td:first-child {{ text-align: left; white-space: nowrap; }}
</style></head><body>
<h1>Ablations of the learned policy</h1>
<p>Differences from the reference in points: mean, 95 % interval, and a ring for each seed; blue where the interval
excludes 0.</p>
<div>{picture(lines, columns)}</div>
<p>{html.escape(caption(programs, options).replace("`", ""))}</p>
<div><table><tr>{cells(rows[0].replace("`", ""), "th")}</tr>
{body}
</table></div></body></html>
"""


def options_of(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--folder", type=pathlib.Path, default=ROOT / "build/ablations")
    add("--seeds", type=int, default=3, help="of training, each of which is also the search's (%(default)s)")
    add("--rollouts", type=int, default=12_800, help="of practice (%(default)s)")
    add("--jobs", type=int, default=2, help="trainings and evaluations at a time (%(default)s)")
    add("--rows", help="only these, comma-separated, with the commas in their names left out")
    add("--experience", type=pathlib.Path, default=pathlib.Path("data/experience/debian.jsonl"))
    add("--list", type=pathlib.Path, default=pathlib.Path("data/studies/ablations.txt"))
    add("--compiles", type=int, default=100, help="of an evaluation (%(default)s)")
    add("--report", action="store_true", help="only write the table of what has been done")
    options = parser.parse_args(arguments)
    options.folder = options.folder.resolve()
    if options.rows:
        wanted = options.rows.split(",")
        known = {row.name.replace(",", ""): row for row in ROWS}
        if unknown := [name for name in wanted if name not in known]:
            parser.error(f"no row {unknown[0]!r}; there are {', '.join(known)}")
        options.rows = [known[name] for name in wanted]
        if ROWS[0] not in options.rows and any(row.training is None for row in options.rows):
            options.rows.insert(0, ROWS[0])
    else:
        options.rows = list(ROWS)
    return options


def harvest(options):
    lines = (ROOT / options.list).read_text(encoding="utf-8").splitlines()
    packages = sorted({line.split("/")[1] for line in lines if line.startswith("debian/")})
    if packages:
        subprocess.run([BIN / "ordo", "dataset", "harvest", *packages], cwd=ROOT, check=True, stdout=sys.stderr)


def main():
    options = options_of(sys.argv[1:])
    # Seeds take turns, so that a table of all rows is there early.
    units = [Unit(row, seed, options) for seed in range(1, options.seeds + 1) for row in options.rows]
    options.folder.mkdir(parents=True, exist_ok=True)
    complete = True
    if not options.report:
        harvest(options)
        complete = run_all(units, options.jobs)
    lines, programs = table_of(units)
    write_json(options.folder / "ablations.json", lines)
    text = markdown(lines, programs, options)
    (options.folder / "ablations.md").write_text(text, encoding="utf-8")
    (options.folder / "ablations.html").write_text(page(lines, programs, options), encoding="utf-8")
    print(text, end="")
    say(f"wrote {options.folder}/ablations.md, .html and .json")
    if not complete:
        return 130
    return 0 if all(unit.done("evaluation") for unit in units) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
