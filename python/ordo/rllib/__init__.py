"""For RLlib (Ray 2.60, its new stack): environments by one call, and our policies trained by it.

>>> from ray.rllib.algorithms.ppo import PPOConfig
>>> import ordo.rllib
>>> ordo.rllib.register("ordo")
>>> config = PPOConfig().environment("ordo", env_config={"program": "suite", "observation": "autophase_norm"})
>>> config.env_runners(num_envs_per_env_runner=4, gym_env_vectorize_mode="vector_entry_point")

Without ``gym_env_vectorize_mode`` RLlib makes single environments, which may be wrapped: ``env_config`` then
takes ``"mask": True`` for :class:`ordo.wrappers.DictMask`, whose observations are those of RLlib's action
masking example.

``ordo train policy --engine rllib`` trains what ``ordo tune`` loads (:mod:`ordo.rllib.train`): in
environments that show what policies see, mask included (:mod:`ordo.rllib.sight`), by a module that is our
network (:mod:`ordo.rllib.module`), whose checkpoints become files of weights (:mod:`ordo.rllib.export`).

Importing this module does not need Ray; calling ``register`` does.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import gymnasium

import ordo.cluster  # noqa: F401  how Ray is to be
from ordo.env import LlvmEnv
from ordo.vector import LlvmVectorEnv
from ordo.wrappers import DictMask


def create(config: Mapping[str, Any]) -> gymnasium.Env | LlvmVectorEnv:
    """The environment of an ``env_config``: a vector if it names ``num_envs``, else a single one.

    The vector is in NEXT_STEP mode, the only one that RLlib's runners understand. Each runner is a process
    with an engine of its own.
    """
    options = dict(config)
    mask = options.pop("mask", False)
    num_envs = options.pop("num_envs", None)
    if num_envs is None:
        env = LlvmEnv(**options)
        return DictMask(env) if mask else env
    if mask:
        raise ValueError("mask is for single environments: leave gym_env_vectorize_mode out")
    # Runners of one algorithm differ in their numbers, and their programs should too.
    options.setdefault("seed", getattr(config, "worker_index", 0))
    return LlvmVectorEnv(int(num_envs), **options)


def register(name: str = "ordo") -> None:
    """Makes ``name`` known to RLlib's ``.environment(name, env_config={...})``."""
    from ray.tune.registry import register_env  # type: ignore[import-not-found]

    register_env(name, create)
