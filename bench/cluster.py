"""What distribution costs and survives: `./ordo bench ray [PART…] [--write]`, also into docs/cluster.md.

Parts are samples, study, kills and model. Machines are raylets of one processor each on this one, pinned to
processors of their own as far as there are any, so that a second one can be worth a second machine.
"""

from __future__ import annotations

import argparse
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "python" / "tests" / "ray"))

import numpy as np  # noqa: E402
import ray_parts  # noqa: E402

import ordo  # noqa: E402

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
EXPERIENCE = ROOT / "data" / "experience" / "debian.jsonl"
PROGRAMS = [f"suite/{name}" for name in ("base64", "crc32", "sha256", "wc", "bwt", "life")]
TICK = os.sysconf("SC_CLK_TCK")
CORES = 1000  # of the model


def command(study: pathlib.Path, compiles: int, *where: str) -> list[str]:
    how = ["--methods=random,greedy,evolutionary", "--objectives=ir_instructions", "--seeds=2", "--quiet"]
    return [str(ORDO), "eval", *PROGRAMS, *how, f"--compiles={compiles}", "--study", str(study), *where]


def study_on(cluster: ray_parts.Cluster, file: pathlib.Path, compiles: int) -> float:
    """Seconds of a study there."""
    start = time.perf_counter()
    where = ["--ray", cluster.address]
    subprocess.run(command(file, compiles, *where), cwd=ROOT, env=cluster.environment, check=True)
    return time.perf_counter() - start


def processor_s(process: int) -> float:
    """What a process has used itself."""
    try:
        words = pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(words[11]) + int(words[12])) / TICK


