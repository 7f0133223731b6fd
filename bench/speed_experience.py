"""What `./ordo bench speed` has measured, as experience for a policy: `python bench/speed_experience.py -o FILE`.

Of each program of suite/, with which Ordo was made, the candidates that were run beside clang -O3 (`raced` of `ordo
tune --json`). Programs of packages are for judging what is learned, and left out. Profile and decisions about calls and loops are taken off, and with them what they gained: a candidate is worth what it
gains over the same without its drafted passes. The few that look best are replayed for what a policy sees on their
way (docs/formats/experience.md).

The best of many noisy scores was also lucky, so a median of n pairs counts n / (n + 2): that is the mean of what it is
worth, after it was seen, if candidates differ about as much as a pair and a half does by noise.
"""

import argparse
import collections
import json
import math
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ORDO = pathlib.Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo"))
BASELINE, SPACE, OBJECTIVE = "clang-O3", "speed", "runtime"
OBSERVATIONS = {"autophase": ("int64", 56), "ir2vec": ("float32", 64)}
DOUBT = 2  # pairs
MAX_LENGTH = 24  # what `ordo tune` drafts


class Shell:
    """A program in `ordo shell`, as clang -O3 gets it."""

    def __init__(self, program):
        self.command = [ORDO, "shell", program, "--space", SPACE, "--level", "O3", "--baseline", BASELINE, "--json"]
        self._start()

    def _start(self):
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        self.process = subprocess.Popen(self.command, cwd=ROOT, text=True, **pipes)
        self._answer()

    def _answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError("ordo shell has ended")
        said = json.loads(line)
        return said["result"] if said["ok"] else None

    def ask(self, command):
        """What it answers, or None if it says no."""
        self.process.stdin.write(command + "\n")
        self.process.stdin.flush()
        return self._answer()

    def apply(self, action):
        """Whether that did anything; None if it failed, and then it is back at the program as given: a script of
        `ordo shell` ends where an action fails."""
        said = self.ask(f"apply {action}")
        if said:
            return said["steps"][0]["changed"]
        self.close()
        self._start()
        return None

    def state(self):
        return [self.ask(f"observe {name}")["values"] for name in OBSERVATIONS]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def plain(actions):
    """Without a profile and decisions about calls and loops, for which the pipeline is cut in halves."""
    kept = []
    for action in actions:
        if action.endswith("-before-loops"):
            kept.append(action.removesuffix("-before-loops"))
        elif action != "profile" and not action.startswith(("ordo-call<", "ordo-loop<")) and "-from-loops" not in action:
            kept.append(action)
    return tuple(kept)


def gains(outcomes):
    """Sequence -> what it is thought to gain, as a fraction of the time; of all outcomes of a program."""
    pairs, sums, failed = collections.Counter(), collections.Counter(), set()
    for outcome in outcomes:
        scores = [(plain(one["actions"]), one.get("score"), one["pairs"]) for one in outcome.get("raced", [])]
        start = max((score for sequence, score, _ in scores if sequence == (BASELINE,) and score is not None), default=0)
        for sequence, score, count in scores:
            if sequence == (BASELINE,):
                continue
            if score is None:
                failed.add(sequence)
                continue
            pairs[sequence] += count
            sums[sequence] += count * (score - start)
    worth = {s: 1 - math.exp(-sums[s] / pairs[s] * pairs[s] / (pairs[s] + DOUBT)) for s in pairs}
    return {sequence: gain for sequence, gain in worth.items() if sequence not in failed}


def replay(shell, sequence, states):
    """What of a sequence does anything, and its states by number in `states`, which grows; None if it fails."""
    def number():
        state = shell.state()
        if state not in states:
            states.append(state)
        return states.index(state)

    shell.ask("reset")
    kept, numbers = [], [number()]
    for action in sequence:
        changed = shell.apply(action)
        if changed is None:
            return None
        if changed:
            kept.append(action)
            numbers.append(number())
    return kept, numbers


