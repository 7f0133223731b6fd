"""Environments as our policies see them: the features of a state, encoded in C++, and its mask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ordo import _core
from ordo.vector import LlvmVectorEnv

#: An only answer goes on for so long and then ends (policy::kOnlySteps), so that nobody needs to know when.
ONLY_STEPS = 24
#: No feature is beyond it (policy::kMaxMagnitude).
LARGEST = 1e6


class PolicyVectorEnv(VectorEnv):
    """A NEXT_STEP vector whose actions are a policy's, by name, with ``stop`` as the last.

    An observation is one row of float32: the features that the policy has in the compiler, bit by bit, and
    then 1 for each action that is legal and 0 for the others. An episode that has run to its last step has
    ended: how many steps are left is among the features, so that nothing is worth anything behind them.

    Args:
        num_envs: How many environments.
        actions: Of the policy, without ``stop``. Those that the space lacks are never legal.
        objective: ``ir_instructions`` or ``text_bytes``: what is to become less.
        reward: ``immediate``: what a step saves, as a share of what clang -Oz leaves; ``final``: all of it at
            the end.
        measured: What the reward is of, if not the objective.
        max_length: What the policy takes for the longest sequence.
        only: It is told that each answer is the only one, and makes :data:`ONLY_STEPS` steps.
        max_steps: Of an episode; by default :data:`ONLY_STEPS`.
        **options: As for :class:`ordo.LlvmVectorEnv`: ``program``, ``space``, ``seed`` and others.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        actions: Sequence[str],
        objective: str = "ir_instructions",
        reward: str = "immediate",
        measured: str = "",
        max_length: int = 60,
        only: bool = True,
        max_steps: int = ONLY_STEPS,
        **options: Any,
    ):
        if reward not in ("immediate", "final"):
            raise ValueError(f"reward is immediate or final, not {reward!r}")
        end = "@end" if reward == "final" else ""
        self.vector = LlvmVectorEnv(
            num_envs,
            observation=["autophase", "ir2vec"],
            reward=f"{measured or objective}/clang-Oz{end}",
            max_steps=max_steps,
            **options,
        )
        self.num_envs = self.vector.num_envs
        self._features = _core.Features.make(
            self.vector._environment,
            actions=list(actions),
            objective=objective,
            max_length=max_length,
            only=only,
        )
        self._only = only
        places = {name: place for place, name in enumerate(self.vector.actions)}
        stop = places["stop"]
        known = [places.get(name, -1) for name in actions] + [stop]
        self._known = np.array([place >= 0 for place in known])
        # What the space lacks is never legal; whoever takes it all the same stops.
        self._places = np.array([place if place >= 0 else stop for place in known], np.int64)
        self.features = self._features.width
        low = np.concatenate([np.full(self.features, -LARGEST), np.zeros(len(known))]).astype(np.float32)
        high = np.concatenate([np.full(self.features, LARGEST), np.ones(len(known))]).astype(np.float32)
        self.single_observation_space = spaces.Box(low, high, dtype=np.float32)
        self.single_action_space = spaces.Discrete(len(known))
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New episodes in all environments."""
        _, info = self.vector.reset(seed=seed, options=options)
        return self._see(info), {}

    def step(
        self, actions: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action of the policy for each environment."""
        _, rewards, terminated, truncated, info = self.vector.step(
            self._places[np.asarray(actions, np.int64)]
        )
        return self._see(info), rewards, terminated | truncated, np.zeros_like(truncated), {}

    def close_extras(self, **kwargs: Any) -> None:
        """Gives the workers back."""
        self.vector.close()

    def _see(self, info: dict[str, Any]) -> np.ndarray:
        features = np.empty((self.num_envs, self.features), np.float32)
        self.vector._native.encode(self._features, info["env_id"], features)
        legal = info["action_mask"].astype(bool)[:, self._places] & self._known
        if self._only:
            legal[:, -1] = ~legal[:, :-1].any(axis=1)
        return np.concatenate([features, legal.astype(np.float32)], axis=1)


def create(config: Mapping[str, Any]) -> PolicyVectorEnv:
    """The vector of an ``env_config``. Each runner has programs of its own, by its number."""
    options = dict(config)
    seed = 1000 * options.pop("seed", 0) + getattr(config, "worker_index", 0)
    return PolicyVectorEnv(options.pop("num_envs", 1), seed=seed, **options)
