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
import json
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import ablations_report
import reach
from ablations_report import REFERENCE

ROOT = pathlib.Path(__file__).resolve().parent.parent
BIN = ROOT / "build/release/bin"
SPACES = {"ir_instructions": "size", "text_bytes": "text"}  # in which `ordo tune` searches for each


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
        self.restored = options.restored
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

    def study(self, objective):
        return self.folder / f"{objective}.sqlite"

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
        """Processor seconds of it all, with those of what was noted as this part before, also if it was stopped."""
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
        command += ["--events", events, "--checkpoint", checkpoint, "--restored", self.restored]
        cpu_s = self.attempt("training", command, commands)
        made.rename(self.weights)
        checkpoint.unlink(missing_ok=True)
        with open(events, encoding="utf-8") as lines:
            reports = [json.loads(line) for line in lines]
        episodes = {report["batch"]: report["episodes"] for report in reports if report["stage"] == "practise"}
        note = {"options": self.train_options, "cpu_s": cpu_s, "rollouts": sum(episodes.values())}
        write_json(self.folder / "training.json", note | {"parameters": parameters(self.weights)})

    def evaluate(self, commands):
        for objective, space in SPACES.items():
            command = [BIN / "ordo", "eval", *self.eval_options, "--objectives", objective, "--space", space]
            command += ["--policy", self.weights, "--study", self.study(objective)]
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
            for seed in sorted({unit.seed for unit in units}):
                say(f"seed {seed}; about {hours(remaining_s(units) / jobs)} left for all, {jobs} at a time")
                # Those that train nothing need the weights of the reference.
                for trains in (True, False):
                    phase = [unit for unit in units if unit.seed == seed and unit.trains == trains]
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
    options.restored = options.folder / "experience.jsonl"
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


def restore(options):
    """Gives the experience its states, once for all trainings."""
    if options.restored.exists():
        return
    say("replaying the experience, once for all trainings")
    nothing = options.folder / "nothing.safetensors"
    command = [BIN / "ordo-train", options.experience, "--restored", options.restored, "-o", nothing]
    command += ["--no-clone", "--algorithm", "none", "-j", str(options.jobs)]
    with open(options.folder / "restore.log", "wb") as log:
        if subprocess.run(command, cwd=ROOT, check=False, stdout=log, stderr=log).returncode != 0:
            raise SystemExit(f"the experience could not be replayed; see {log.name}")


def main():
    options = options_of(sys.argv[1:])
    # Seeds take turns, so that a table of all rows is there early.
    units = [Unit(row, seed, options) for seed in range(1, options.seeds + 1) for row in options.rows]
    options.folder.mkdir(parents=True, exist_ok=True)
    complete = True
    if not options.report:
        harvest(options)
        restore(options)
        complete = run_all(units, options.jobs)
    lines, programs = ablations_report.table_of(units)
    write_json(options.folder / "ablations.json", lines)
    text = ablations_report.markdown(lines, programs, options)
    (options.folder / "ablations.md").write_text(text, encoding="utf-8")
    page = ablations_report.page(lines, programs, options)
    (options.folder / "ablations.html").write_text(page, encoding="utf-8")
    print(text, end="")
    say(f"wrote {options.folder}/ablations.md, .html and .json")
    if not complete:
        return 130
    return 0 if all(unit.done("evaluation") for unit in units) else 1


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    sys.exit(main())
