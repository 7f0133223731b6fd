"""Where a fault of ./ordo campaign loop happens: a service, HAProxy before it, Prometheus, a load, a loop.

    campaign_loop_stand.py PORT   is the load: requests over a few connections, until it is ended
"""

import contextlib
import http.client
import os
import random
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
POOL = ROOT / "examples/service/pool.sh"
HAPROXY, PROMETHEUS = "/usr/sbin/haproxy", "/usr/bin/prometheus"
FIRST_PORT, PORTS = 21000, 5  # of a stand: HAProxy, three pools, Prometheus
TICK_S, LEASE_S = 0.25, 3.0
# What a machine that others use may take longer. Only the verdict on a canary left alone depends on it, which
# would be so for good.
SLACK_S = 6.0


class Stand:
    """A service, HAProxy before it, Prometheus, a load, and a loop's settings."""

    def __init__(self, folder: Path, number: int, kind: str, ordo: Path) -> None:
        """In `folder`; the number says which ports are its own."""
        self.folder, self.kind, self.ordo = folder, kind, ordo
        self.port = FIRST_PORT + number * PORTS
        self.processes: list[subprocess.Popen[bytes]] = []
        self.environment = os.environ | {
            "SERVICE_RUN": str(folder), "SERVICE_PORT": str(self.port), "TMPDIR": str(folder)
        }  # fmt: skip
        self.seen: list[tuple[float, int]] = []  # when, and the canary's weight
        self.over = threading.Event()
        self.store = folder / "store"
        self.store.mkdir()
        self.mounted = False
        self.struck = 0.0

    def write(self, name: str, text: str, mode: int = 0o644) -> Path:
        """A file."""
        path = self.folder / name
        path.write_text(text)
        path.chmod(mode)
        return path

    def up(self) -> None:
        """Starts all but the loop."""
        # A disk of its own, which can be filled and made read-only.
        mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(self.store)]
        self.mounted = subprocess.run(mount, capture_output=True).returncode == 0
        service = (ROOT / "bench/campaign_loop_service.py").read_text()
        self.write("service.py", service)
        for step in ("build", "deploy"):
            # A fault is a file that the step finds: `slow` holds seconds, `fail` how often.
            inner = f'exec {POOL} deploy "$1" "$2"'
            if step == "build":
                # By its kind; all of the name is in it, so that no two are the same program.
                inner = f"""cat >"$2" <<END
#!/bin/sh
# $1
exec {sys.executable} {self.folder}/service.py ${{1%%+*}} "\\$@"
END
chmod +x "$2\""""
            self.write(
                f"{step}.sh",
                f"""#!/bin/sh
cd {self.folder}
echo $$ >{step}.running
[ ! -e {step}.slow ] || sleep "$(cat {step}.slow)"
if [ -e {step}.fail ]; then
  left=$(cat {step}.fail)
  if [ "$left" -gt 1 ]; then echo $((left - 1)) >{step}.fail; else rm {step}.fail; fi
  echo "{step} has failed, as it was told to" >&2; exit 1
fi
{inner}
""",
                0o755,
            )
        pools = "\n".join(
            f"    server {pool} 127.0.0.1:{self.port + 1 + i} weight {256 if i == 0 else 0}"
            for i, pool in enumerate(("production", "control", "canary"))
        )
        self.write(
            "haproxy.cfg",
            f"""global
    stats socket {self.folder}/s mode 600 level admin
defaults
    mode http
    timeout connect 1s
    timeout check 2s
    timeout client 10s
    timeout server 3s
    retries 3
    option redispatch 1
    retry-on conn-failure empty-response
frontend fe
    bind 127.0.0.1:{self.port}
    default_backend app
backend app
    balance random(1)
    option httpchk GET /healthz
    default-server check inter 300ms fall 2 rise 1
{pools}
""",
        )
        targets = ", ".join(f"127.0.0.1:{self.port + 1 + i}" for i in range(3))
        self.write(
            "prometheus.yml",
            f"""global: {{scrape_interval: 500ms, scrape_timeout: 400ms}}
scrape_configs:
  - job_name: service
    static_configs: [{{targets: [{targets}]}}]
""",
        )
        self.write("loop.toml", self.settings())
        first = self.folder / "first"
        self.call("build.sh", "same", first)
        self.call(POOL, "deploy", "production", first)
        self.haproxy = self.start([HAPROXY, "-f", "haproxy.cfg"])
        self.prometheus = self.start_prometheus()
        self.load = self.start([sys.executable, __file__, str(self.port)])
        threading.Thread(target=self.watch, daemon=True).start()
        self.wait("HAProxy and Prometheus", 60, lambda: self.weight() is not None and self.ready(), must=True)

    def settings(self) -> str:
        """loop.toml."""
        return f"""format = 1
store = "store/loop.sqlite"
[build]
command = ["./build.sh", "{{candidate}}", "{{output}}"]
production = "same+0"
candidates = ["{self.kind}+1"]
timeout_s = 60
[stage]
runs = [["--stage"]]
budget_s = 0
[pools]
deploy = ["./deploy.sh", "{{pool}}", "{{artifact}}"]
stop = ["{POOL}", "stop", "{{pool}}"]
[haproxy]
socket = "s"
backend = "app"
[prometheus]
port = {self.port + 4}
histogram = "request_seconds"
selector = {{ job = "service" }}
[pace]
tick_s = {TICK_S}
lease_s = {LEASE_S}
window_s = 1.1
warmup_s = 2
ramp_hold_s = 1
ramp = [0.1, 0.3]
spending_s = 5
[reward]
slo_s = 0.2
fewest_requests = 20
horizon = 80
alpha = 0.05
most_tail_loss = 0.3
most_excess = 0.03
most_gaps = 0.6
[budget]
objective = 0.9
period_s = 3600
most_share = 0.3
careful_share = 0.1
[guard]
most_unseen = 12
fewest_requests = 30
[policy]
rest_s = 2
"""

    def start(self, argv: list[str], log: str = "log", **more: object) -> subprocess.Popen[bytes]:
        """In the background, until down()."""
        with open(self.folder / log, "ab") as file:
            process = subprocess.Popen(
                argv,
                cwd=self.folder,
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=file,
                stderr=file,
            )
        self.processes.append(process)
        return process

    def start_prometheus(self) -> subprocess.Popen[bytes]:
        """One that goes on with what the last one had."""
        (self.folder / "prometheus/lock").unlink(missing_ok=True)
        return self.start([
            PROMETHEUS, "--config.file=prometheus.yml", "--storage.tsdb.path=prometheus", "--log.level=error",
            f"--web.listen-address=127.0.0.1:{self.port + 4}",
        ], "prometheus.log")  # fmt: skip

    def start_loop(self) -> subprocess.Popen[bytes]:
        """A controller."""
        self.loop = self.start([str(self.ordo), "loop", "run", "-q", "--experiments", "1"], "loop.log")
        return self.loop

    def call(self, program: str | Path, *arguments: object) -> None:
        """Runs it to its end."""
        argv = [str(self.folder / program), *map(str, arguments)]
        subprocess.run(
            argv, cwd=self.folder, env=self.environment, check=True, capture_output=True, timeout=60
        )

    def ask(self, command: str) -> str | None:
        """What HAProxy says, if it does."""
        try:
            with socket.socket(socket.AF_UNIX) as connection:
                connection.settimeout(1)
                connection.connect(str(self.folder / "s"))
                connection.sendall(command.encode() + b"\n")
                said = b""
                while part := connection.recv(65536):
                    said += part
                return said.decode()
        except OSError:
            return None

    def weight(self) -> int | None:
        """The canary's."""
        said = self.ask("get weight app/canary")
        return int(said.split()[0]) if said and said.split()[0].isdigit() else None

    def ready(self) -> bool:
        """Whether Prometheus listens."""
        with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", self.port + 4), 1):
            return True
        return False

    def watch(self) -> None:
        """Notes the canary's weight, all the time."""
        while not self.over.is_set():
            weight = self.weight()
            if weight is not None:
                self.seen.append((time.monotonic(), weight))
            time.sleep(0.05)

    def wait(self, what: str, seconds: float, done: Callable[[], bool], must: bool = False) -> bool:
        """Until it is so."""
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                if must:
                    raise TimeoutError(f"waited {seconds} s for {what}")
                return False
            time.sleep(0.02)
        return True

    def shares(self) -> bool:
        """Whether the canary has traffic."""
        return bool(self.seen) and self.seen[-1][1] > 0

    def family(self) -> list[int]:
        """Processes of ours that are `ordo`, controllers and watchdogs."""
        found = []
        for entry in Path("/proc").iterdir():
            with contextlib.suppress(OSError, ValueError):
                if os.readlink(entry / "cwd") == str(self.folder) and (entry / "exe").resolve() == self.ordo:
                    if (entry / "stat").read_text().rsplit(")", 1)[1].split()[0] != "Z":
                        found.append(int(entry.name))
        return found

    def watchdogs(self) -> list[int]:
        """Those that are no controllers."""
        return [pid for pid in self.family() if pid != self.loop.pid]

    def replaced(self, old: list[int]) -> bool:
        """Whether there is another watchdog than these, or nothing left to watch."""
        return self.loop.poll() is not None or any(pid not in old for pid in self.watchdogs())

    def rows(self, query: str) -> list[tuple[object, ...]]:
        """Of the store."""
        try:
            with contextlib.closing(
                sqlite3.connect(f"file:{self.store}/loop.sqlite?mode=ro", uri=True)
            ) as store:
                return store.execute(query).fetchall()
        except sqlite3.Error:
            return []

    def down(self) -> None:
        """Ends all."""
        self.over.set()
        for pid in self.family():
            for number in (signal.SIGKILL, signal.SIGCONT):
                with contextlib.suppress(OSError):
                    os.kill(pid, number)
        for process in self.processes:
            for number in (signal.SIGKILL, signal.SIGCONT):
                with contextlib.suppress(OSError):
                    process.send_signal(number)
            process.wait()
        for pool in ("canary", "control", "production"):
            subprocess.run([POOL, "stop", pool], env=self.environment, capture_output=True)
        if self.mounted:
            subprocess.run(["umount", "-l", str(self.store)], capture_output=True)


def signal_to(pids: list[int], number: int) -> bool:
    """To those that are still there; false, for who goes on with `or`."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
    return False


def load(port: int) -> None:
    """Requests over a few connections, a hundred or so a second, whatever comes of them."""

    def one() -> None:
        chance = random.Random()
        while True:
            connection = http.client.HTTPConnection("127.0.0.1", port, timeout=4)
            with contextlib.suppress(OSError, http.client.HTTPException):
                while True:
                    connection.request("GET", "/")
                    connection.getresponse().read()
                    time.sleep(chance.expovariate(1 / 0.08))
            connection.close()
            time.sleep(0.1)

    for _ in range(12):
        threading.Thread(target=one, daemon=True).start()
    threading.Event().wait()


if __name__ == "__main__":
    load(int(sys.argv[1]))
