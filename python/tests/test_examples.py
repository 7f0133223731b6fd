"""The examples run, at a small size and with warnings as errors."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest
from conftest import ROOT

SMALL = ["suite/crc32", "suite/wc"]


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("random_walk", ["--steps", "200"], r"best return \d"),
        ("random_walk", ["--steps", "50", "--program", "examples/new_program"], r"best return"),
        ("greedy", ["--steps", "200"], r"return \d.* after \d+ actions tried"),
        ("async_vector", ["--steps", "200", "--envs", "3", "--programs", *SMALL], r"batch_size  2 of 3"),
        ("maskable_ppo", ["--steps", "200", "--programs", *SMALL], r"mean return while training"),
        ("ppo", ["--steps", "200", "--programs", *SMALL], r"mean return while training"),
    ],
    ids=["random_walk", "new_program", "greedy", "async_vector", "maskable_ppo", "ppo"],
)
def test_example(name, arguments, expected):
    if name in ("maskable_ppo", "ppo"):
        pytest.importorskip("torch", reason="torch is not installed")
    if name == "maskable_ppo":
        pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    done = subprocess.run(
        [sys.executable, "-W", "error", f"examples/{name}.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert re.search(expected, done.stdout), done.stdout


@pytest.mark.parametrize("path", sorted((ROOT / "examples").rglob("*.[cp]*")), ids=lambda path: path.name)
def test_an_example_is_short(path):
    assert len(path.read_text().splitlines()) < 80