def run_of(uri, outcomes, actions, best):
    """A record of the file; None if nothing looked better than the baseline."""
    worth = gains(outcomes)
    seconds = next((outcome["seconds"] for outcome in outcomes if "seconds" in outcome), None)
    order = sorted((s for s in worth if worth[s] > 0 and len(s) <= MAX_LENGTH), key=lambda s: (-worth[s], s))
    if not order or not seconds:
        return None
    shell, states, told = Shell(uri), [], []
    try:
        program_hash = shell.ask("observe ir_hash")["text"]
        for sequence in order:
            replayed = replay(shell, sequence, states) if len(told) < best else None
            if replayed and replayed[0] not in [one["names"] for one in told]:
                value = seconds * (1 - worth[sequence])
                told.append({"names": replayed[0], "values": {OBJECTIVE: value}, "states": replayed[1]})
    finally:
        shell.close()
    for one in told:
        one["actions"] = [actions.index(name) for name in one.pop("names")]
    tried = [[seconds, [actions.index(BASELINE)]], [None, []]]
    tried += [[seconds * (1 - gain), [actions.index(name) for name in s]] for s, gain in worth.items()]
    key = {"uri": uri, "hash": program_hash, "objective": OBJECTIVE, "searcher": "race", "seed": 1}
    spent = {"compiles": len(worth), "cpu_s": round(sum(outcome["took_s"] for outcome in outcomes), 1)}
    references = {BASELINE: {OBJECTIVE: seconds}}
    return key | spent | {"references": references, "tried": tried, "best": told, "states": states}


def header(actions, budget, best):
    about = json.loads(subprocess.run([ORDO, "doctor", "--json"], capture_output=True, check=False).stdout)
    version = next(row["found"] for row in about if row["name"] == "workers").split()[1]
    spaces = json.loads(subprocess.run([ORDO, "list", "spaces", "--json"], capture_output=True, check=True).stdout)
    return {
        "format": 1, "backend": "llvm", "version": version, "space": SPACE,
        "space_hash": next(row["hash"] for row in spaces if row["space"] == SPACE),
        "baseline": BASELINE, "budget": budget, "knowledge": "none", "max_length": MAX_LENGTH,
        "max_instructions": 1_000_000, "best": best, "actions": actions,
        "observations": [
            {"name": name, "version": 1, "dtype": dtype, "width": width}
            for name, (dtype, width) in OBSERVATIONS.items()
        ],
    }  # fmt: skip


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path, default=speed.FOLDER, help="[data/measured/speed]")
    parser.add_argument("--budget", default="90s", help="of the outcomes to take [%(default)s]")
    parser.add_argument("--arms", nargs="+", default=["final"], help="[final]")
    parser.add_argument("--best", type=int, default=8, help="sequences of each program [%(default)d]")
    parser.add_argument("-o", "--output", type=pathlib.Path, required=True)
    options = parser.parse_args()
    by_program = collections.defaultdict(list)
    for arm in options.arms:
        for path in sorted((options.folder / options.budget / arm).glob("*.json")):
            outcome = json.loads(path.read_text())
            if (ROOT / "suite" / outcome["program"]).exists():
                by_program[outcome["program"]].append(outcome)
    if not by_program:
        sys.exit(f"speed_experience: nothing in {options.folder / options.budget}; ./ordo bench speed makes it")
    first = Shell("suite/crc32")
    actions = [action["name"] for action in first.ask("actions")["actions"]]
    first.close()
    lines = [header(actions, options.budget, options.best)]
    for program, outcomes in sorted(by_program.items()):
        run = run_of(f"suite/{program}", outcomes, actions, options.best)
        print(f"{program}: {len(run['best']) if run else 0} sequences", file=sys.stderr)
        if run:
            lines.append(run)
    options.output.write_text("".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines))
    print(f"{options.output}: {len(lines) - 1} programs", file=sys.stderr)


if __name__ == "__main__":
    main()
