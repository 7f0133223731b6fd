"""A Ray cluster of several machines on this one, and what a study found."""

from __future__ import annotations

import contextlib
import os
import pathlib
import secrets
import signal
import socket
import sqlite3
import subprocess
import sys
import time

#: Of a study: what differs from run to run.
_VARIES = {"cpu_s", "wall_s", "peak_bytes", "worker_cpu_s", "method_cpu_s", "harness_cpu_s", "start_cpu_s"}


def findings(study: pathlib.Path) -> list[str]:
    """All that a study holds but times, memory, notes and the order in which runs ended."""
    database = sqlite3.connect(study)
    uris = dict(database.execute("select id, uri from program"))
    keys = database.execute("select id, method, program, objective, seed from run")
    runs = {number: [method, uris[program], *rest] for number, method, program, *rest in keys}
    lines = []
    for (table,) in database.execute("select name from sqlite_master where type = 'table'"):
        columns = [row[1] for row in database.execute(f"pragma table_info({table})")]
        for row in database.execute(f"select * from {table}"):
            told = {key: value for key, value in zip(columns, row) if key not in _VARIES}
            told.pop("id", None)
            if "run" in told:
                told["run"] = runs[told["run"]]
            if "program" in told:
                told["program"] = uris[told["program"]]
            if not str(told.get("key", "")).startswith("note."):
                lines.append(f"{table} {told}")
    database.close()
    return sorted(lines)


def descendants(process: int) -> list[int]:
    """The processes that it has started, and theirs."""
    children: dict[int, list[int]] = {}
    for stat in pathlib.Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    found = [process]
    for one in found:
        found.extend(children.get(one, []))
    return found[1:]


class Cluster:
    """Raylets of one processor each. Whatever happens, all of it ends with :meth:`stop`."""

    def __init__(self, folder: pathlib.Path, processor: int | None = None):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.address = f"127.0.0.1:{free.getsockname()[1]}"
        self.environment = os.environ | {
            "RAY_AUTH_MODE": "token",
            "RAY_AUTH_TOKEN": secrets.token_hex(32),
            "RAY_USAGE_STATS_ENABLED": "0",
            "RAY_agent_register_timeout_ms": "120000",  # they are Python, and start slowly
            # Ray's workers are nicer than other programs, which would starve them on a busy machine.
            "RAY_worker_niceness": "0",
            "ORDO_PYTHON": sys.executable,
            "ORDO_CACHE": str(folder / "cache"),
        }
        self._folder = folder
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}
        head = ["--head", f"--port={self.address.rpartition(':')[2]}", "--disable-usage-stats"]
        self.start("head", *head, "--include-dashboard=false", processor=processor)

    def start(self, name: str, *arguments: str, processor: int | None = None) -> None:
        """Another machine, on all processors or one; a first one has to be the head."""
        log = self._folder / f"{name}.log"
        pinned = [] if processor is None else ["taskset", "-c", str(processor % (os.cpu_count() or 1))]
        program = str(pathlib.Path(sys.executable).parent / "ray")
        command = [*pinned, program, "start", "--block", f"--node-name={name}"]
        command += ["--num-cpus=1", "--node-ip-address=127.0.0.1", "--object-store-memory=100000000"]
        with log.open("wb") as out:
            self._nodes[name] = subprocess.Popen(
                [*command, *(arguments or [f"--address={self.address}"])],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )
        deadline = time.monotonic() + 150
        while b"Ray runtime started" not in log.read_bytes():
            if time.monotonic() > deadline or self._nodes[name].poll() is not None:
                self.stop()
                raise RuntimeError(log.read_text())
            time.sleep(0.1)

    def processes(self, packets: bool = False) -> list[int]:
        """Those of Ray, or those of packets under way."""
        found = []
        for node in self._nodes.values():
            for process in [node.pid, *descendants(node.pid)]:
                with contextlib.suppress(OSError):
                    words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
                    if (b"/cluster/" in words) == packets:
                        found.append(process)
        return found

    def kill(self, name: str) -> None:
        """As if the power were cut."""
        node = self._nodes.pop(name)
        for process in [node.pid, *descendants(node.pid)]:
            with contextlib.suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)
        node.wait()

    def stop(self) -> None:
        """Ends what is left."""
        for name in list(self._nodes):
            self.kill(name)
