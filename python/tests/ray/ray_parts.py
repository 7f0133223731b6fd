"""A Ray cluster of several machines on this one, and what a study found."""

from __future__ import annotations

import contextlib
import os
import pathlib
import secrets
import shutil
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


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Unavailable(Exception):
    """Why there can be no network of our own here."""


class Network:
    """Machines with an address each: network namespaces on a bridge in the first's. Needs root and ``ip``.

    A namespace lives as long as a process that waits in it, so that nothing is left of any whatever happens.
    """

    def __init__(self) -> None:
        self._waiting: list[subprocess.Popen[bytes]] = []
        # Ray starts no head where another process of the system says that it has this address.
        self._prefix = f"10.{64 + secrets.randbelow(128)}.{secrets.randbelow(256)}"
        if missing := [name for name in ("ip", "unshare", "nsenter") if shutil.which(name) is None]:
            raise Unavailable(f"there is no {missing[0]} (Debian's iproute2 and util-linux have it)")

    def join(self) -> tuple[str, list[str]]:
        """Another machine: its address, and what to write before a command for it to run there."""
        # No less than a whole line shows that it has left our namespace.
        one = subprocess.Popen(
            ["unshare", "--net", "cat"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert one.stdin and one.stdout and one.stderr
        with contextlib.suppress(BrokenPipeError):
            one.stdin.write(b"there\n")
            one.stdin.flush()
        if one.stdout.readline() != b"there\n":
            raise Unavailable(one.stderr.read().decode().strip())
        self._waiting.append(one)
        number = len(self._waiting)
        head, here = (["nsenter", f"--net=/proc/{at.pid}/ns/net"] for at in (self._waiting[0], one))
        address = f"{self._prefix}.{number}"
        self._ip(here, "link set lo up")
        if number == 1:
            device = "bridge"
            self._ip(here, f"link add {device} type bridge")
        else:
            device = "eth0"
            self._ip(head, f"link add to{number} type veth peer name {device} netns {one.pid}")
            self._ip(head, f"link set to{number} master bridge up")
        self._ip(here, f"address add {address}/24 dev {device}")
        self._ip(here, f"link set {device} up")
        return address, here

    def stop(self) -> None:
        """Ends it. What runs on its machines has to be ended before."""
        for one in self._waiting:
            one.kill()
            one.communicate()
        self._waiting.clear()

    @staticmethod
    def _ip(where: list[str], command: str) -> None:
        done = subprocess.run([*where, "ip", *command.split()], capture_output=True, text=True)
        if done.returncode != 0:
            raise Unavailable(f"ip {command}: {done.stderr.strip()}")


class Cluster:
    """Raylets of one processor each. Whatever happens, all of it ends with :meth:`stop`.

    With ``network`` each has a namespace and an address of its own (raises :class:`Unavailable`), and
    commands that join it have to run on one of them: :attr:`inside` is what to write before them. Without,
    all are at 127.0.0.1.
    """

    def __init__(self, folder: pathlib.Path, processor: int | None = None, network: bool = False):
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
        self.inside: list[str] = []
        self.together = ""  # why machines have no addresses of their own
        self.address = ""
        self._folder = folder
        self._nodes: dict[str, subprocess.Popen[bytes]] = {}
        self._network = Network() if network else None
        self.start("head", processor=processor)

    def start(self, name: str, processor: int | None = None) -> None:
        """Another machine, on all processors or one. The first, which is the head, is there already."""
        for tries_left in (2, 1, 0):
            self._begin(name, processor)
            words = self._wait(name)
            if not words:
                return
            # On a busy machine it takes longer than the half minute that Ray grants.
            if not tries_left or name == "head" or "timed out during startup" not in words:
                self.stop()
                raise RuntimeError(words)
            self.kill(name)

    def _begin(self, name: str, processor: int | None) -> None:
        log = self._folder / f"{name}.log"
        address, inside = "127.0.0.1", []
        if self._network:
            try:
                address, inside = self._network.join()
            except Unavailable:
                self.stop()
                raise
        if self.address:
            where = [f"--address={self.address}"]
        else:
            self.address, self.inside = f"{address}:{6379 if self._network else free_port()}", inside
            where = ["--head", f"--port={self.address.rpartition(':')[2]}", "--disable-usage-stats"]
            where.append("--include-dashboard=false")
        pinned = [] if processor is None else ["taskset", "-c", str(processor % (os.cpu_count() or 1))]
        program = str(pathlib.Path(sys.executable).parent / "ray")
        command = [*inside, *pinned, program, "start", "--block", f"--node-name={name}"]
        command += ["--num-cpus=1", f"--node-ip-address={address}", "--object-store-memory=100000000"]
        command.append("--include-log-monitor=false")  # a percent of a processor, for what nobody reads
        with log.open("wb") as out:
            self._nodes[name] = subprocess.Popen(
                [*command, *where],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
            )

    def _wait(self, name: str) -> str:
        """Until a machine is there: what it says if it never will be, or nothing."""
        log = self._folder / f"{name}.log"
        deadline = time.monotonic() + 150
        while b"Ray runtime started" not in log.read_bytes():
            if time.monotonic() > deadline or self._nodes[name].poll() is not None:
                return log.read_text() or "it says nothing"
            time.sleep(0.1)
        return ""

    def processes(self, packets: bool = False, named: bytes = b"", of: str = "") -> list[int]:
        """Those of Ray, or of packets under way; only those with that in their name, or of one machine."""
        found = []
        for name, node in self._nodes.items():
            for process in [node.pid, *descendants(node.pid)] if of in ("", name) else []:
                with contextlib.suppress(OSError):
                    words = pathlib.Path(f"/proc/{process}/cmdline").read_bytes()
                    if (b"/cluster/" in words) == packets and named in words:
                        found.append(process)
        return found

    def busy(self) -> int:
        """How many machines have a packet now."""
        return sum(bool(self.processes(packets=True, of=name)) for name in list(self._nodes))

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
        if self._network:
            self._network.stop()


def cluster(folder: pathlib.Path, processor: int | None = None) -> Cluster:
    """A first machine with an address of its own, or where that cannot be, at 127.0.0.1."""
    try:
        return Cluster(folder, processor, network=True)
    except Unavailable as reason:
        made = Cluster(folder, processor)
        made.together = str(reason)
        return made
