"""Studies and trainings under `kill -9` (cluster.py)."""

from __future__ import annotations

import argparse
import collections
import json
import os
import pathlib
import random
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable

import cluster_training
import ray_parts
from cluster_study import ROOT, command, here


class Victims:
    """A cluster of two, and who of it has died. Whoever is killed by us is replaced, as an operator would."""

    def __init__(self, folder: pathlib.Path, chance: random.Random):
        self.killed: collections.Counter[str] = collections.Counter()
        self.pause_s = 4.0, 16.0  # between two kills
        self._folder = folder
        self._chance = chance
        self.cluster = self._fresh()

    def _fresh(self) -> ray_parts.Cluster:
        cluster = ray_parts.cluster(self._folder)
        cluster.start("other")
        return cluster

    def disturb(
        self,
        make: Callable[[ray_parts.Cluster], list[str]],
        names: list[str],
        count: int,
        again: Callable[[], None],
    ) -> None:
        """Runs what `make` says, until there were `count` more kills; `again` is called when it has ended well."""
        until = self.killed.total() + count
        while self.killed.total() < until:
            with (self._folder / "words").open("ab") as words:
                process = subprocess.Popen(
                    make(self.cluster), cwd=ROOT, env=self.cluster.environment, stdout=words, stderr=words
                )
            try:
                self._until_it_ends(process, names, until)
                process.wait(timeout=400)  # whose head is gone looks for it for a while
            finally:
                process.kill()
            if process.returncode == 0:
                again()

    def _until_it_ends(self, process: subprocess.Popen[bytes], names: list[str], until: int) -> None:
        deadline = time.monotonic() + 60
        while process.poll() is None and not self._work() and time.monotonic() < deadline:
            time.sleep(0.5)
        while self.killed.total() < until:
            try:
                process.wait(timeout=self._chance.uniform(*self.pause_s))
                return
            except subprocess.TimeoutExpired:
                victim = self._chance.choice(names)
            if self._kill(victim, process):
                self.killed[victim] += 1
                if victim in ("coordinator", "head"):
                    return
        process.kill()

    def _work(self) -> list[int]:
        """Who makes packets or practises; there is nobody while all of it starts."""
        return self.cluster.processes(packets=True) or self.cluster.processes(named=b"EnvRunner")

    def _kill(self, victim: str, process: subprocess.Popen[bytes]) -> bool:
        """Whether there was anybody to kill."""
        if victim == "coordinator":
            process.kill()
        elif victim == "raylet":
            self.cluster.kill("other")
            self.cluster.start("other")
        elif victim == "head":
            self.cluster.stop()
            self.cluster = self._fresh()
        else:
            found = (
                self.cluster.processes(packets=True)
                if victim == "packet"
                else self.cluster.processes(named=b"EnvRunner")
            )
            if not found:
                return False
            os.kill(self._chance.choice(found), signal.SIGKILL)
        return True


def killed_study(options: argparse.Namespace, folder: pathlib.Path, victims: Victims, count: int) -> str:
    """What is wrong with a study in the end; "" if nothing is."""
    right, _ = here(options)
    wrong = []

    def judge() -> None:
        if ray_parts.findings(folder / "killed") != right:
            wrong.append("a study has other rows")
        (folder / "killed").unlink()

    def make(cluster: ray_parts.Cluster) -> list[str]:
        return [*cluster.inside, *command(folder / "killed", options.compiles, "--ray", cluster.address)]

    victims.disturb(make, ["coordinator", "raylet", "packet", "head"], count, judge)
    cluster = victims.cluster
    subprocess.run(make(cluster), cwd=ROOT, env=cluster.environment, check=True)
    judge()
    return "; ".join(wrong)


def killed_training(options: argparse.Namespace, folder: pathlib.Path, victims: Victims, count: int) -> str:
    """The same of a training, whose checkpoint loses no iteration that was said to be done."""
    weights, lines = folder / "killed.safetensors", folder / "words"
    lines.unlink(missing_ok=True)

    def make(cluster: ray_parts.Cluster, rollouts: int = 100_000) -> list[str]:
        where = [
            "--address",
            cluster.address,
            "--runners",
            "2",
            "--checkpoint",
            str(folder / "run"),
            "--json",
        ]
        return [*cluster.inside, *cluster_training.theirs(weights, rollouts, 1, programs=2, group=2), *where]

    victims.pause_s = 15.0, 45.0  # it starts slowly
    victims.disturb(make, ["coordinator", "raylet", "runner", "head"], count, lambda: None)
    done = [json.loads(line) for line in lines.read_text().splitlines() if line.startswith("{")]
    last = done[-1]["rollouts"] if done else 0
    cluster = victims.cluster
    end = subprocess.run(
        make(cluster, last + 1), cwd=ROOT, env=cluster.environment, stdout=subprocess.PIPE, check=True
    )
    done += [json.loads(line) for line in end.stdout.splitlines() if line.startswith(b"{")]
    wrong = []
    for before, after in zip(done, done[1:]):
        # An iteration that was said is in the checkpoint a moment later; who dies in between makes it again.
        if after["iteration"] not in (before["iteration"], before["iteration"] + 1):
            wrong.append(f"iteration {after['iteration']} comes after {before['iteration']}")
    cluster_training.answer(weights, folder / "answer.sqlite")  # they load
    return "; ".join(wrong)


def _part(options: argparse.Namespace, what: str, count: int, make: Callable[..., str]) -> list[str]:
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        victims = Victims(folder, random.Random(1))
        try:
            wrong = make(options, folder, victims, count)
        finally:
            victims.cluster.stop()
    words = ", ".join(f"{number} {victim}" for victim, number in sorted(victims.killed.items()))
    found = f"{f'**{wrong}**' if wrong else 'nothing'} ({words})"
    return [f"| lost, made twice or wrong after {count} `kill -9` at random in a {what} | nothing | {found} |"]


def study_kills(options: argparse.Namespace) -> list[str]:
    """Three of four kills."""
    return _part(options, "study", options.kills - options.kills // 4, killed_study)


def training_kills(options: argparse.Namespace) -> list[str]:
    """The others."""
    return _part(options, "training", options.kills // 4, killed_training)
