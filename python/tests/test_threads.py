"""Two threads in one environment: an exception, never the end of Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import numpy as np
from test_processes import descendants

import ordo


def workers() -> set[int]:
    """The workers of this process: what its zygote has started."""
    mine = os.getpid()
    return descendants(mine) - {pid for pid in descendants(mine) if parent(pid) == mine}


def parent(pid: int) -> int:
    try:
        with open(f"/proc/{pid}/stat") as stat:
            return int(stat.read().rpartition(")")[2].split()[1])
    except OSError:  # it has ended
        return 0


def both_at_once(call: Callable[[], Any], begin: Callable[[], Any] = lambda: None) -> list[Any]:
    """What two threads get of the same call, while no worker can answer the one that comes first."""
    results: list[Any] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(call())
        except ordo.Error as error:
            results.append(error)
        done.set()

    stopped = workers()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    begin()
    threads = [threading.Thread(target=run) for _ in range(2)]
    for thread in threads:
        thread.start()
    assert done.wait(60)
    for pid in stopped:
        os.kill(pid, signal.SIGCONT)
    for thread in threads:
        thread.join(60)
    return results


def test_a_second_thread_in_an_environment_is_told_so(make):
    env = make(max_steps=0)
    env.reset()
    refused, went = both_at_once(lambda: env.step(20))
    assert isinstance(refused, ordo.Error) and "in the middle of another call" in str(refused)
    assert went[4]["status"] == "ok"
    assert len(env.state()["actions"]) == 1
    assert env.step(21)[4]["status"] == "ok"


def test_a_second_thread_in_a_vector_is_told_so(make_vector):
    env = make_vector(2)
    env.reset(seed=0)
    refused, went = both_at_once(env.recv, begin=lambda: env.send(np.array([20, 21])))
    assert isinstance(refused, ordo.Error) and "in the middle of another call" in str(refused)
    assert list(went[4]["steps"]) == [1, 1]
    assert list(env.step(np.array([22, 23]))[4]["steps"]) == [2, 2]


# In a process of its own: what hangs with Python's lock cannot be ended from inside.
FORKS = """
import os, subprocess, threading, ordo, test_threads
one = ordo.LlvmEnv("suite/crc32", max_steps=0)
one.reset()
two = one.fork()
pids = " ".join(map(str, test_threads.workers()))
subprocess.run(f"kill -STOP {pids}", shell=True, check=True)
subprocess.Popen(f"sleep 0.7; kill -CONT {pids}", shell=True)
threads = [threading.Thread(target=env.step, args=(20,)) for env in (one, two)]
for thread in threads: thread.start()
for thread in threads: thread.join()
print(len(one.state()["actions"]), len([a for a in two.state()["actions"] if a != "|"]))
"""


def test_an_environment_and_its_fork_may_be_in_two_threads():
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", FORKS],
        cwd=os.path.dirname(__file__),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.stdout == "1 1\n", done.stderr


def test_close_gives_workers_back():
    count = os.cpu_count() + 3
    before = ordo.stats()["workers_started"]
    env = ordo.LlvmVectorEnv(count, program="suite/wc")
    env.reset(seed=0)
    assert len(workers()) >= count
    env.close()
    deadline = threading.Event()
    for _ in range(1000):
        if len(workers()) <= max(2, os.cpu_count()):
            break
        deadline.wait(0.01)
    assert len(workers()) <= max(2, os.cpu_count())
    assert ordo.stats()["workers_started"] >= before
