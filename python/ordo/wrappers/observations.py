"""What a learner sees."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ordo.wrappers._base import OrdoWrapper


class ActionHistory(OrdoWrapper):
    """Appends to the observation which actions the episode has taken so far.

    The observation has to be a ``Box`` with one axis, and becomes a float32 one. The environment's own
    observations ``action_histogram`` and ``action_history`` count applied actions only; here every step
    counts, also one that failed, and of the action space as wrapped so far.

    Args:
        env: The environment.
        kind: ``histogram`` (how often each action was taken) or ``last`` (the latest ``length`` actions as
            indices, the newest first, -1 where there were none yet).
        length: Of ``last``.
        normalize: Divide the histogram by the number of steps, or the indices by the number of actions, so
            that all is between -1 and 1 (CompilerGym's ConcatActionsHistogram divides by a fixed episode
            length).
    """

    def __init__(
        self, env: gymnasium.Env, kind: str = "histogram", *, length: int = 8, normalize: bool = False
    ):
        super().__init__(env, kind=kind, length=length, normalize=normalize)
        inner = env.observation_space
        if not isinstance(inner, spaces.Box) or len(inner.shape) != 1:
            raise ValueError(f"ActionHistory needs a Box with one axis to append to, not {inner}")
        if not isinstance(env.action_space, spaces.Discrete):
            raise ValueError(f"ActionHistory needs discrete actions, not {env.action_space}")
        if kind not in ("histogram", "last"):
            raise ValueError(f"kind is histogram or last, not {kind!r}")
        self.kind, self.normalize = kind, normalize
        self._choices = int(env.action_space.n)
        self._length = self._choices if kind == "histogram" else length
        self._taken: list[int] = []
        low, high = (0.0, np.finfo(np.float32).max) if kind == "histogram" else (-1.0, float(self._choices))
        if normalize:
            high = 1.0
        self.observation_space = spaces.Box(
            np.concatenate([inner.low.astype(np.float32), np.full(self._length, low, np.float32)]),
            np.concatenate([inner.high.astype(np.float32), np.full(self._length, high, np.float32)]),
            dtype=np.float32,
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode, without actions."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._taken = []
        return self._append(observation), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Counts the action."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._taken.append(int(action))
        return self._append(observation), reward, terminated, truncated, info

    def _append(self, observation: np.ndarray) -> np.ndarray:
        if self.kind == "histogram":
            more = np.bincount(self._taken, minlength=self._choices).astype(np.float32)
            if self.normalize and self._taken:
                more /= len(self._taken)
        else:
            more = np.full(self._length, -1, np.float32)
            latest = self._taken[: -self._length - 1 : -1]
            more[: len(latest)] = latest
            if self.normalize:
                more[: len(latest)] /= self._choices
        return np.concatenate([observation.astype(np.float32), more])

    def _forked(self, copy: Any) -> None:
        copy._taken = list(self._taken)


class DictMask(OrdoWrapper):
    """Puts the action mask into the observation: ``{"observations": ..., "action_mask": ...}``.

    RLlib's and PettingZoo's models look for it there; PettingZoo's key is ``observation``.

    Args:
        env: The environment.
        key: Where the observation itself goes.
        mask_key: Where the mask goes, float32 with one element per action.
    """

    def __init__(self, env: gymnasium.Env, key: str = "observations", mask_key: str = "action_mask"):
        super().__init__(env, key=key, mask_key=mask_key)
        if not isinstance(env.action_space, spaces.Discrete):
            raise ValueError(f"DictMask needs discrete actions, not {env.action_space}")
        self.key, self.mask_key = key, mask_key
        self.observation_space = spaces.Dict(
            {
                key: env.observation_space,
                mask_key: spaces.Box(0.0, 1.0, (int(env.action_space.n),), np.float32),
            }
        )

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode, its first observation with the mask."""
        observation, info = self.env.reset(seed=seed, options=options)
        return self._with_mask(observation, info), info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """A step, its observation with the mask."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return self._with_mask(observation, info), reward, terminated, truncated, info

    def _with_mask(self, observation: Any, info: dict[str, Any]) -> dict[str, Any]:
        return {self.key: observation, self.mask_key: info["action_mask"].astype(np.float32)}
