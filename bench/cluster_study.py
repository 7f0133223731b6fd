"""A study on two machines beside one (cluster.py)."""

from __future__ import annotations

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python" / "tests" / "ray"))

import ray_parts  # noqa: E402

import ordo  # noqa: E402

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
PROGRAMS = [f"suite/{name}" for name in ("base64", "crc32", "editdist", "life", "wc")]
TICK = os.sysconf("SC_CLK_TCK")


def command(study: pathlib.Path, compiles: int, *where: str) -> list[str]:
    """The study that parts make: 20 packets."""
    how = ["--methods=random,greedy,evolutionary", "--objectives=ir_instructions", "--seeds=4", "--quiet"]
    return [str(ORDO), "eval", *PROGRAMS, *how, f"--compiles={compiles}", "--study", str(study), *where]


def here(options: argparse.Namespace) -> tuple[list[str], float]:
    """What this machine finds without Ray, with one processor, and its seconds; kept in the folder."""
    study, seconds = (options.folder / f"here-{options.compiles}{end}" for end in (".sqlite", ".s"))
    if not seconds.exists():
        study.unlink(missing_ok=True)
        start = time.perf_counter()
        subprocess.run(
            ["taskset", "-c", "0", *command(study, options.compiles, "--jobs=1")], cwd=ROOT, check=True
        )
        seconds.write_text(str(time.perf_counter() - start))
    return ray_parts.findings(study), float(seconds.read_text())


def processor_s(process: int) -> float:
    """What a process has used itself."""
    try:
        words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICK


class Watch:
    """Looks once a second how many machines have a packet, and what the processes beside packets use."""

    def __init__(self, cluster: ray_parts.Cluster):
        self._cluster = cluster
        self._begin = {p: processor_s(p) for p in cluster.processes()}
        self._now: dict[int, float] = dict(self._begin)
        self._looks: list[tuple[float, int, float]] = []  # when, machines with a packet, seconds used so far
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look)
        self._thread.start()

    def _look(self) -> None:
        while not self._end.wait(1):
            self._now |= {p: processor_s(p) for p in self._cluster.processes()}
            used = sum(now - self._begin.get(p, 0.0) for p, now in self._now.items())
            self._looks.append((time.perf_counter(), self._cluster.busy(), used))

    def stop(self) -> tuple[float, float, float]:
        """Processor seconds of Ray, how many there are a second once all machines have had a packet, and the mean
        number of machines with one, from the first on."""
        self._end.set()
        self._thread.join()
        first = next((at for at, (_, busy, _) in enumerate(self._looks) if busy), 0)
        all_ = next((at for at, (_, busy, _) in enumerate(self._looks) if busy > 1), first)
        busy = [busy for _, busy, _ in self._looks[first:]]
        (begin, _, before), (end, _, after) = self._looks[all_], self._looks[-1]
        return after, (after - before) / max(end - begin, 1e-9), sum(busy) / len(busy)


def study_on(cluster: ray_parts.Cluster, file: pathlib.Path, compiles: int) -> tuple[float, float]:
    """Seconds of a study there, and those of the processor for who hands it out."""
    start = time.perf_counter()
    where = ["--ray", cluster.address]
    process = subprocess.Popen(
        [*cluster.inside, *command(file, compiles, *where)], cwd=ROOT, env=cluster.environment
    )
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit(f"cluster: ordo eval --ray ended with {process.returncode}")
    return time.perf_counter() - start, used.ru_utime + used.ru_stime


def study(options: argparse.Namespace) -> list[str]:
    """One machine of one processor, two of them, and no Ray at all."""
    compiles = options.compiles
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        found, alone = here(options)
        cluster = ray_parts.cluster(folder, processor=0)
        try:
            study_on(cluster, folder / "warm", 10)
            one, _ = study_on(cluster, folder / "one", compiles)
            cluster.start("other", processor=1)
            study_on(cluster, folder / "warm2", 10)
            watch = Watch(cluster)
            try:
                two, ours = study_on(cluster, folder / "two", compiles)
            finally:
                rays, rate, busy = watch.stop()
        finally:
            cluster.stop()
        same = found == ray_parts.findings(folder / "one") == ray_parts.findings(folder / "two")
    where = cluster.together and f", both at 127.0.0.1 ({cluster.together})"
    return [
        f"| `ordo eval --ray` on two nodes{where}: the rows of one machine | yes | {'yes' if same else '**no**'} |",
        f"| against one node | ≥ 1.8 times as fast | {one / two:.2f} ({one:.0f} s, {two:.0f} s; without Ray on "
        f"one processor {alone:.0f} s; {busy:.2f} nodes of 2 had a packet on average) |",
        f"| of the processors' time in Ray and us | ≤ 3 % | {100 * (rays + ours) / (2 * two):.1f} % ({rays:.1f} s in "
        f"Ray and {ours:.1f} s in the coordinator, with their start, of {2 * two:.0f} s); Ray, once both nodes have "
        f"had a packet: {50 * rate:.1f} % |",
    ]
