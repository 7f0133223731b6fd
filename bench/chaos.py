"""Kills, ends and stops Ordo's processes at random, and says whether results are right and nothing is left.

Four kinds of work take turns, each in a folder of its own: `ordo tune`, `make -j4 CC=ordo-cc`, `ordo eval`
and a Python loop over a vector of environments. While one runs, processes that belong to it are drawn by
chance and sent SIGKILL, SIGTERM, or SIGSTOP (with or without a SIGCONT later). What must hold afterwards: the
result is the one of an undisturbed run, or the exit code is a documented one and a message says what
happened; the same command, left alone, then completes; and no process, temporary folder or shared memory
remains.

A stopped process that nobody else could replace (the command itself, Python, the compilers of a build) always
goes on again: stopped for good it would hang without Ordo too.
"""

import argparse
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time

from chaos_processes import Family, wait
from chaos_work import WORKS

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

GRACE_S = 15  # for the last of a family to go
MOST_S = 1200  # that one piece of work may take: longer is no slowness of a machine with much to do


def attack(family, work, chance, log):
    """Strikes until the work is done; false if it never is."""
    start = time.monotonic()
    stopped = []  # (process, when it goes on or None)
    next_s = start + work.calm_s + chance.expovariate(1 / work.pause_s)
    while family.main.poll() is None:
        now = time.monotonic()
        family.look()
        for entry in [entry for entry in stopped if entry[1] is not None and entry[1] <= now]:
            entry[0].send(signal.SIGCONT)
            stopped.remove(entry)
        if now - start > MOST_S:
            family.end()
            return False
        if now >= next_s:
            next_s = now + chance.expovariate(1 / work.pause_s)
            strike(family, work, chance, stopped, log, now)
        time.sleep(0.02)
    for process, when in stopped:
        if when is not None:
            process.send(signal.SIGCONT)
    return True


def strike(family, work, chance, stopped, log, now):
    """One signal to one process, chosen by kind first, and seldom the command itself."""
    kinds = {}
    for process in family.living():
        if work.may_strike(process) and (process.pid != family.main.pid or chance.random() < 0.2):
            kinds.setdefault(process.name, []).append(process)
    if not kinds:
        return
    name = chance.choice(sorted(kinds))
    victim = chance.choice(sorted(kinds[name], key=lambda process: process.pid))
    main = victim.pid == family.main.pid
    what = chance.choices([signal.SIGKILL, signal.SIGTERM, signal.SIGSTOP], work.odds(victim, main))[0]
    if not victim.send(what):
        return
    log[f"{what.name} {name}"] = log.get(f"{what.name} {name}", 0) + 1
    if main and what != signal.SIGSTOP:
        family.struck_main = True
    if what == signal.SIGSTOP:
        goes_on = work.must_go_on(victim, main) or chance.random() < 0.5
        stopped.append((victim, now + chance.uniform(0.1, 3) if goes_on else None))


def one(work, seed, options):
    """Runs one piece of work under attack, and returns what is wrong with it."""
    chance = random.Random(seed)
    folder = tempfile.mkdtemp(prefix="ordo-chaos.")
    temporary = os.path.join(folder, "tmp")
    os.mkdir(temporary)
    environment = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith("ORDO_") and name != "MAKEFLAGS"
    } | {
        "TMPDIR": temporary,
        "ORDO_CACHE": os.path.join(folder, "cache"),
        "ORDO_CHAOS": folder,
        "LC_ALL": "C",
    }
    log, faults = {}, []
    shared = shared_memory()
    family = None
    try:
        item = work(ROOT, folder, environment, chance)
        item.prepare()
        family = Family(item.command, item.place, item.environment, folder)
        if not attack(family, item, chance, log):
            faults.append(f"still running after {MOST_S} s")
        else:
            faults += item.judge(family.main.returncode, family.output(), family.struck_main)
        if not wait(lambda: not family.remaining(), GRACE_S):
            faults.append("left behind: " + ", ".join(map(str, family.remaining())))
        family.end()
        faults += item.again()  # also removes what a killed process left in $TMPDIR
        left = [name for name in os.listdir(temporary) if not item.is_of_others(name)]
        if left:
            faults.append(f"left in $TMPDIR: {', '.join(sorted(left))}")
        fresh = shared_memory() - shared
        if fresh:
            faults.append(f"left in /dev/shm: {', '.join(sorted(fresh))}")
    finally:
        if family is not None:
            family.end()
        if faults and options.keep:
            print(f"chaos: {folder} is kept: {'; '.join(faults)}", file=sys.stderr)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return log, faults, item.said


def shared_memory():
    """What of ours has a name in shared memory."""
    return {name for name in os.listdir("/dev/shm") if "ordo" in name}


def parse():
    parser = argparse.ArgumentParser(prog="./ordo chaos", description=__doc__.splitlines()[0])
    parser.add_argument("minutes", nargs="?", type=float, default=30, help="how long [%(default)g]")
    parser.add_argument("--seed", type=int, default=None, help="of all that is left to chance; printed")
    parser.add_argument("--work", choices=sorted(WORKS), action="append", help="only this; may be repeated")
    parser.add_argument(
        "--rounds", type=int, default=None, help="so many pieces of work, however long they take"
    )
    parser.add_argument("--keep", action="store_true", help="keep the folders of work that went wrong")
    parser.add_argument("--json", action="store_true", help="print what was done as JSON")
    return parser.parse_args()


def main():
    options = parse()
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda *_: sys.exit(130))  # through what ends families
    seed = options.seed if options.seed is not None else int(time.time())
    works = [WORKS[name] for name in options.work or WORKS]
    missing = {work.name: work.missing(ROOT) for work in works}
    works = [work for work in works if not missing[work.name]]
    if not options.json:
        print(f"seed {seed}")
        for name, why in missing.items():
            if why:
                print(f"{name}: left out, {why}")
        sys.stdout.flush()
    if not works:
        return 69
    end = time.monotonic() + options.minutes * 60
    rounds, strikes, wrong = [], {}, 0
    while len(rounds) < options.rounds if options.rounds else time.monotonic() < end:
        number = len(rounds)
        work = works[number % len(works)]
        began = time.monotonic()
        log, faults, said = one(work, f"{seed} {number}", options)
        rounds.append({"work": work.name, "signals": log, "ended": said, "faults": faults})
        wrong += bool(faults)
        for name, count in log.items():
            strikes[name] = strikes.get(name, 0) + count
        if not options.json:
            verdict = "; ".join(faults) or "right"
            print(
                f"{number:4} {work.name:7} {time.monotonic() - began:5.1f} s  {sum(log.values()):2} signals  "
                f"{said:10} {verdict}"
            )
            sys.stdout.flush()
    if options.json:
        print(
            json.dumps(
                {
                    "format": 1,
                    "seed": seed,
                    "left_out": {k: v for k, v in missing.items() if v},
                    "signals": strikes,
                    "wrong": wrong,
                    "rounds": rounds,
                },
                indent=2,
            )
        )
    else:
        print(", ".join(f"{count} {name}" for name, count in sorted(strikes.items())))
        verdict = "every result right or a clear error, nothing left over"
        if wrong:
            verdict = f"{wrong} went wrong"
        print(f"{len(rounds)} pieces of work, {sum(strikes.values())} signals: {verdict}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
