"""Processes around the environment: forked, spawned, killed, and other libraries in the same one."""

from __future__ import annotations

import os
import pathlib
import signal
import subprocess
import sys
import time
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AsyncVectorEnv

import ordo


def descendants(pid: int) -> set[int]:
    """All processes below one."""
    parents: dict[int, list[int]] = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        parents.setdefault(int(fields[1]), []).append(int(stat.parent.name))
    found: set[int] = set()
    todo = [pid]
    while todo:
        for child in parents.get(todo.pop(), []):
            found.add(child)
            todo.append(child)
    return found


def is_running(pid: int) -> bool:
    """Whether the process is there and no zombie: a zombie has given everything back."""
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


STEPS = """
import sys, numpy, ordo
single = ordo.LlvmEnv("suite/crc32", max_steps=0)
single.reset()
copy = single.fork()
vector = ordo.LlvmVectorEnv(3, program=["suite/minivm", "suite/crc32"], batch_size=2)
vector.async_reset(seed=0)
print("ready", flush=True)
while True:
    vector.send(numpy.zeros(2, int) + 20, vector.recv()[4]["env_id"])
    single.step(20)
    single.undo()
"""


@pytest.mark.parametrize("after_s", [0.1, 0.35])
def test_nothing_is_left_after_kill_9_in_the_middle_of_steps(tmp_path, after_s):
    shared_before = set(os.listdir("/dev/shm"))
    process = subprocess.Popen(
        [sys.executable, "-c", STEPS],
        stdout=subprocess.PIPE,
        env=os.environ | {"TMPDIR": str(tmp_path)},
    )
    assert process.stdout.readline() == b"ready\n"
    time.sleep(after_s)
    family = descendants(process.pid)
    assert len(family) >= 5, "a zygote and a worker for each session"
    process.send_signal(signal.SIGKILL)
    assert process.wait() == -signal.SIGKILL
    process.stdout.close()
    deadline = time.monotonic() + 10
    while any(map(is_running, family)) and time.monotonic() < deadline:
        time.sleep(0.02)
    # Memory that is shared through file descriptors (memfd) lives exactly as long as these.
    assert not [pid for pid in family if is_running(pid)]
    assert not list(tmp_path.iterdir())
    mine = {name for name in set(os.listdir("/dev/shm")) - shared_before if "ordo" in name}
    assert not mine


def test_a_closed_environment_leaves_no_worker_behind_at_exit(tmp_path):
    code = (
        "import ordo; e = ordo.LlvmEnv('suite/crc32'); e.reset(); e.step(20)\n"
        "import os, pathlib; print(os.getpid())"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code],
        env=os.environ | {"TMPDIR": str(tmp_path)},
        capture_output=True,
        check=True,
    )
    assert done.stderr == b"", "also no leak that nanobind complains of"
    assert not list(tmp_path.iterdir())


def test_a_missing_libllvm_is_named(tmp_path):
    package = pathlib.Path(ordo.__file__).parent
    copy = tmp_path / "ordo"
    copy.mkdir()
    for part in package.iterdir():
        if part.name != "_native":
            (copy / part.name).symlink_to(part.resolve())
    (copy / "__init__.py").unlink()  # Python would follow the link and find the real worker
    (copy / "_engine.py").unlink()
    for name in ("__init__.py", "_engine.py"):
        (copy / name).write_text((package / name).read_text())
    worker = copy / "_native" / "bin" / "ordo-worker"
    worker.parent.mkdir(parents=True)
    (copy / "_native" / "share").symlink_to(package / "_native" / "share")
    # A program that needs a library which is gone.
    library = tmp_path / "libLLVM-of-the-test.so"
    (tmp_path / "main.c").write_text("int main(void) { return 0; }\n")
    for command in (
        ["-shared", "-Wl,-soname,libLLVM-of-the-test.so", "-o", library],
        ["-Wl,--no-as-needed", library, "-o", worker],
    ):
        subprocess.run(["cc", *command, tmp_path / "main.c"], cwd=tmp_path, check=True)
    library.unlink()
    code = "import ordo; ordo.info()"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env=os.environ | {"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
    )
    assert "cannot start without libLLVM-of-the-test.so; install LLVM 22.1" in done.stderr


