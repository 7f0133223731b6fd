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
import contextlib
import json
import os
import random
import shutil
import signal
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
POOL = ROOT / "examples/service/pool.sh"
HAPROXY, PROMETHEUS = "/usr/sbin/haproxy", "/usr/bin/prometheus"
FIRST_PORT, PORTS = 21000, 5  # of a stand: HAProxy, three pools, Prometheus
TICK_S, LEASE_S = 0.25, 3.0
# What a machine that others use may take longer. Only the verdict on a canary left alone depends on it, which
# would be so for good.
SLACK_S = 6.0
BAD = {"crash", "error", "hang"}
KINDS = ["fast", "same", "slow", "crash", "error", "hang"]


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
        self.load = self.start([sys.executable, __file__, "--load", str(self.port)])
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


# Has something go wrong at stand.struck. The canary's share has to be 0 within so many seconds of
# that, if it says any.
Fault = Callable[[Stand, random.Random], float | None]


def signal_to(pids: list[int], number: int) -> bool:
    """To those that are still there; false, for who goes on with `or`."""
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
    return False


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


def step_killed(stand: Stand, chance: random.Random) -> None:
    """A build or a deploy, kill -9, while it runs."""
    step = chance.choice(["build", "deploy", "deploy"])
    stand.write(f"{step}.slow", "1")
    running = stand.folder / f"{step}.running"
    running.unlink(missing_ok=True)
    stand.wait("a step", 20, running.exists)
    time.sleep(chance.uniform(0, 1.2))
    with contextlib.suppress(OSError, ValueError):
        os.kill(int(running.read_text()), signal.SIGKILL)
    (stand.folder / f"{step}.slow").unlink()


def controller_killed_in_step(stand: Stand, chance: random.Random) -> float:
    """Or ended, while something is built or deployed."""
    step = chance.choice(["build", "deploy", "deploy"])
    stand.write(f"{step}.slow", "1")
    running = stand.folder / f"{step}.running"
    running.unlink(missing_ok=True)
    stand.wait("a step", 20, running.exists)
    time.sleep(chance.uniform(0, 1.2))
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


def load(port: int) -> None:
    """Requests over a few connections, a hundred or so a second, whatever comes of them."""

    def one() -> None:
        import http.client

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


def main() -> int:
    """The exit status: 1 if anything is wrong."""
    if sys.argv[1:2] == ["--load"]:
        load(int(sys.argv[2]))
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
