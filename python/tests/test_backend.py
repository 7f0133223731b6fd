"""A backend that is a worker program and nothing else is stepped as LLVM is (tests/fakes/schedule_session.h)."""

import os
import pathlib
import subprocess
import sys

import pytest

WORKER = pathlib.Path(__file__).resolve().parents[2] / "build" / "release" / "bin" / "schedule-worker"

STEPS = """
import sys
import ordo

env = ordo.LlvmEnv(sys.argv[1], observation="schedule", reward="cycles/usual", max_steps=8)
observation, info = env.reset(seed=1)
names = list(env.actions)
assert names[:4] == ["tile<2>", "tile<4>", "tile<8>", "tile<32>"], names
types = {group["pass"]: group["parameters"] for group in env.groups}
assert types["tile"] == ["2", "4", "8", "32"], types
# A loop that is not tiled cannot be made of vectors: that is not offered, and undone where it is tried.
assert not info["action_mask"][names.index("vector<32>")] and info["action_mask"][names.index("tile<32>")], info
_, total, _, _, info = env.step(names.index("vector<32>"))
assert info["status"] == "rejected" and total == 0 and not info["action_mask"][names.index("vector<32>")], info
for name in ("tile<32>", "vector<32>", "unroll<4>"):
    assert info["action_mask"][names.index(name)], name
    observation, reward, terminated, truncated, info = env.step(names.index(name))
    total += reward
    assert not terminated and not truncated
print(observation.tolist(), round(total, 6))
"""


@pytest.mark.skipif(not WORKER.exists(), reason="schedule-worker is built by ./ordo test")
def test_another_backend(tmp_path):
    loop = tmp_path / "kernel.loop"
    loop.write_text("loop 64\n")
    run = subprocess.run(
        [sys.executable, "-c", STEPS, loop],
        env=os.environ | {"ORDO_WORKER": str(WORKER)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    # From 64 * (1 + 5/4 + 2/8) cycles to 64 / 32, in units of what the backend's own baseline takes.
    start, end, usual = 64 * 2.5, 2.0, 64 * 1.625
    assert run.stdout.split("] ")[0] == "[32, 4, 32"
    assert float(run.stdout.split("] ")[1]) == pytest.approx((start - end) / usual, abs=1e-5)