def make_one() -> gymnasium.Env:
    return ordo.LlvmEnv("suite/crc32", max_steps=4)


@pytest.mark.parametrize("context", ["spawn", "forkserver"])
def test_gymnasiums_asynchronous_vector_of_single_environments(context):
    env = AsyncVectorEnv([make_one, make_one], context=context)
    observation, info = env.reset(seed=0)
    assert observation.shape == (2, 56) and info["action_mask"].shape[0] == 2
    for _ in range(6):
        observation, *_ = env.step(np.array([20, 21]))
    single = make_one()
    single.reset()
    assert np.array_equal(single.step(20)[0], observation[0])
    single.close()
    env.close()


def test_a_forked_process_gets_an_engine_of_its_own():
    env = ordo.LlvmEnv("suite/crc32", max_steps=0)
    env.reset()
    expected = env.step(20)[0]
    with warnings.catch_warnings():
        # Python 3.12 warns of any fork in a process with threads, which pytest's has.
        warnings.simplefilter("ignore", DeprecationWarning)
        pid = os.fork()
    if pid == 0:
        status = 1
        try:
            mine = ordo.LlvmEnv("suite/crc32", max_steps=0)
            mine.reset()
            status = 0 if np.array_equal(mine.step(20)[0], expected) else 2
        finally:
            os._exit(status)
    assert os.waitpid(pid, 0)[1] == 0
    # The parent's workers have not noticed.
    assert env.step(21)[4]["status"] == "ok"
    env.close()


FORKED = """
import multiprocessing, os, sys, warnings
import numpy as np
import ordo

warnings.simplefilter("ignore", DeprecationWarning)  # Python 3.12 warns of any fork beside threads
env = ordo.LlvmEnv("suite/crc32", max_steps=0)
env.reset()
first = env.step(20)[0]


def walk():
    mine = ordo.LlvmEnv("suite/crc32", max_steps=0)
    mine.reset()
    assert np.array_equal(mine.step(20)[0], first)
    # What was inherited goes on from where it was, in workers of this process.
    assert env.step(21)[4]["status"] == "ok"


def in_pool(number):
    walk()
    return number


pid = os.fork()
if pid == 0:
    walk()
    sys.exit(0)  # through the interpreter's end, which destroys what was inherited
assert os.waitpid(pid, 0)[1] == 0
context = multiprocessing.get_context("fork")
process = context.Process(target=walk)
process.start()
process.join()
assert process.exitcode == 0
with context.Pool(2) as pool:
    assert pool.map(in_pool, range(3)) == [0, 1, 2]
pid = os.fork()
if pid == 0:
    os.execv("/bin/true", ["true"])
assert os.waitpid(pid, 0)[1] == 0
assert env.step(21)[4]["status"] == "ok"
assert ordo.stats()["workers_died"] == 0, ordo.stats()
"""


def test_forked_processes_may_make_use_and_destroy_environments_and_end_nothing_of_ours():
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""


def helper() -> int:
    """The process that our workers are forked from."""
    names = {pid: pathlib.Path(f"/proc/{pid}/stat").read_text() for pid in descendants(os.getpid())}
    (pid,) = [pid for pid, stat in names.items() if f") S {os.getpid()} " in stat and "(ordo-worker)" in stat]
    return pid


@pytest.mark.parametrize("signals", [[signal.SIGKILL], [signal.SIGSTOP]])
def test_the_process_that_starts_workers_is_replaced(signals):
    env = ordo.LlvmEnv("suite/crc32", max_steps=0)
    env.reset()
    vector = ordo.LlvmVectorEnv(2, program="suite/crc32", max_steps=0)
    vector.reset()
    other = ordo.LlvmEnv("suite/crc32", max_steps=0)
    other.reset()
    for action in (20, 21):
        expected = other.step(action)[0]
        for what in signals:
            os.kill(helper(), what)
        assert np.array_equal(env.step(action)[0], expected)
        observation, *_ = vector.step(np.array([action, action]))
        assert np.array_equal(observation[0], expected) and np.array_equal(observation[1], expected)
        fresh = ordo.LlvmEnv("suite/crc32", max_steps=0)
        fresh.reset()
        fresh.close()
    for one in (env, vector, other):
        one.close()
