"""What a thousand processors would take, from what packets cost here (cluster.py).

Constants are measured on one machine and one more: how long a packet of nothing takes, the processor time it
takes in the process that hands packets out and on the head, how fast contents reach another machine, how
large the head is and by how much a machine makes it larger. The model: each of a machine's processors takes
one packet after the other, each its length and the time of one of nothing; all wait for whichever is full
first, the process or the head. It is checked with packets of a second on 2, 4 and 8 machines.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import ray_parts
from cluster_study import processor_s

CORES, CORES_OF_A_MACHINE = 1000, 16
PACKETS = 8  # of each processor, in a check
_SCRIPT = (
    """
import json, sys, time
import ordo.cluster, ray
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
@ray.remote(num_cpus=1)
def sleep(seconds): time.sleep(seconds)
@ray.remote(num_cpus=1)
def size(content): return len(content), ray.get_runtime_context().get_node_id()
def took(count, seconds):
    start = time.perf_counter(); ray.get([sleep.remote(seconds) for _ in range(count)])
    return time.perf_counter() - start
nodes, told = int(sys.argv[2]), {}
took(8 * nodes, 0.2)
if sys.argv[3] == "constants":
    noops = []
    for _ in range(30):
        start = time.perf_counter(); ray.get(sleep.remote(0)); noops.append(time.perf_counter() - start)
    told["latency"] = sorted(noops)[15]
    print("begin", flush=True); sys.stdin.readline()
    used = time.process_time(); took(400, 0); told["driver"] = (time.process_time() - used) / 400
    print("end", flush=True); sys.stdin.readline()
    from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy
    here = ray.get_runtime_context().get_node_id()
    other = next(one["NodeID"] for one in ray.nodes() if one["Alive"] and one["NodeID"] != here)
    away = size.options(scheduling_strategy=NodeAffinitySchedulingStrategy(other, soft=False))
    rates = []
    for _ in range(3):
        content = ray.put(bytes(30 << 20)); start = time.perf_counter()
        assert ray.get(away.remote(content))[1] == other
        rates.append(30 / (time.perf_counter() - start)); del content
    told["rate"] = sorted(rates)[1]
else:
    told["seconds"] = took(%d * nodes, 1.0)
print(json.dumps(told), flush=True)
"""
    % PACKETS
)


def _ask(cluster: ray_parts.Cluster, nodes: int, what: str) -> tuple[dict[str, float], float]:
    """What the script says, and processor seconds of the head between its begin and end."""
    with subprocess.Popen(
        [*cluster.inside, sys.executable, "-c", _SCRIPT, cluster.address, str(nodes), what],
        env=cluster.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin and process.stdout
        head = [0.0, 0.0]
        for line in process.stdout:
            if line.startswith("{"):
                process.wait()
                return json.loads(line), head[1] - head[0]
            head[line == "end\n"] = sum(processor_s(p) for p in _servers(cluster))
            process.stdin.write("\n")
            process.stdin.flush()
    raise SystemExit(f"cluster: the model's {what} ended with {process.returncode}")


def _servers(cluster: ray_parts.Cluster) -> list[int]:
    """Of the head: the server that knows all, and the raylet."""
    return [p for name in (b"gcs_server", b"raylet/raylet") for p in cluster.processes(of="head", named=name)]


def _memory(cluster: ray_parts.Cluster) -> float:
    """Bytes of the head's server."""
    total = 0.0
    for process in cluster.processes(of="head", named=b"gcs_server"):
        words = pathlib.Path(f"/proc/{process}/statm").read_text().split()
        total += (int(words[1]) - int(words[2])) * 4096
    return total


def model(options: argparse.Namespace) -> list[str]:
    """Constants, the model, and its checks."""
    content = _size_of_bundle()
    with tempfile.TemporaryDirectory() as name:
        cluster = ray_parts.cluster(pathlib.Path(name))
        checks, memory = [], {}
        try:
            machines = 1
            for wanted in (2, 4, 8):
                for number in range(machines, wanted):
                    cluster.start(f"machine{number}")
                machines = wanted
                if wanted == 2:
                    told, head = _ask(cluster, wanted, "constants")
                seconds = _ask(cluster, wanted, "check")[0]["seconds"]
                memory[wanted] = _memory(cluster)
                expected = PACKETS * max(1 + told["latency"], wanted * told["driver"], wanted * head / 400)
                checks.append(f"{wanted} nodes {seconds:.1f} s, expected {expected:.1f} s")
                print(f"cluster: {checks[-1]}", flush=True)
        finally:
            cluster.stop()
    nodes = -(-CORES // CORES_OF_A_MACHINE)
    each = max(0.0, (memory[8] - memory[2]) / 6)
    least = {
        "the process that hands packets to Ray": CORES * told["driver"],
        "the head's scheduler": CORES * head / 400,
    }
    first = max(least, key=lambda name: least[name])
    constants = (
        f"a packet of nothing {1000 * told['latency']:.0f} ms; {1000 * told['driver']:.2f} ms of the processor in the "
        f"process that hands out, {1000 * head / 400:.2f} ms on the head; {told['rate']:.0f} MB/s to another machine; "
        f"the head's server {memory[2] / 1e6:.0f} MB and {each / 1e6:.1f} MB a machine"
    )
    verdict = (
        f"first bottleneck: {first}, which packets shorter than {least[first]:.1f} s would wait for (at "
        f"{', '.join(f'{name}: {seconds:.1f} s' for name, seconds in least.items() if name != first)}); programs of "
        f"{content / 1e6:.0f} MB reach {nodes} machines in {nodes * content / 1e6 / told['rate']:.0f} s if one after "
        f"the other; the head's server has {(memory[2] + (nodes - 2) * each) / 1e6:.0f} MB"
    )
    return [
        f"| constants of the model | published | {constants} |",
        f"| {PACKETS} packets of 1 s for each processor, on simulated nodes | as expected | {'; '.join(checks)} |",
        f"| model of {CORES:,} processors, {CORES_OF_A_MACHINE} a machine | published | {verdict} |",
    ]


def _size_of_bundle() -> int:
    """Bytes of what reaches each machine once."""
    program = "import ordo.cluster.__main__ as m, pathlib, sys; m._OUT.write(str(len(m.bundle("
    program += "*map(pathlib.Path, sys.argv[1:]))))); m._OUT.flush()"
    prefix = pathlib.Path(ray_parts.__file__).resolve().parents[3] / "build" / "release"
    data = prefix.parents[1] / "data"
    done = subprocess.run(
        [sys.executable, "-c", program, str(prefix), str(data)], check=True, stdout=subprocess.PIPE, text=True
    )
    return int(done.stdout)