def samples() -> list[str]:
    """Steps a second of RLlib's runner, beside the vector that it steps."""
    import ray
    from ray.rllib.env.single_agent_env_runner import SingleAgentEnvRunner
    from ray.tune.registry import register_env

    from ordo.rllib import experience, sight, train

    known = experience.read(EXPERIENCE)
    options = train._parser().parse_args([str(EXPERIENCE), "-j", "4", "--hidden", "256"])
    env = sight.PolicyVectorEnv(4, actions=known.actions, space=known.space, program=PROGRAMS)
    spaces = env.single_observation_space, env.single_action_space
    chance = np.random.default_rng(1)
    rows, _ = env.reset(seed=1)

    def alone(steps: int) -> float:
        nonlocal rows
        start = time.perf_counter()
        for _ in range(steps // 4):
            rows = env.step(np.array([chance.choice(np.flatnonzero(r[env.features :])) for r in rows]))[0]
        return steps / (time.perf_counter() - start)

    train.start_ray(None, 2)
    register_env(train._ENVIRONMENT, sight.create)
    config = train.configure(options, known, PROGRAMS, spaces)
    runner = SingleAgentEnvRunner(config=config, worker_index=1, spaces={"__env__": spaces})

    def through(steps: int) -> float:
        start = time.perf_counter()
        runner.sample(num_timesteps=steps)
        return steps / (time.perf_counter() - start)

    alone(200), through(200)  # programs are loaded
    pairs = [(alone(400), through(400)) for _ in range(6)]
    runner.stop()
    env.close()
    ray.shutdown()
    ours, theirs = (statistics.median(side) for side in zip(*pairs))
    ratio = statistics.median(b / a for a, b in pairs)
    found = f"{ratio:.2f} ({theirs:.0f} of {ours:.0f} samples/s, 4 environments)"
    return [f"| samples a second through RLlib's runner, of the native vector's | ≥ 0.7 | {found} |"]


def study(compiles: int) -> list[str]:
    """A study on one machine and on two."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(command(folder / "here", compiles), cwd=ROOT, check=True)
        here = ray_parts.findings(folder / "here")
        cluster = ray_parts.Cluster(folder, processor=0)
        try:
            study_on(cluster, folder / "warm", 20)
            one = study_on(cluster, folder / "one", compiles)
            cluster.start("other", processor=1)
            study_on(cluster, folder / "warm2", 20)
            idle = {p: processor_s(p) for p in cluster.processes()}
            two = study_on(cluster, folder / "two", compiles)
            used = sum(processor_s(p) - idle.get(p, 0.0) for p in cluster.processes())
        finally:
            cluster.stop()
        same = here == ray_parts.findings(folder / "one") == ray_parts.findings(folder / "two")
    share = 100 * used / (2 * two)
    return [
        f"| `ordo eval --ray` on two nodes: the rows of one machine | yes | {'yes' if same else '**no**'} |",
        f"| against one node | ≥ 1.8 times as fast | {one / two:.2f} ({one:.0f} s, {two:.0f} s) |",
        f"| of the processors' time in Ray | ≤ 3 % | {share:.1f} % |",
    ]


def kills(count: int, compiles: int) -> list[str]:
    """A study under `kill -9` of machines, packets, coordinators and the head."""
    chance = random.Random(1)
    done: dict[str, int] = {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        subprocess.run(command(folder / "here", compiles), cwd=ROOT, check=True)
        cluster = ray_parts.Cluster(folder)
        cluster.start("other")
        try:
            while sum(done.values()) < count:
                process = subprocess.Popen(
                    command(folder / "killed", compiles, "--ray", cluster.address),
                    cwd=ROOT,
                    env=cluster.environment,
                    stderr=subprocess.DEVNULL,
                )
                ended = False  # by us
                while not ended and sum(done.values()) < count:
                    time.sleep(chance.uniform(3, 12))
                    if process.poll() is not None:
                        break
                    victim = chance.choice(["coordinator", "raylet", "packet", "head"])
                    if victim == "coordinator":
                        process.kill()
                        ended = True
                    elif victim == "packet":
                        packets = cluster.processes(packets=True)
                        if not packets:
                            continue
                        os.kill(packets[0], signal.SIGKILL)
                    elif victim == "raylet":
                        cluster.kill("other")
                        cluster.start("other")
                    else:
                        cluster.stop()
                        cluster = ray_parts.Cluster(folder)
                        cluster.start("other")
                        ended = True
                    done[victim] = done.get(victim, 0) + 1
                # Whose head is gone looks for it for a while before it gives up.
                process.wait(timeout=600)
                if not ended and process.returncode == 0 and sum(done.values()) < count:  # begin again
                    if ray_parts.findings(folder / "killed") != ray_parts.findings(folder / "here"):
                        break
                    (folder / "killed").unlink()
            study_on(cluster, folder / "killed", compiles)
        finally:
            cluster.stop()
        right = ray_parts.findings(folder / "killed") == ray_parts.findings(folder / "here")
    words = ", ".join(f"{number} {victim}" for victim, number in sorted(done.items()))
    found = f"{'none' if right else '**some**'} ({words})"
    return [f"| rows lost, made twice or wrong after {sum(done.values())} `kill -9` | none | {found} |"]


SLEEPS = """
import ordo.cluster, ray, sys, time
ray.init(address=sys.argv[1], log_to_driver=False, logging_level="ERROR")
@ray.remote(num_cpus=1)
def sleep(seconds): time.sleep(seconds)
def took(count, seconds):
    start = time.perf_counter(); ray.get([sleep.remote(seconds) for _ in range(count)])
    return time.perf_counter() - start
nodes = int(sys.argv[2])
took(8 * nodes, 0.2)
used = time.process_time()
print(took(8 * nodes, 1.0), (time.process_time() - used) / (8 * nodes))
"""


def model() -> list[str]:
    """Packets of a second on simulated machines, and what a thousand processors would take of the head."""
    rows = []
    with tempfile.TemporaryDirectory() as name:
        cluster = ray_parts.Cluster(pathlib.Path(name))
        try:
            machines = 1
            for wanted in (2, 4, 8):
                while machines < wanted:
                    cluster.start(f"machine{machines}")
                    machines += 1
                out = subprocess.run(
                    [sys.executable, "-c", SLEEPS, cluster.address, str(wanted)],
                    env=cluster.environment,
                    check=True,
                    stdout=subprocess.PIPE,
                    text=True,
                ).stdout
                seconds, each = map(float, out.split())
                rows.append(f"{wanted}: {100 * 8 / seconds:.0f} %")
        finally:
            cluster.stop()
    least = CORES * each
    return [
        f"| packets of 1 s on simulated nodes: share of the time at work | published | {'; '.join(rows)} |",
        f"| model of {CORES} processors: what first is too slow | published | the process that gives packets to "
        f"Ray, {1000 * each:.1f} ms each: shorter packets than {least:.1f} s would wait for it |",
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*", default=["samples", "study", "kills", "model"], metavar="PART")
    parser.add_argument("--compiles", type=int, default=400, help="of a run")
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--write", action="store_true", help="into docs/cluster.md")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that clusters are stopped
    rows = ["| what | wanted | found |", "|---|---|---|"]
    for part in args.parts:
        if part == "samples":
            rows += samples()
        elif part == "study":
            rows += study(args.compiles)
        elif part == "kills":
            rows += kills(args.kills, args.compiles)
        elif part == "model":
            rows += model()
        else:
            parser.error(f"there is no part '{part}'; there are samples, study, kills and model")
        print(rows[-1], file=sys.stderr)
    load = os.getloadavg()[2]
    today = time.strftime("%Y-%m-%d")
    text = (
        "\n".join(rows) + f"\n\n{today}, {os.cpu_count()} processors; load average {load:.1f} at the end.\n"
    )
    print(text)
    if args.write:
        import marks

        marks.insert(ROOT / "docs" / "cluster.md", "ray", text)


if __name__ == "__main__":
    main()
