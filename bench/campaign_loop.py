#!/usr/bin/env python3
"""Faults of a loop before a real HAProxy and a real Prometheus, at random moments, and what comes of it.

    ./ordo campaign loop [N] [--seed N] [--jobs N] [--only FAULT] [--json FILE] [--keep]

Each of N times (200) `ordo loop run` tries one candidate on a service of its own (campaign_loop_service.py),
whose times are made up, so that a busy machine changes no verdict. At a random moment one fault comes: of the
store, the controller, its watchdog, HAProxy, Prometheus, a build or a deploy. A controller that has ended is
started again, as whoever starts services would. What has to be so:

- Where nobody steers any more, or nothing can be recorded, the canary's share is 0 within the lease, which
  begins with the last sign of life. HAProxy's own weights are looked at all the time.
- Once all has ended, the share is 0 and nothing of ours runs.
- Nothing is promoted but what is faster.
- No candidate is barred but those that fail, hang or crash.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from campaign_loop_faults import EARLY, LATE, Fault
from campaign_loop_stand import HAPROXY, PROMETHEUS, ROOT, SLACK_S, Stand

BAD = {"crash", "error", "hang"}
KINDS = ["fast", "same", "slow", "crash", "error", "hang"]


def attempt(
    number: int, fault: Fault, chance: random.Random, arguments: argparse.Namespace
) -> tuple[str, str, list[str]]:
    """One experiment with one fault: the candidate's kind, its outcome, and what is wrong."""
    kind = chance.choice(KINDS if fault in LATE else ["fast", "same"])
    folder = Path(tempfile.mkdtemp(prefix="ordo-campaign-loop."))
    stand = Stand(folder, number, kind, arguments.ordo)
    wrong: list[str] = []
    outcome = "none"
    try:
        stand.up()
        stand.start_loop()
        if fault in LATE:
            stand.wait("a canary", 60, stand.shares)
            time.sleep(chance.expovariate(1 / 4))
        stand.struck = time.monotonic()
        within = fault(stand, chance)
        if within is not None:
            zero = [at for at, weight in stand.seen if at >= stand.struck and weight == 0]
            if not zero or zero[0] > stand.struck + within + SLACK_S:
                after_s = time.monotonic() - stand.struck
                wrong.append(f"the canary kept its share: {stand.seen[-1]}, {after_s:.1f} s after it")
        # As whoever starts services would: again, until the experiment is over.
        end = time.monotonic() + 200
        while time.monotonic() < end and not stand.rows("SELECT 1 FROM reward"):
            if stand.loop.poll() is not None:
                time.sleep(0.5)
                if not stand.rows("SELECT 1 FROM reward"):
                    stand.start_loop()
            time.sleep(0.2)
        if stand.loop.poll() is None:
            stand.loop.send_signal(signal.SIGINT)
        if not stand.wait("the end", 60, lambda: stand.loop.poll() is not None):
            wrong.append("the controller does not end")
        if not stand.wait("share 0", SLACK_S, lambda: stand.weight() == 0):
            wrong.append(f"the canary's weight at the end is {stand.weight()}")
        if not stand.wait("nothing", SLACK_S, lambda: not stand.family()):
            wrong.append(f"{len(stand.family())} processes are left")
        ends = stand.rows("SELECT outcome, cause FROM experiment ORDER BY number")
        if not ends or not stand.rows("SELECT 1 FROM reward"):
            wrong.append(
                f"no experiment has ended: {stand.rows('SELECT state, cause, restarts FROM experiment')}"
            )
        else:
            outcome = str(ends[0][0])
        if any(one == "promoted" for one, _ in ends) and kind != "fast":
            wrong.append(f"{kind} was promoted")
        barred = stand.rows("SELECT why FROM reward WHERE censored = 1")
        if barred and kind not in BAD:
            wrong.append(f"{kind} is barred: {barred[0][0]}")
    except (AssertionError, TimeoutError, OSError, subprocess.SubprocessError) as error:
        wrong.append(f"{type(error).__name__}: {error}")
    finally:
        stand.down()
        if wrong and arguments.keep:
            (folder / "seen").write_text("\n".join(map(str, stand.seen)))
            wrong.append(f"see {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return kind, outcome, wrong


def main() -> int:
    """The exit status: 1 if anything is wrong."""
    faults = {fault.__name__: fault for fault in EARLY + LATE}
    parser = argparse.ArgumentParser(prog="ordo campaign loop", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("count", nargs="?", type=int, default=200, help="how many faults [200]")
    parser.add_argument("--seed", type=int, default=1, help="others for another number [1]")
    parser.add_argument("--jobs", type=int, default=4, help="side by side; most of them wait [4]")
    parser.add_argument("--only", choices=sorted(faults), help="this fault")
    parser.add_argument("--json", help="a file for what was found")
    parser.add_argument("--keep", action="store_true", help="keep the folders of what went wrong")
    arguments = parser.parse_args()
    arguments.ordo = Path(os.environ.get("ORDO", ROOT / "build/release/bin/ordo")).resolve()
    for program in (HAPROXY, PROMETHEUS):
        if not Path(program).exists():
            print(f"skipped: needs {program}")
            return 77
    # Whoever starts this in the background may have made all that it starts deaf to what it sends.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    for number in (signal.SIGQUIT, signal.SIGHUP):
        signal.signal(number, signal.SIG_DFL)
    names = [arguments.only] if arguments.only else list(faults)
    began = time.monotonic()
    stands: list[int] = list(range(arguments.jobs))
    results: list[tuple[str, str, str, list[str]]] = []

    def run(index: int) -> None:
        chance = random.Random(f"{arguments.seed} {index}")
        # All in turn, so that few have each; in which order is drawn.
        order = random.Random(f"{arguments.seed} {index // len(names)}").sample(names, len(names))
        name = order[index % len(names)]
        stand = stands.pop()
        try:
            kind, outcome, wrong = attempt(stand, faults[name], chance, arguments)
        finally:
            stands.append(stand)
        results.append((name, kind, outcome, wrong))
        print(f"{index:4} {name:26} {kind:6} {outcome:13} {'; '.join(wrong)}", flush=True)

    with ThreadPoolExecutor(arguments.jobs) as pool:
        list(pool.map(run, range(arguments.count)))
    bad = [one for one in results if one[3]]
    outcomes = Counter(f"{kind} {outcome}" for _, kind, outcome, _ in results)
    print(", ".join(f"{count} {what}" for what, count in sorted(outcomes.items())))
    print(
        f"{len(results)} faults in {time.monotonic() - began:.0f} s, seed {arguments.seed}: {len(bad)} wrong"
    )
    if arguments.json:
        found = {"faults": len(results), "seed": arguments.seed, "outcomes": outcomes, "wrong": bad}
        Path(arguments.json).write_text(json.dumps(found, indent=1) + "\n")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
