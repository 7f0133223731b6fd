"""The adapters for learners' libraries."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import SMALL

import ordo.rllib
from ordo import wrappers

SMALL_NET = {"n_steps": 16, "batch_size": 16, "n_epochs": 1, "seed": 0, "device": "cpu"}


def test_the_sb3_vector_says_what_ours_says(make_vector):
    pytest.importorskip("stable_baselines3", reason="stable-baselines3 is not installed")
    from ordo.sb3 import SB3VecEnv

    env = SB3VecEnv(2, program=SMALL, max_steps=2)
    ours = make_vector(2, max_steps=2, autoreset_mode="SameStep")
    assert np.array_equal(env.reset(), ours.reset(seed=0)[0])
    assert np.array_equal(np.stack(env.env_method("action_masks")), ours.action_masks())
    for actions in ([20, 21], [22, 23]):
        observation, rewards, done, infos = env.step(np.array(actions))
        expected, *_, info = ours.step(np.array(actions))
        assert np.array_equal(observation, expected)
    assert done.all() and rewards.dtype == np.float32
    assert np.array_equal(infos[1]["terminal_observation"], info["final_obs"][1])
    assert infos[0]["TimeLimit.truncated"] and infos[0]["episode"]["l"] == 2
    env.seed(5)
    first = env.reset()
    env.seed(5)
    assert np.array_equal(first, env.reset())
    env.close()


def test_maskable_ppo_trains_on_single_environments_and_on_the_vector(make):
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    from ordo.sb3 import SB3VecEnv

    options = {"observation": "autophase_norm", "max_steps": 8}
    model = sb3.MaskablePPO("MlpPolicy", make(**options), **SMALL_NET)
    model.learn(32)
    vector = SB3VecEnv(2, program=SMALL, **options)
    model = sb3.MaskablePPO("MlpPolicy", vector, **SMALL_NET)
    model.learn(64)
    assert model.num_timesteps == 64
    vector.close()


def test_maskable_ppo_trains_on_pairs_of_pass_and_variant(make):
    sb3 = pytest.importorskip("sb3_contrib", reason="sb3-contrib is not installed")
    env = wrappers.HierarchicalActions(make(observation="autophase_norm", max_steps=8))
    sb3.MaskablePPO("MlpPolicy", env, **SMALL_NET).learn(32)


def test_rllib_gets_a_vector_or_a_single_environment(make):
    vector = ordo.rllib.create({"program": SMALL, "num_envs": 2, "max_steps": 3})
    assert vector.num_envs == 2 and vector.metadata["autoreset_mode"].value == "NextStep"
    vector.close()
    single = ordo.rllib.create({"program": "suite/crc32", "mask": True})
    assert set(single.reset()[0]) == {"observations", "action_mask"}
    single.close()
    with pytest.raises(ValueError, match="single"):
        ordo.rllib.create({"mask": True, "num_envs": 2})
