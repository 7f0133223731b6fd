"""How much faster than clang -O3 programs can be made: `./ordo bench speed [--split test] [--programs NAME…]`.

Programs of suite/ and programs/, whose packages are fetched. For each, in turn, as --arms says:
- final: `ordo tune --objective runtime -- -march=native` for --budget; the result is timed against clang -O3 with the
  same flags, by trials as docs/timing.md has them. Programs of several sources are one module on both sides.
- profile: a rival, the same module by clang -O3 -fprofile-use, trained on the program's first run, timed by `ordo time`
  on all of them for a third of that.
- immediate: as final, with --reward immediate.
- policy: as final, with half of the drafts by the policy for run time (bench/speed_experience.py); the others have none.

As many programs at a time as --lanes says, each with a processor of its own, for all that is done. Each outcome is
kept in data/measured/speed/BUDGET/ARM/, for git, as soon as it is there: a run that is cut off goes on where it was. Programs
of which nothing can be said count as unchanged, and are listed; --void-again gives them a second session. What is kept goes into its part of docs/results.md.
"""

import argparse
import functools
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import tomllib

import lanes
import marks
import speed_page
from revision import revision

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = pathlib.Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo"))
PACKAGES = ROOT / "programs/packages.toml"
FOLDER = ROOT / "data/measured/speed"
FLAGS = ["-march=native"]
MOST_SESSIONS = 2  # of a program, if the first was void
SHARE_OF_RIVAL = 1 / 3  # of the budget: a trial of its own, with nothing to look for


class Unusable(Exception):
    """There is no figure; why."""


def say(text):
    print(f"speed: {text}", file=sys.stderr, flush=True)


def programs():
    """All that can be measured: name -> (folder, split). Ordo was made with the suite at hand: it is for choices."""
    found = {path.parent.name: (path.parent, "validation") for path in ROOT.glob("suite/*/program.toml")}
    for package in tomllib.loads(PACKAGES.read_text())["package"]:
        for name in package["programs"]:
            found[name] = (ROOT / "programs" / name, package["split"])
    return dict(sorted(found.items()))


def run(command, codes=(0,), **options):
    """Runs a command that ends with one of `codes`; returns its standard output."""
    done = subprocess.run([str(word) for word in command], capture_output=True, check=False, **options)
    # Ctrl-C reaches what runs first: that is no outcome of the program.
    if done.returncode in (130, -signal.SIGINT):
        raise KeyboardInterrupt
    if done.returncode not in codes:
        raise Unusable(f"{pathlib.Path(command[0]).name}: {done.stderr.decode(errors='replace').strip()[-400:]}")
    return done.stdout


def tuned(folder, seconds, work, *options):
    """What `ordo tune` says of a program, the trial's figures, and how candidates did before."""
    command = [ORDO, "tune", folder, "--objective", "runtime", "--budget", f"{seconds:g}s", "--json", "--quiet"]
    command += ["--jobs", len(os.sched_getaffinity(0)), *options]
    said = run([*command, "-o", work / "tuned.o", "--recipe", work / "tuned.ordo.json", "--", *FLAGS])
    result = json.loads(said)["results"][0]
    recipe = result["recipe"]
    more = {"seconds": recipe["figures"][0]["baseline"], "actions": [action["name"] for action in recipe["actions"]]}
    return recipe["timing"] | more | {"raced": result.get("raced", [])}


class Module:
    """A program as one module before any pass, and what stock clang makes of it."""

    def __init__(self, folder, work):
        self.folder, self.work = folder, work
        self.manifest = tomllib.loads((folder / "program.toml").read_text())
        self.driver = "clang++-22" if self.manifest["language"] == "c++" else "clang-22"
        self.flags = ["-O3", *self.manifest.get("cflags", []), *FLAGS]
        parts = []
        for number, source in enumerate(self.manifest.get("sources") or [self.manifest["source"]]):
            parts.append(work / f"{number}.bc")
            passless = ["-w", "-Xclang", "-disable-llvm-passes", "-emit-llvm", "-c"]
            run([self.driver, *self.flags, *passless, source, "-o", parts[-1]], cwd=folder)
        run(["llvm-link-22", *parts, "-o", work / "whole.bc"])

    def build(self, name, *options):
        """An executable."""
        quiet = ["-Qunused-arguments", "-w", *options]
        compiled, made = self.work / f"{name}.o", self.work / name
        command = [self.driver, *self.flags, *quiet, "-x", "ir", "-c", self.work / "whole.bc", "-o", compiled]
        run(command, cwd=self.folder)
        run([self.driver, *quiet, compiled, *self.manifest.get("ldflags", []), "-o", made], cwd=self.folder)
        return made

    def train(self):
        """The profile of the first run."""
        first = self.manifest["run"][0]
        part = lambda key: (self.folder / first[key]).read_bytes() if key in first else b""
        given = part("before") + part("stdin") * first.get("repeat", 1) + part("after")
        watched = self.build("watched", "-fprofile-generate")
        environment = os.environ | {"LLVM_PROFILE_FILE": str(self.work / "raw")}
        command, codes = [watched, *first.get("args", [])], (first.get("exit", 0),)
        run(command, codes, input=given, cwd=self.folder, env=environment)
        run(["llvm-profdata-22", "merge", self.work / "raw", "-o", self.work / "profile"])
        return self.work / "profile"


