"""Schedules of kernels as an environment; skipped where Ordo is built without MLIR."""

import math
import pathlib

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import ordo

WORKER = pathlib.Path(ordo.__file__).parent / "_native" / "bin" / "ordo-mlir-worker"
pytestmark = pytest.mark.skipif(not WORKER.exists(), reason="libmlir-22-dev is not installed")

KERNEL = "mlir/matmul/12x16x8"


@pytest.fixture
def env():
    made = gymnasium.make("ordo:ordo/Mlir-v0", program=KERNEL)
    yield made.unwrapped
    made.close()


def choose(env, step):
    """Takes a whole step, choice by choice. Returns what the last of them did."""
    kind, _, numbers = step.rstrip(">").partition("<")
    choices = [kind, *(numbers.split(",") if numbers else [])]
    for choice in choices:
        outcome = env.step(env.actions.index(choice))
    return outcome


def test_gymnasium_has_nothing_to_say(env):
    check_env(env, skip_render_check=True)


def test_before_a_reset_there_is_the_usual_error(env):
    with pytest.raises(ValueError, match="reset the episode first"):
        env.step(0)
    assert env.reset(seed=1)[1]["action_mask"].any()


def test_kernels_are_not_for_the_environment_of_llvm():
    with pytest.raises(ordo.Error, match=r"is a kernel of MLIR, .*ordo/Mlir-v0"):
        ordo.LlvmEnv(program=KERNEL).reset()


def test_a_step_is_chosen_number_by_number(env):
    _, info = env.reset(seed=1)
    assert info["action_mask"][env.actions.index("tile")] == 1
    assert info["action_mask"][env.actions.index("16")] == 0
    _, reward, _, _, info = env.step(env.actions.index("tile"))
    loops = [env.actions[i] for i in np.flatnonzero(info["action_mask"])]
    assert reward == 0 and loops == ["0", "1", "2"]
    _, _, _, _, info = env.step(env.actions.index("0"))
    sizes = [env.actions[i] for i in np.flatnonzero(info["action_mask"])]
    assert sizes == ["1", "2", "3", "4", "6"], "what divides 12"
    _, reward, _, _, info = env.step(env.actions.index("5"))
    assert reward == 0 and info["status"] == "rejected" and "may not be chosen" in info["detail"]
    _, _, _, _, info = env.step(env.actions.index("6"))
    assert info["schedule"] == "tile<0,6>"


def test_what_is_earned_is_the_logarithm_of_the_speedup(env):
    _, start = env.reset(seed=1)
    total = choose(env, "vectorize<4,16,1>")[1] + choose(env, "stop")[1]
    _, reward, terminated, _, info = choose(env, "greedy")
    assert terminated and not info["action_mask"].any()
    assert total + reward == pytest.approx(math.log(start["metric"] / info["metric"]))
    assert "transform.structured.vectorize" in bytes(env.observe("schedule")).decode()
    assert env.measure("time_ns") > 0


def test_episodes_of_chance_end_and_are_right():
    env = gymnasium.make("ordo:ordo/Mlir-v0", program=["mlir/mlp/4x6x8x2", KERNEL], max_steps=12)
    rng = np.random.default_rng(3)
    for seed in range(12):
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            legal = np.flatnonzero(info["action_mask"])
            _, _, terminated, truncated, info = env.step(rng.choice(legal))
            assert info["status"] == "ok", info["detail"]
            ended = terminated or truncated
    env.close()


def test_times_are_earned_at_the_end():
    env = gymnasium.make("ordo:ordo/Mlir-v0", program=KERNEL, metric="time_ns", immediate=False).unwrapped
    env.reset(seed=1)
    assert choose(env, "vectorize<4,16,1>")[1] == 0
    assert math.isfinite(choose(env, "greedy")[1])
    env.close()


def test_maskable_ppo_learns_what_a_register_is():
    contrib = pytest.importorskip("sb3_contrib")
    env = gymnasium.make("ordo:ordo/Mlir-v0", program=KERNEL, max_steps=8)
    model = contrib.MaskablePPO("MlpPolicy", env, n_steps=64, batch_size=64, seed=1)
    model.learn(128)
    env.close()
