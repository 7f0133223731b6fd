"""Studies on two machines: the same rows as on one, whoever dies on the way."""

from __future__ import annotations

import json
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
import ray_parts
from conftest import ROOT

import ordo

pytest.importorskip("ray", reason="Ray is not installed: ./ordo python --with rllib")
pytestmark = pytest.mark.filterwarnings("default")

ORDO = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo"
STUDY = [
    "suite/wc",
    "suite/crc32",
    "sources/quicksort.c",
    "--methods=random,greedy",
    "--objectives=ir_instructions",
]
STUDY += ["--seeds=2", "--compiles=40"]


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ray_parts.Cluster]:
    """Two machines, the head and another: each in a network namespace where there can be any."""
    made = ray_parts.cluster(tmp_path_factory.mktemp("cluster"))
    try:
        made.start("other")
        yield made
    finally:
        made.stop()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> pathlib.Path:
    """Where commands run: with a program of the user's, by a relative name."""
    made = tmp_path_factory.mktemp("study")
    (made / "sources").mkdir()
    (made / "sources" / "quicksort.c").write_bytes((ROOT / "bench" / "quicksort.c").read_bytes())
    return made


@pytest.fixture(scope="module")
def alone(cluster: ray_parts.Cluster, folder: pathlib.Path) -> list[str]:
    """What one machine finds."""
    run(cluster, folder, "alone.sqlite", address=None)
    return ray_parts.findings(folder / "alone.sqlite")


def start(
    cluster: ray_parts.Cluster, folder: pathlib.Path, study: str, address: str | None
) -> subprocess.Popen[str]:
    where = [] if address is None else ["--ray", address]
    return subprocess.Popen(
        [*cluster.inside, ORDO, "eval", *STUDY, "--study", study, "--json", *where],
        cwd=folder,
        env=cluster.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def run(cluster: ray_parts.Cluster, folder: pathlib.Path, study: str, address: str | None) -> str:
    """Makes the study to its end; what was said."""
    process = start(cluster, folder, study, address)
    _, words = process.communicate(timeout=300)
    assert process.returncode == 0, words
    return words


def test_two_machines_find_what_one_finds(cluster, folder, alone):
    words = run(cluster, folder, "both.sqlite", cluster.address)
    assert "12 of 12 runs are in both.sqlite; 12 made now" in words
    assert ray_parts.findings(folder / "both.sqlite") == alone
    # Nothing is left to do, and nothing is made twice.
    assert "; 0 made now" in run(cluster, folder, "both.sqlite", cluster.address)


def test_each_machine_has_an_address_of_its_own(cluster):
    if cluster.together:
        pytest.skip(f"both are at 127.0.0.1, for want of network namespaces: {cluster.together}")
    program = "import ordo.cluster, ray, sys; ray.init(address=sys.argv[1], logging_level='ERROR'); "
    program += "print(*sorted(node['NodeManagerAddress'] for node in ray.nodes()))"
    command = [*cluster.inside, sys.executable, "-c", program, cluster.address]
    done = subprocess.run(command, env=cluster.environment, capture_output=True, text=True, timeout=120)
    network = cluster.address.rpartition(".")[0]
    assert done.stdout == f"{network}.1 {network}.2\n", done.stderr


def test_experience_is_collected_on_both(cluster, folder):
    def records(name: str, *where: str) -> list[str]:
        command = [
            *cluster.inside,
            ORDO,
            "collect",
            "suite/wc",
            "suite/crc32",
            "--searchers=random,greedy",
            "--budget=20evals",
        ]
        command += ["--objectives=ir_instructions", "--quiet", "-o", name, *where]
        subprocess.run(command, cwd=folder, env=cluster.environment, check=True, timeout=300)
        lines = [json.loads(line) for line in (folder / name).read_text(encoding="utf-8").splitlines()]
        return sorted(
            json.dumps({key: value for key, value in line.items() if key != "cpu_s"}) for line in lines
        )

    assert records("both.jsonl", "--ray", cluster.address) == records("alone.jsonl")


def test_what_is_mined_on_both_is_the_same_to_the_byte(cluster, folder):
    def mined(name: str, *where: str) -> bytes:
        command = [*cluster.inside, ORDO, "mine", "suite/wc", "suite/crc32", "sources/quicksort.c"]
        command += ["--budget=20evals", "--coreset=2", "-j1", "-o", name, *where]
        subprocess.run(command, cwd=folder, env=cluster.environment, check=True, timeout=300)
        return (folder / name).read_bytes()

    assert mined("both.json", "--ray", cluster.address) == mined("alone.json")


def test_a_killed_coordinator_goes_on_and_leaves_nothing_running(cluster, folder, alone):
    process = start(cluster, folder, "killed.sqlite", cluster.address)
    process.stdout.readline()  # a run is in the file
    process.send_signal(signal.SIGKILL)
    process.communicate()
    words = run(cluster, folder, "killed.sqlite", cluster.address)
    assert "12 of 12 runs are in killed.sqlite" in words and "12 made now" not in words
    assert ray_parts.findings(folder / "killed.sqlite") == alone


def test_packets_of_a_machine_that_dies_are_made_again(cluster, folder, alone):
    process = start(cluster, folder, "lost.sqlite", cluster.address)
    process.stdout.readline()
    cluster.kill("other")
    _, words = process.communicate(timeout=300)
    assert process.returncode == 0, words
    assert "12 of 12 runs are in lost.sqlite; 12 made now" in words
    assert ray_parts.findings(folder / "lost.sqlite") == alone


def test_what_cannot_be_done_is_said(cluster, folder):
    def refused(*arguments: str) -> str:
        command = [*cluster.inside, ORDO, "eval", "suite/wc", "--study", "none.sqlite", *arguments]
        done = subprocess.run(command, cwd=folder, env=cluster.environment, capture_output=True, text=True)
        assert done.returncode != 0
        return done.stderr

    (folder / "own.py").write_text("def search(task):\n    pass\n")
    assert "--ray takes searchers only" in refused(
        "--methods", "python:own.py:search", "--ray", cluster.address
    )
    nobody = subprocess.run(
        [ORDO, "eval", "suite/wc", "--study", "none.sqlite", "--ray", "auto"],
        cwd=folder,
        env=cluster.environment | {"ORDO_PYTHON": "/no/python"},
        capture_output=True,
        text=True,
    )
    assert "say where it is with ORDO_PYTHON" in nobody.stderr


def test_nothing_of_a_packet_is_left(cluster):
    deadline = time.monotonic() + 20
    while left := [
        path for path in pathlib.Path("/proc").glob("[0-9]*/cmdline") if is_packets(path, cluster)
    ]:
        assert time.monotonic() < deadline, left
        time.sleep(0.2)


def is_packets(path: pathlib.Path, cluster: ray_parts.Cluster) -> bool:
    """Whether a process runs a program of this cluster's cache."""
    try:
        return os.fsencode(cluster.environment["ORDO_CACHE"] + "/cluster/") in path.read_bytes()
    except OSError:
        return False