def rival(folder, seconds, work):
    """clang -O3 with a profile against clang -O3."""
    module = Module(folder, work)
    pair = [module.build("plain"), module.build("trained", f"-fprofile-use={module.train()}")]
    command = [ORDO, "time", *pair, "--program", folder, "--budget", f"{seconds * SHARE_OF_RIVAL:g}s", "--json"]
    comparison = json.loads(run(command, (0, 1)))[0]
    interval = comparison.get("candidate_to_baseline") or {"speedup": 1.0, "low": 1.0, "high": 1.0}
    return {"verdict": comparison["verdict"], "why": comparison["why"]} | interval


# What is done with a program: (folder, seconds, work folder) -> verdict, why, speedup and what else is known.
ARMS = {
    "final": tuned,
    "profile": rival,
    "immediate": lambda *what: tuned(*what, "--reward", "immediate"),
    "policy": lambda *what: tuned(*what, "--policy", ROOT / "data/policy/speed.safetensors"),
}

fetching = threading.Lock()


def fetch(name, folder):
    """The sources of a package's program."""
    if folder.parent.name != "programs":
        return
    with fetching:
        if subprocess.run([ROOT / "programs/fetch.py", name], check=False).returncode != 0:
            raise SystemExit(f"speed: {name} could not be fetched")


def measure(name, folder, split, arm, seconds, sessions):
    """The outcome of a program, or why there is none, after `sessions` that were void."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory() as work:
        try:
            outcome = ARMS[arm](folder, seconds, pathlib.Path(work))
        except Unusable as reason:
            outcome = {"verdict": "failed", "why": str(reason), "speedup": 1.0}
    about = {"program": name, "split": split, "sessions": sessions + 1, "budget_s": seconds, "date": time.strftime("%Y-%m-%d"),
             "revision": revision()}
    return about | outcome | {"took_s": round(time.monotonic() - began, 1), "load": round(os.getloadavg()[2], 1)}


def keep(outcome, path):
    """Writes it, whole whenever one looks."""
    half = path.with_suffix(".tmp")
    half.write_text(json.dumps(outcome, indent=1) + "\n")
    half.replace(path)


def void_so_far(path):
    """Whether there were sessions, and nothing could be said but that another might tell."""
    if not path.exists():
        return False
    outcome = json.loads(path.read_text())
    return outcome["verdict"] == "void" and outcome.get("sessions", 1) < MOST_SESSIONS


def measure_one(name, folder, split, arm, path, seconds, again):
    """Measures and keeps; without `again` void sessions are counted."""
    fetch(name, folder)
    void = json.loads(path.read_text()).get("sessions", 1) if path.exists() and not again else 0
    outcome = measure(name, folder, split, arm, seconds, void)
    keep(outcome, path)
    say(f"{speed_page.one_line(arm, outcome)} ({outcome['took_s']:.0f} s)")


def outcomes_in(kept):
    """All there are: arm -> program -> outcome."""
    return {
        arm: {path.stem: json.loads(path.read_text()) for path in sorted((kept / arm).glob("*.json"))} for arm in ARMS
    }


def main():
    known = programs()
    parser = argparse.ArgumentParser(
        prog="./ordo bench speed", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--programs", nargs="+", metavar="NAME", choices=known, default=[], help="[all of the split]")
    parser.add_argument("--split", choices=("validation", "test", "all"), default="validation", help="[%(default)s]")
    parser.add_argument("--arms", nargs="+", choices=ARMS, default=["final", "profile"], help="[final profile]")
    parser.add_argument("--budget", type=float, default=90, help="seconds for each program [%(default)g]")
    lanes.add_option(parser, "programs")
    parser.add_argument("--again", action="store_true", help="forget what is known of these")
    parser.add_argument("--void-again", action="store_true", help="a second session for what was void")
    parser.add_argument("--as-is", action="store_true", help="measure nothing, write what there is")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER, help="[data/measured/speed]")
    parser.add_argument(
        "--others", type=pathlib.Path, help="where immediate, policy and the final beside them are, if an earlier Ordo made them"
    )
    parser.add_argument("--page", type=pathlib.Path, default=ROOT / "docs/results.md", help="[docs/results.md]")
    options = parser.parse_args()
    kept = options.folder / f"{options.budget:g}s"
    todo = []
    for name, (folder, split) in {} if options.as_is else known.items():
        for arm in options.arms:
            path = kept / arm / f"{name}.json"
            path.parent.mkdir(parents=True, exist_ok=True)
            wanted = name in options.programs if options.programs else options.split in (split, "all")
            if wanted and (options.again or not path.exists() or options.void_again and void_so_far(path)):
                todo.append((name, folder, split, arm, path))
    try:
        jobs = [functools.partial(measure_one, *what, options.budget, options.again) for what in todo]
        lanes.run(jobs, options.lanes)
    except KeyboardInterrupt:
        say("stopped; the same command goes on")
        sys.exit(130)
    outcomes = outcomes_in(kept)
    left = {name: split for name, (_, split) in known.items() if name not in outcomes["final"]}
    others = outcomes_in(options.others / f"{options.budget:g}s") if options.others else outcomes
    text = speed_page.page(outcomes, others, left, options.budget)
    marks.insert(options.page, "speed", text)
    print(text)


if __name__ == "__main__":
    main()
