"""What needs PyTorch: the package beside it, and the examples that train."""

from __future__ import annotations

import subprocess
import sys

import pytest
from conftest import SMALL, run_example

pytest.importorskip("torch", reason="torch is not installed (extra 'sb3')")


@pytest.mark.parametrize("order", ["import torch, ordo", "import ordo, torch"])
def test_torch_may_be_imported_before_and_after(order):
    code = (
        f"{order}\n"
        "env = ordo.LlvmEnv('suite/crc32'); observation, _ = env.reset(); env.step(20)\n"
        "print(torch.from_numpy(observation).sum().item())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > 0


@pytest.mark.parametrize("name", ["maskable_ppo", "ppo"])
def test_an_example_trains(name):
    if name == "maskable_ppo":
        pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed (extra 'sb3')")
    run_example(name, ["--steps", "200", "--programs", *SMALL[:2]], r"mean return while training")
