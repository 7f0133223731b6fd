"""For Stable-Baselines3: the vector environment as one of its ``VecEnv``.

>>> from sb3_contrib import MaskablePPO
>>> from ordo.sb3 import SB3VecEnv
>>> model = MaskablePPO("MlpPolicy", SB3VecEnv(4, program="suite", observation="autophase_norm"))
>>> model.learn(10_000)

Needs the extra ``ordo[sb3]``. A single environment goes into Stable-Baselines3 as it is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from gymnasium import Env
from gymnasium.vector import AutoresetMode
from stable_baselines3.common.vec_env import VecEnv

from ordo.vector import LlvmVectorEnv


class SB3VecEnv(VecEnv):
    """:class:`ordo.LlvmVectorEnv` in SAME_STEP mode, as Stable-Baselines3 expects its vectors.

    ``infos[i]`` holds ``terminal_observation`` and ``TimeLimit.truncated`` at the end of an episode, and
    ``episode`` (its return ``r`` and length ``l``), so that no monitor is needed; what is logged lacks its
    time ``t``, which would differ from run to run. ``env_method("action_masks")`` serves MaskablePPO.

    Args:
        num_envs: How many environments.
        seed: Of their programs.
        **options: As for :class:`ordo.LlvmVectorEnv`.
    """

    def __init__(self, num_envs: int, *, seed: int = 0, **options: Any):
        if {"autoreset_mode", "batch_size"} & options.keys():
            raise ValueError("Stable-Baselines3 fixes autoreset_mode and batch_size")
        self.vector = LlvmVectorEnv(num_envs, seed=seed, autoreset_mode=AutoresetMode.SAME_STEP, **options)
        self.render_mode = None
        self._actions: np.ndarray | None = None
        super().__init__(num_envs, self.vector.single_observation_space, self.vector.single_action_space)

    def reset(self) -> Any:
        """New episodes everywhere, by the seed of ``seed()`` if that was called since the last."""
        seed = self._seeds[0]
        observation, info = self.vector.reset(seed=seed)
        self._reset_seeds()
        self._reset_options()
        self.reset_infos = [self._row(info, i) for i in range(self.num_envs)]
        return observation

    def step_async(self, actions: np.ndarray) -> None:
        """Begins a step everywhere."""
        self.vector.send(np.asarray(actions).reshape(self.num_envs))

    def step_wait(self) -> tuple[Any, np.ndarray, np.ndarray, list[dict[str, Any]]]:
        """Waits for it."""
        observation, rewards, terminated, truncated, info = self.vector.recv()
        done = terminated | truncated
        infos = [self._row(info, i) for i in range(self.num_envs)]
        for i in np.flatnonzero(done):
            final = info["final_info"]
            infos[i]["terminal_observation"] = info["final_obs"][i]
            infos[i]["TimeLimit.truncated"] = bool(truncated[i] and not terminated[i])
            infos[i]["episode"] = {"r": float(final["return"][i]), "l": int(final["steps"][i]), "t": 0.0}
        return observation, rewards.astype(np.float32), done, infos

    def close(self) -> None:
        """Gives the workers back."""
        self.vector.close()

    def get_attr(self, attr_name: str, indices: int | Iterable[int] | None = None) -> list[Any]:
        """An attribute of the vector, once for each of the environments."""
        return [getattr(self.vector, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: int | Iterable[int] | None = None) -> None:
        """Not there: the environments are not Python objects."""
        raise AttributeError(f"{attr_name} cannot be set: the environments are native")

    def has_attr(self, attr_name: str) -> bool:
        """Whether the vector has the attribute."""
        return hasattr(self.vector, attr_name)

    def env_method(
        self,
        method_name: str,
        *method_args: Any,
        indices: int | Iterable[int] | None = None,
        **method_kwargs: Any,
    ) -> list[Any]:
        """``action_masks``, the only one that a learner asks for."""
        if method_name != "action_masks":
            raise AttributeError(f"the environments of a native vector have no {method_name}()")
        masks = self.vector.action_masks()
        return [masks[i] for i in self._get_indices(indices)]

    def env_is_wrapped(
        self, wrapper_class: type[Env], indices: int | Iterable[int] | None = None
    ) -> list[bool]:
        """They never are, but for the monitor, whose work is done here."""
        is_monitor = wrapper_class.__name__ == "Monitor"
        return [is_monitor for _ in self._get_indices(indices)]

    def get_images(self) -> Sequence[np.ndarray | None]:
        """None: vectors are not rendered."""
        return [None] * self.num_envs

    def _row(self, info: dict[str, Any], i: int) -> dict[str, Any]:
        keys = ("status", "ending", "changed", "metric", "action_mask")
        row = {key: info[key][i] for key in keys}
        row["program"] = self.vector.programs[info["program"][i]]
        return row
