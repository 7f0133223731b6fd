"""The faults of ./ordo campaign loop."""

import contextlib
import os
import random
import signal
import sqlite3
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

from campaign_loop_stand import HAPROXY, LEASE_S, SLACK_S, Stand, signal_to

# Has something go wrong at stand.struck. The canary's share has to be 0 within so many seconds of that, if it
# says any.
Fault = Callable[[Stand, random.Random], float | None]


def store_full(stand: Stand, chance: random.Random) -> float:
    """Nothing can be written for a while."""
    ballast = stand.store / "ballast"
    with contextlib.suppress(OSError), open(ballast, "wb") as file:
        while True:
            file.write(bytes(4096))
            file.flush()
    time.sleep(chance.uniform(2 * LEASE_S + SLACK_S, 18))
    ballast.unlink()
    return 1.5 * LEASE_S


def store_readonly(stand: Stand, chance: random.Random) -> None:
    """Whoever begins cannot write it, and finds a canary that nobody is left to withdraw."""
    both_killed(stand, chance)
    if not stand.mounted:
        return
    change = ["mount", "-o", "remount,ro", str(stand.store)]  # not while somebody may write
    stand.wait("the disk", 10, lambda: subprocess.run(change, capture_output=True).returncode == 0, must=True)
    # Until then the loop is the dead one's, and who begins is refused.
    time.sleep(LEASE_S + 0.5)
    stand.start_loop()
    stand.wait("the start to fail", 60, lambda: stand.loop.poll() is not None, must=True)
    if not stand.wait("share 0", SLACK_S, lambda: not stand.shares()):
        raise AssertionError("a start that failed left the canary its share")
    subprocess.run(["mount", "-o", "remount,rw", str(stand.store)], check=True)


def store_locked(stand: Stand, chance: random.Random) -> float | None:
    """A backup, short or long."""
    seconds = chance.choice([0.5, 2.0, 14.0])
    try:
        with contextlib.closing(sqlite3.connect(stand.store / "loop.sqlite", timeout=1)) as store:
            store.execute("BEGIN EXCLUSIVE")
            time.sleep(seconds)
            store.rollback()
    except sqlite3.Error:
        return None
    return 1.5 * LEASE_S if seconds > 10 else None


def controller_killed(stand: Stand, chance: random.Random) -> float:
    """It is killed, with -9."""
    stand.loop.kill()
    time.sleep(LEASE_S + SLACK_S)
    return LEASE_S


def controller_stopped(stand: Stand, chance: random.Random) -> float:
    """Hangs, and comes back."""
    signal_to([stand.loop.pid], signal.SIGSTOP)
    time.sleep(LEASE_S + SLACK_S + chance.uniform(0, 5))
    signal_to([stand.loop.pid], signal.SIGCONT)
    return LEASE_S


def controller_ended(stand: Stand, chance: random.Random) -> float:
    """Ctrl-C, SIGTERM or the end of a session."""
    stand.loop.send_signal(chance.choice([signal.SIGINT, signal.SIGTERM, signal.SIGHUP]))
    time.sleep(LEASE_S + SLACK_S)
    return LEASE_S


def controller_aborted(stand: Stand, chance: random.Random) -> float:
    """A crash."""
    stand.loop.send_signal(chance.choice([signal.SIGABRT, signal.SIGSEGV, signal.SIGQUIT]))
    time.sleep(LEASE_S + SLACK_S)
    return LEASE_S


def watchdog_lost(stand: Stand, how: signal.Signals) -> float:
    """The watchdog, which is replaced within a tick, and later its controller."""
    old = stand.watchdogs()
    signal_to(old, how)
    stand.wait("another watchdog", 60, lambda: stand.replaced(old), must=True)
    stand.struck = time.monotonic()
    stand.loop.kill()
    time.sleep(LEASE_S + SLACK_S)
    return LEASE_S


def watchdog_killed(stand: Stand, chance: random.Random) -> float:
    """One that is gone."""
    return watchdog_lost(stand, signal.SIGKILL)


def watchdog_stopped(stand: Stand, chance: random.Random) -> float:
    """One that does not listen."""
    return watchdog_lost(stand, signal.SIGSTOP)


