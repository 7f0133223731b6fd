"""``ordo/Mlir-v0``: schedules of kernels, one decision after another.

A step of a schedule is a type and numbers, ``tile<0,32>``. They are chosen one by one: first the type, then
each number, and the mask says at any time what may be next. So one small space of choices does for all steps,
a number is the same choice wherever it stands, and what may be chosen never fails.

>>> import gymnasium
>>> env = gymnasium.make("ordo:ordo/Mlir-v0", program="mlir/matmul/64x64x64")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ordo import _check
from ordo.env import LlvmEnv

#: Small kernels of the dataset for training, of several kinds.
KERNELS = (
    "mlir/matmul/64x64x64",
    "mlir/matmul/96x96x96",
    "mlir/matmul_tb/48x64x32",
    "mlir/batch_matmul/4x32x32x32",
    "mlir/conv_nhwc/18x18x16x16x3x1",
    "mlir/softmax/32x64",
    "mlir/mlp/16x32x64x16",
    "mlir/add/64x256",
)
_MOST_NUMBERS = 3


class _Steps(LlvmEnv):
    """A schedule, whole steps at a time."""

    _worker = "ordo-mlir-worker"


class MlirEnv(gymnasium.Env):
    """A kernel as an environment: the state is a schedule, an action is a type of step or one of its numbers.

    Args:
        program: Kernels: of the dataset (``mlir/matmul/64x64x64``, all of ``mlir``) or files. With more than
            one, each reset draws one; ``reset(options={"program": …})`` names it.
        metric: What is to be made small: ``cost``, by a model and without a clock, or ``time_ns``, measured
            here after every element was compared.
        immediate: Whether each step earns what it changed, or the last step earns all.
        max_steps: Whole steps after which an episode is truncated.
        render_mode: ``ansi`` for the steps so far as text.

    A step earns the logarithm of how many times faster it made the kernel, so an episode returns that of the
    whole speedup over the kernel as it is written. An episode ends once all operations are dealt with
    (``greedy`` does the rest of them at once). Every schedule is compiled and compared at the end; one that
    computes something wrong is worth nothing, and that would be a bug of Ordo's.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        program: str | Sequence[str] = KERNELS,
        *,
        metric: str = "cost",
        immediate: bool = True,
        max_steps: int = 40,
        render_mode: str | None = None,
    ):
        self._immediate = _check.flag("immediate", immediate)
        self._metric = _check.text("metric", metric)
        self.render_mode = render_mode
        self._steps = _Steps(
            program, observation="features", reward=self._metric, max_steps=max_steps, stop_action=False
        )
        #: All steps there are: "tile<0,32>".
        self.steps: list[str] = list(self._steps.actions)
        parts = [_parts(name) for name in self.steps]
        self._types = list(dict.fromkeys(kind for kind, _ in parts))
        self._numbers = sorted({number for _, numbers in parts for number in numbers})
        #: Names of the choices: types of steps, then numbers.
        self.actions: list[str] = self._types + [str(number) for number in self._numbers]
        place = {number: len(self._types) + i for i, number in enumerate(self._numbers)}
        # For each step its choices, one after the other; -1 behind the last.
        self._paths = np.full((len(parts), 1 + _MOST_NUMBERS), -1, np.int64)
        for row, (kind, numbers) in zip(self._paths, parts):
            row[0] = self._types.index(kind)
            row[1 : 1 + len(numbers)] = [place[number] for number in numbers]
        self.action_space = spaces.Discrete(len(self.actions))
        width = self._steps.observation_space.shape[0] + len(self._types) + 2 * _MOST_NUMBERS
        limit = float(np.finfo(np.float32).max)
        self.observation_space = spaces.Box(-limit, limit, (width,), np.float32)
        self._most_choices = max_steps * (1 + _MOST_NUMBERS)
        self._chosen: list[int] = []
        self._mask = np.ones(len(self.actions), np.int8)
        self._info: dict[str, Any] | None = None  # of the last whole step; None before the first reset

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """A new schedule, of ``options["program"]`` or of one of the programs."""
        super().reset(seed=seed)
        self._features, info = self._steps.reset(seed=seed, options=options)
        self._start = self._last = info["metric"]
        self._info = info
        self._taken: list[str] = []
        self._chosen = []
        self._choices = 0
        return self._observe(), self._told()

    def step(self, action: int) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Takes one choice. One that may not be taken now is ``rejected`` and does nothing but count."""
        action = _check.integer("action", action, 0, len(self.actions) - 1)
        if self._info is None:
            self._steps.step(0)  # raises what it always raises before a reset
        self._choices += 1
        if not self._mask[action]:
            told = self._told() | {
                "status": "rejected",
                "changed": False,
                "detail": f"{self.actions[action]} may not be chosen now; the mask says what may be",
            }
            return self._observe(), 0.0, False, self._choices >= self._most_choices, told
        self._chosen.append(action)
        found = np.flatnonzero(self._reachable())
        depth = len(self._chosen)
        if depth <= _MOST_NUMBERS and self._paths[found[0], depth] >= 0:
            return self._observe(), 0.0, False, False, self._told()
        self._chosen = []
        self._taken.append(self.steps[found[0]])
        self._features, _, terminated, truncated, self._info = self._steps.step(int(found[0]))
        reward, now = 0.0, self._info["metric"]
        if self._immediate or terminated or truncated:
            before = self._last if self._immediate else self._start
            reward = math.log(before / now) if before > 0 and now > 0 else 0.0
            self._last = now
        return self._observe(), reward, terminated, truncated, self._told()

    def action_masks(self) -> np.ndarray:
        """Which choices may be made now, for MaskablePPO; never all zero before the end."""
        return self._mask.astype(bool)

    def observe(self, name: str) -> Any:
        """Any observation of the schedule: ``schedule``, ``ir``, ``loops``, ``accesses``, ``steps``."""
        return self._steps.observe(name)

    def measure(self, metric: str) -> float:
        """A metric of the schedule: ``time_ns``, ``cost``."""
        return self._steps.measure(metric)

    def render(self) -> str | None:
        """The steps so far."""
        if self.render_mode != "ansi":
            return None
        begun = " ".join(self.actions[choice] for choice in self._chosen)
        return "; ".join([*self._taken, *([begun + " …"] if begun else [])])

    def close(self) -> None:
        """Gives the worker back."""
        self._steps.close()

    def _reachable(self) -> np.ndarray:
        """Which steps may be taken and begin with what was chosen."""
        steps = self._steps.action_masks()[: len(self.steps)]
        for i, choice in enumerate(self._chosen):
            steps = steps & (self._paths[:, i] == choice)
        return steps

    def _told(self) -> dict[str, Any]:
        following = self._paths[self._reachable(), len(self._chosen)]
        self._mask = np.zeros(len(self.actions), np.int8)
        self._mask[following[following >= 0]] = 1
        return {**(self._info or {}), "action_mask": self._mask, "schedule": ";".join(self._taken)}

    def _observe(self) -> np.ndarray:
        begun = np.zeros(len(self._types) + 2 * _MOST_NUMBERS, np.float32)
        for i, choice in enumerate(self._chosen):
            if i == 0:
                begun[choice] = 1
                continue
            begun[len(self._types) + 2 * i - 2] = 1
            begun[len(self._types) + 2 * i - 1] = math.log2(1 + self._numbers[choice - len(self._types)])
        return np.concatenate([self._features, begun])


def _parts(step: str) -> tuple[str, list[int]]:
    kind, _, numbers = step.rstrip(">").partition("<")
    return kind, [int(number) for number in numbers.split(",")] if numbers else []
