"""What the tests share: small programs and environments that are closed again."""

from __future__ import annotations

import pathlib
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import ordo

ROOT = pathlib.Path(__file__).resolve().parents[2]

#: Small programs of the suite, which compile in milliseconds.
SMALL = ["suite/crc32", "suite/wc", "suite/base64"]


def run_example(name: str, arguments: list[str], expected: str) -> None:
    """Runs examples/NAME.py with warnings as errors, and looks for the pattern in what it prints."""
    done = subprocess.run(
        [sys.executable, "-W", "error", f"examples/{name}.py", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr == ""
    assert re.search(expected, done.stdout), done.stdout


@pytest.fixture
def make() -> Iterator[Callable[..., ordo.LlvmEnv]]:
    """Makes single environments on a small program, and closes them."""
    made: list[ordo.LlvmEnv] = []

    def make_one(program: Any = "suite/crc32", **options: Any) -> ordo.LlvmEnv:
        made.append(ordo.LlvmEnv(program, **options))
        return made[-1]

    yield make_one
    for env in made:
        env.close()


@pytest.fixture
def make_vector() -> Iterator[Callable[..., ordo.LlvmVectorEnv]]:
    """Makes vectors on small programs, and closes them."""
    made: list[ordo.LlvmVectorEnv] = []

    def make_one(num_envs: int = 2, **options: Any) -> ordo.LlvmVectorEnv:
        made.append(ordo.LlvmVectorEnv(num_envs, **({"program": SMALL} | options)))
        return made[-1]

    yield make_one
    for env in made:
        env.close()
