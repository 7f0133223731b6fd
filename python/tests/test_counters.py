"""The observation ``counters``: what the processor does while the program runs."""

from __future__ import annotations

import pathlib
import shutil
from collections.abc import Callable

import numpy as np
import pytest

import ordo

SOURCE = """
#include <stdio.h>
int main(void) {
  unsigned sum = 1;
  for (unsigned i = 0; i < 10000; i++) sum = sum * 31 + i;
  printf("%u\\n", sum);
}
"""


@pytest.fixture
def program(tmp_path: pathlib.Path) -> str:
    """A folder with a program and its one test."""
    folder = tmp_path / "sum"
    folder.mkdir()
    (folder / "sum.c").write_text(SOURCE)
    total = 1
    for i in range(10000):
        total = (total * 31 + i) % 2**32
    (folder / "right.out").write_text(f"{total}\n")
    (folder / "program.toml").write_text(
        'format = 1\nname = "sum"\nsummary = "a sum"\nlanguage = "c"\nsource = "sum.c"\n'
        '[[test]]\nname = "sum"\nargs = []\nstdout = "right.out"\n'
    )
    return str(folder)


@pytest.fixture
def counting(make: Callable[..., ordo.LlvmEnv], program: str) -> ordo.LlvmEnv:
    """An environment that observes nothing but counters."""
    env = make(program, observation="counters", max_steps=5)
    try:
        env.reset(seed=0)
    except ordo.Error as error:
        if shutil.which("valgrind"):
            raise
        pytest.skip(str(error))
    return env


def test_counters_follow_the_state(counting):
    first, _ = counting.reset(seed=0)
    assert counting.observation_space.contains(first) and first.shape == (12,)
    source, status, instructions = first[:3]
    assert source in (1, 2) and status == 0 and instructions > 10000
    observed = counting.step(counting.actions.index("sroa"))[0]
    reads, writes = 6, 7
    assert observed[1] == 0 and observed[reads] + observed[writes] < first[reads] + first[writes]
    assert np.array_equal(counting.observe("counters"), observed)
    assert np.array_equal(counting.undo()[0], first)


def test_a_program_that_cannot_be_run_has_no_counters(counting, make, program):
    source = str(pathlib.Path(program) / "sum.c")
    with pytest.raises(ordo.Error, match="program.toml with tests"):
        make(source, observation="counters").reset()
    env = make(source)
    env.reset()
    with pytest.raises(ordo.Error, match="program.toml with tests"):
        env.observe("counters")
