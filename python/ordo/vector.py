"""Many programs at once: a native vector environment, without Python in the loop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from ordo import _check, _core
from ordo.config import _DTYPES, QUICK_PROGRAMS, Config, expand_programs

_STATUSES = np.array(_core.STATUSES, dtype=object)
_ENDINGS = np.array(_core.ENDINGS, dtype=object)


class LlvmVectorEnv(VectorEnv):
    """Environments that are stepped together, each with an LLVM worker process of its own.

    ``step`` steps all of them. ``send`` and ``recv`` are EnvPool's asynchronous pair: with ``batch_size``
    smaller than ``num_envs``, ``recv`` returns the first that are ready, which pays because passes differ a
    hundredfold in time; ``info["env_id"]`` says whose rows they are.

    Args:
        num_envs: How many environments.
        batch_size: How many ``recv`` returns; all if absent. ``step`` needs all.
        program: As for :class:`ordo.LlvmEnv`.
        order: ``random`` (each episode draws a program) or ``cycle``.
        seed: Of the choice of programs, until ``reset(seed=...)``. Environment i has the same episodes for
            the same seed and actions, however many environments there are.
        autoreset_mode: NEXT_STEP (Gymnasium's default: the step after an end ignores its action and returns
            the first observation), SAME_STEP (``infos["final_obs"]``, ``infos["final_info"]``) or DISABLED
            (``reset(options={"reset_mask": ...})``).
        **options: See :class:`ordo.config.Config`.
    """

    metadata = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}

    def __init__(
        self,
        num_envs: int = 1,
        *,
        batch_size: int | None = None,
        program: str | Sequence[str] = QUICK_PROGRAMS,
        order: str = "random",
        seed: int = 0,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        render_mode: str | None = None,
        **options: Any,
    ):
        if order not in ("random", "cycle"):
            raise ValueError(f"order is random or cycle, not {order!r}")
        if render_mode is not None:
            raise ValueError("vectors are not rendered; render a single environment")
        self.autoreset_mode = AutoresetMode(autoreset_mode)
        self.metadata = {"render_modes": [], "autoreset_mode": self.autoreset_mode}
        self.render_mode = None
        self.num_envs = num_envs = _check.integer("num_envs", num_envs, 1, 2**31 - 1)
        self.batch_size = num_envs
        if batch_size is not None:
            self.batch_size = _check.integer("batch_size", batch_size, 1, num_envs)
        seed = _check.integer("seed", seed)
        self.config = Config.of(options)
        self._environment = self.config.make(parallel=num_envs)
        self.programs = expand_programs(program)
        self._sensors = self._environment.sensors
        self._single = isinstance(self.config.observation, str)
        self.single_observation_space = self.config.observation_space(self._sensors)
        self.single_action_space = spaces.Discrete(self._environment.choices)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)
        self.actions: list[str] = self._environment.actions + (["stop"] if self.config.stop_action else [])
        self._vector: _core.VectorEnv | None = _core.VectorEnv(
            self._environment,
            num_envs=num_envs,
            batch_size=self.batch_size,
            programs=self.programs,
            cycle=order == "cycle",
            seed=seed,
            autoreset=self.autoreset_mode.value,
        )
        self._masks = np.ones((num_envs, self._environment.choices), np.int8)
        self._latest: list[np.ndarray] = []  # the arrays of the latest observation

    # -- Gymnasium ----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | Sequence[int] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """New episodes in all environments, or in those of ``options["reset_mask"]``."""
        if seed is not None and np.ndim(seed) > 0:
            raise ValueError("the environments of a vector share one seed: give an int")
        if seed is not None:
            seed = _check.integer("seed", seed)
        mask = (options or {}).get("reset_mask")
        if self.batch_size != self.num_envs:
            raise ValueError("with batch_size < num_envs use async_reset() and recv()")
        which: list[int] = []
        if mask is not None:
            if not isinstance(mask, np.ndarray) or mask.dtype != np.bool_ or not mask.any():
                raise ValueError("reset_mask is a bool array with at least one True")
            which = np.flatnonzero(mask).tolist()
        before = self._latest
        self._native.reset(which, seed)
        observation, _, _, _, info = self._recv()
        if which:
            return self._merge(before, which), self._spread(info, which)
        return observation, info

    def step(self, actions: np.ndarray) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One action for each environment; the rows of what comes back are in their order."""
        if self.batch_size != self.num_envs:
            raise ValueError("with batch_size < num_envs use send() and recv()")
        self.send(actions)
        return self.recv()

    def close_extras(self, **kwargs: Any) -> None:
        """Gives the workers back."""
        self._vector = None

    # -- Asynchronous -------------------------------------------------------------------------------

    def async_reset(self, *, seed: int | None = None) -> None:
        """Begins new episodes everywhere; ``recv`` returns their first observations."""
        self._native.reset([], None if seed is None else _check.integer("seed", seed))

    def send(self, actions: np.ndarray, env_id: np.ndarray | None = None) -> None:
        """Begins a step in the environments ``env_id``, or in all."""
        ids = None if env_id is None else _check.numbers("env_id", env_id, np.int32)
        self._native.send(_check.numbers("actions", actions, np.int64), ids)

    def recv(self) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """Waits for ``batch_size`` environments; ``info["env_id"]`` names the rows."""
        return self._recv()

    # -- Beyond Gymnasium ---------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Bool [num_envs, actions]: which actions may be chosen, as of the latest observation of each."""
        return self._masks.astype(bool)

    @property
    def skipped(self) -> list[tuple[str, str]]:
        """Programs that could not be used, each with the reason."""
        return self._native.skipped

    @property
    def reward_definition(self) -> str:
        """The formula behind the reward."""
        return self._environment.reward_definition

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Which actions are one pass with different parameters: ``pass``, ``actions``, ``parameters``."""
        return self._environment.groups

    # -- Inside -------------------------------------------------------------------------------------

    @property
    def _native(self) -> _core.VectorEnv:
        if self._vector is None:
            raise _core.Error("the environment is closed")
        return self._vector

    def _recv(self) -> tuple[Any, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        size = self.batch_size
        same_step = self.autoreset_mode == AutoresetMode.SAME_STEP
        arrays = self._arrays(size)
        finals = self._arrays(size) if same_step else []
        masks = np.empty((size, self._environment.choices), np.uint8)
        ids = np.empty(size, np.int32)
        rewards = np.empty(size, np.float64)
        flags = np.empty((5, size), np.uint8)
        numbers = np.empty((3, size), np.float64)
        counts = np.empty((2, size), np.int64)
        received = self._native.recv(
            arrays, finals, masks, ids, rewards, flags.reshape(-1), numbers.reshape(-1), counts.reshape(-1)
        )
        if received < size:
            arrays = [array[:received] for array in arrays]
            masks, ids, rewards = masks[:received], ids[:received], rewards[:received]
            flags, numbers, counts = flags[:, :received], numbers[:, :received], counts[:, :received]
        masks = masks.view(np.int8)
        self._masks[ids] = masks
        terminated, truncated = flags[0].astype(bool), flags[1].astype(bool)
        info: dict[str, Any] = {
            "env_id": ids,
            "action_mask": masks,
            "status": _STATUSES[flags[2]],
            "ending": _ENDINGS[flags[3]],
            "changed": flags[4].astype(bool),
            "metric": numbers[0],
            "return": numbers[2],
            "steps": counts[0],
            "program": counts[1],
        }
        if self.config.report_time:
            info["seconds"] = numbers[1]
        every = np.ones(received, bool)
        for key in list(info):
            info[f"_{key}"] = every
        if same_step and (terminated | truncated).any():
            self._add_final(info, terminated | truncated, finals)
        return self._pack(arrays), rewards, terminated, truncated, info

    def _add_final(self, info: dict[str, Any], done: np.ndarray, finals: list[np.ndarray]) -> None:
        final = np.full(done.shape, None, dtype=object)
        for row in np.flatnonzero(done):
            parts = [array[row].copy() for array in finals]
            final[row] = parts[0] if self._single else {s["name"]: p for s, p in zip(self._sensors, parts)}
        keys = ("status", "ending", "changed", "metric", "return", "steps")
        info["final_obs"], info["_final_obs"] = final, done
        info["final_info"] = {key: info[key] for key in keys} | {f"_{key}": done for key in keys}
        info["_final_info"] = done

    def _arrays(self, rows: int) -> list[np.ndarray]:
        return [np.empty((rows, *s["shape"]), _DTYPES[s["dtype"]]) for s in self._sensors]

    def _pack(self, arrays: list[np.ndarray]) -> Any:
        self._latest = arrays
        if self._single:
            return arrays[0]
        return {sensor["name"]: array for sensor, array in zip(self._sensors, arrays)}

    def _merge(self, before: list[np.ndarray], which: list[int]) -> Any:
        """What is known of all environments after a partial reset; zeros of those that never were reset."""
        whole = [array.copy() for array in before or map(np.zeros_like, self._arrays(self.num_envs))]
        for full, part in zip(whole, self._latest):
            full[which] = part
        return self._pack(whole)

    def _spread(self, info: dict[str, Any], which: list[int]) -> dict[str, Any]:
        """The info of a partial reset with a row for every environment; ``_key`` says which are new."""
        fresh = np.zeros(self.num_envs, bool)
        fresh[which] = True
        full: dict[str, Any] = {}
        for key, values in info.items():
            if key.startswith("_"):
                full[key] = fresh
                continue
            full[key] = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
            full[key][which] = values
        full["env_id"] = np.arange(self.num_envs, dtype=np.int32)
        full["action_mask"] = self._masks.copy()
        return full