def both_killed(stand: Stand, chance: random.Random) -> None:
    """Nobody is left to withdraw it; the next start has to."""
    stand.loop.kill()
    stand.wait(
        "nobody", 10, lambda: signal_to(stand.family(), signal.SIGKILL) or not stand.family(), must=True
    )


def haproxy_killed(stand: Stand, chance: random.Random) -> None:
    """Comes back with what its file says."""
    stand.haproxy.kill()
    stand.haproxy.wait()
    time.sleep(chance.uniform(0, 5))
    stand.haproxy = stand.start([HAPROXY, "-f", "haproxy.cfg"])


def haproxy_stopped(stand: Stand, chance: random.Random) -> None:
    """Hangs, and comes back."""
    signal_to([stand.haproxy.pid], signal.SIGSTOP)
    time.sleep(chance.uniform(0.5, 10))
    signal_to([stand.haproxy.pid], signal.SIGCONT)


def haproxy_reloaded(stand: Stand, chance: random.Random) -> None:
    """A new one takes its place."""
    stand.haproxy = stand.start([HAPROXY, "-f", "haproxy.cfg", "-sf", str(stand.haproxy.pid)])


def prometheus_killed(stand: Stand, chance: random.Random) -> None:
    """And started again."""
    stand.prometheus.kill()
    stand.prometheus.wait()
    time.sleep(chance.uniform(0, 12))
    stand.prometheus = stand.start_prometheus()


def prometheus_stopped(stand: Stand, chance: random.Random) -> None:
    """Hangs, and comes back."""
    signal_to([stand.prometheus.pid], signal.SIGSTOP)
    time.sleep(chance.uniform(0.5, 12))
    signal_to([stand.prometheus.pid], signal.SIGCONT)


def within_step(stand: Stand, chance: random.Random) -> tuple[str, Path]:
    """Waits for the middle of a slow build or deploy: which, and the file with its process."""
    step = chance.choice(["build", "deploy", "deploy"])
    stand.write(f"{step}.slow", "1")
    running = stand.folder / f"{step}.running"
    running.unlink(missing_ok=True)
    stand.wait("a step", 20, running.exists)
    time.sleep(chance.uniform(0, 1.2))
    return step, running


def step_killed(stand: Stand, chance: random.Random) -> None:
    """A build or a deploy, kill -9, while it runs."""
    step, running = within_step(stand, chance)
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(running.read_text()), signal.SIGKILL)
    (stand.folder / f"{step}.slow").unlink()


def controller_killed_in_step(stand: Stand, chance: random.Random) -> float:
    """Or ended, while something is built or deployed."""
    step, _ = within_step(stand, chance)
    stand.struck = time.monotonic()
    stand.loop.send_signal(chance.choice([signal.SIGKILL, signal.SIGINT, signal.SIGTERM]))
    (stand.folder / f"{step}.slow").unlink()
    time.sleep(LEASE_S + SLACK_S)
    return LEASE_S


def step_slow(stand: Stand, chance: random.Random) -> None:
    """Longer than the lease."""
    step = chance.choice(["build", "deploy"])
    stand.write(f"{step}.slow", f"{chance.uniform(1, 3) * LEASE_S:.1f}")
    stand.wait("a step", 20, (stand.folder / f"{step}.running").exists)
    time.sleep(4 * LEASE_S)
    (stand.folder / f"{step}.slow").unlink()


def step_fails(stand: Stand, chance: random.Random) -> None:
    """Once, or for long."""
    step = chance.choice(["build", "deploy"])
    stand.write(f"{step}.fail", str(chance.choice([1, 2, 5])))


# What comes early, while something is built or deployed, and what comes at any time.
EARLY: list[Fault] = [step_killed, controller_killed_in_step, step_slow, step_fails]
LATE: list[Fault] = [
    store_full, store_readonly, store_locked, controller_killed, controller_stopped, controller_ended,
    controller_aborted, watchdog_killed, watchdog_stopped, both_killed, haproxy_killed, haproxy_stopped,
    haproxy_reloaded, prometheus_killed, prometheus_stopped,
]  # fmt: skip
