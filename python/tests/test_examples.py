"""The examples run, at a small size and with warnings as errors."""

from __future__ import annotations

import pytest
from conftest import ROOT, run_example

SMALL = ["suite/crc32", "suite/wc"]


@pytest.mark.parametrize(
    ("name", "arguments", "expected"),
    [
        ("random_walk", ["--steps", "200"], r"best return \d"),
        ("random_walk", ["--steps", "50", "--program", "examples/new_program"], r"best return"),
        ("greedy", ["--steps", "200"], r"return \d.* after \d+ actions tried"),
        ("async_vector", ["--steps", "200", "--envs", "3", "--programs", *SMALL], r"batch_size  2 of 3"),
    ],
    ids=["random_walk", "new_program", "greedy", "async_vector"],
)
def test_example(name, arguments, expected):
    run_example(name, arguments, expected)


#: What is more than an example of an interface: whole demonstrations.
DEMONSTRATIONS = {"firmware", "phase1", "riscv32", "service"}
SHORT = [
    path for path in sorted((ROOT / "examples").rglob("*.[cp]*")) if path.parent.name not in DEMONSTRATIONS
]


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.name)
def test_an_example_is_short(path):
    assert len(path.read_text().splitlines()) < 80
