"""``ordo/Llvm-v0``: one program, one pass after another."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ordo import _check, _core
from ordo.config import _DTYPES, QUICK_PROGRAMS, Config, expand_programs
from ordo.render import render_ansi, render_rgb

Observation = Any


class LlvmEnv(gymnasium.Env):
    """A compiler as an environment: the state is a program, an action is a pass.

    Args:
        program: What to optimise: a URI (``suite/crc32``, ``csmith/7``, ``dir:corpus/x.bc``), a path, the
            name of a dataset, or several of these. With more than one, each reset draws one at random;
            ``reset(options={"program": URI})`` names it. Without, ten programs that are quickly compiled
            (``ordo.config.QUICK_PROGRAMS``); ``"suite"`` is the whole suite.
        render_mode: ``ansi`` (text), ``human`` (text, printed) or ``rgb_array`` (a picture).
        **options: See :class:`ordo.config.Config`.

    ``info`` of a step holds ``action_mask``, ``status`` ("ok", "crashed", "rejected", ...; anything but "ok"
    earned nothing and left the state as it was), ``changed``, ``metric`` (the reward's metric now),
    ``ending`` ("" or why the episode ended) and ``detail`` of a failure.
    """

    metadata = {"render_modes": ["ansi", "human", "rgb_array"], "render_fps": 4}
    _worker = ""  # LLVM's

    def __init__(
        self,
        program: str | Sequence[str] = QUICK_PROGRAMS,
        *,
        render_mode: str | None = None,
        **options: Any,
    ):
        self.config = Config.of(options)
        self._made_with = (program, render_mode, options)
        self.render_mode = render_mode
        self._environment = self.config.make(parallel=1, worker=self._worker)
        self.programs = expand_programs(program)
        self._sensors = self._environment.sensors
        self._single = isinstance(self.config.observation, str)
        self.observation_space = self.config.observation_space(self._sensors)
        self.action_space = spaces.Discrete(self._environment.choices)
        #: Names of the actions; the stop action, if there is one, comes behind them.
        self.actions: list[str] = self._environment.actions + (["stop"] if self.config.stop_action else [])
        #: What each action does: a pass pipeline as opt reads it, or "+minsize" and the like.
        self.pipelines: list[str] = self._environment.pipelines
        self._native: _core.Episode | None = _core.Episode(self._environment)
        self._mask = np.ones(self._environment.choices, np.int8)
        self._trace: list[tuple[str, float]] = []  # (action, metric) from the reset on, for render()

    # -- Gymnasium ----------------------------------------------------------------------------------

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new episode, on ``options["program"]`` or on one of the programs.

        With a seed all that follows is as in a new environment with that seed. Without one the masks go on
        to leave out what earlier episodes found to do nothing in the same state.
        """
        super().reset(seed=seed)
        program = (options or {}).get("program")
        if program is not None:
            program = _check.text('options["program"]', program)
        else:
            program = self.programs[0]
            if len(self.programs) > 1:
                program = self.programs[int(self.np_random.integers(len(self.programs)))]
        self._began = time.monotonic()
        arrays, mask = self._buffers()
        report = self._episode.reset(program, seed is not None, arrays, mask)
        self._trace = [("", report[6])]
        info = self._info(report, mask)
        info["program"] = program
        return self._observation(arrays), info

    def step(self, action: int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Applies one action. Raises ``ValueError`` for one that does not exist or after the end."""
        action = _check.integer("action", action, -(2**63))
        arrays, mask = self._buffers()
        report = self._episode.step(action, arrays, mask)
        self._trace.append((self.actions[action], report[6]))
        if self.render_mode == "human":
            print(self.render_text())
        return self._observation(arrays), report[0], report[1], report[2], self._info(report, mask)

    def render(self) -> Any:
        """The metric and the passes so far, as ``render_mode`` says."""
        if self.render_mode == "rgb_array":
            return render_rgb(self._trace, self._environment.metric)
        if self.render_mode == "ansi":
            return self.render_text()
        return None

    def close(self) -> None:
        """Gives the worker back. The environment cannot be used afterwards."""
        self._native = None

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickles how the environment was made, not its state, which ``fork()`` copies: reset the copy."""
        return _make, (type(self), *self._made_with)

    # -- Beyond Gymnasium ----------------------------------------------------------------------------

    def action_masks(self) -> np.ndarray:
        """Which actions may be chosen now, for MaskablePPO; never all zero before the end."""
        return self._mask.astype(bool)

    def observe(self, name: str) -> Any:
        """Any observation of the state, also if the observation space has none such: ``ir``, ``bitcode``."""
        return self._episode.observe(_check.text("name", name))

    def measure(self, metric: str) -> float:
        """A metric of the state. Raises :class:`ordo.Error` if the program cannot be measured."""
        value, status, detail = self._episode.measure(_check.text("metric", metric))
        if status != "ok":
            raise _core.Error(f"{metric}: {status}: {detail}")
        return value

    def ir_hash(self) -> str:
        """Names the state: equal hashes are equal programs."""
        return self._episode.state_hash()

    def undo(self, steps: int = 1) -> tuple[Observation, dict[str, Any]]:
        """Takes back the last actions that were applied, also after the end of the episode."""
        arrays, mask = self._buffers()
        report = self._episode.undo(_check.integer("steps", steps, 0, 2**32 - 1), arrays, mask)
        self._trace.append(("undo", report[6]))
        return self._observation(arrays), self._info(report, mask)

    def fork(self) -> LlvmEnv:
        """An independent environment in the same state."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy._np_random = None
        copy._trace = list(self._trace)
        copy._mask = self._mask.copy()
        copy._native = self._episode.fork()
        return copy

    def state(self) -> dict[str, Any]:
        """What replays to this state anywhere: program, space, actions, and the metric they led to.

        One line of a states file (docs/formats/state.md) for ``ordo validate``.
        """
        state = self._episode.state()
        return {
            "format": 1,
            "program": state["program"],
            "level": self.config.level,
            "program_hash": state["program_hash"],
            "space": self._environment.space,
            "space_hash": self._environment.space_hash,
            "actions": state["actions"],
            "metric": self._environment.metric,
            "value": state["metric_value"],
            "reward": self._environment.reward,
            "return": state["total_reward"],
            "walltime_s": time.monotonic() - self._began,
        }

    @property
    def reward_definition(self) -> str:
        """The formula behind the reward."""
        return self._environment.reward_definition

    def render_text(self) -> str:
        """What ``render()`` returns in mode ``ansi``."""
        return render_ansi(self._trace, self._environment.metric)

    @property
    def groups(self) -> list[dict[str, Any]]:
        """Which actions are one pass with different parameters: ``pass``, ``actions``, ``parameters``."""
        return self._environment.groups

    # -- Inside --------------------------------------------------------------------------------------

    @property
    def _episode(self) -> _core.Episode:
        if self._native is None:
            raise _core.Error("the environment is closed")
        return self._native

    def _buffers(self) -> tuple[list[np.ndarray | None], np.ndarray]:
        arrays = [
            np.empty(sensor["shape"], _DTYPES[sensor["dtype"]]) if sensor["fixed"] else None
            for sensor in self._sensors
        ]
        return arrays, np.empty(self._environment.choices, np.uint8)

    def _observation(self, arrays: list[Any]) -> Observation:
        for i, array in enumerate(arrays):
            if array is None:
                arrays[i] = self._episode.observation(i)
        if self._single:
            return arrays[0]
        return {sensor["name"]: array for sensor, array in zip(self._sensors, arrays)}

    def _info(self, report: tuple[Any, ...], mask: np.ndarray) -> dict[str, Any]:
        self._mask = mask.view(np.int8)
        info = {
            "action_mask": self._mask,
            "status": report[3],
            "ending": report[4],
            "changed": report[5],
            "metric": report[6],
            "detail": report[8],
        }
        if self.config.report_hash:
            info["ir_hash"] = report[9]
        if self.config.report_time:
            info["seconds"] = report[7]
        return info


def _make(
    kind: type[LlvmEnv], program: str | Sequence[str], render_mode: str | None, options: dict[str, Any]
) -> LlvmEnv:
    return kind(program, render_mode=render_mode, **options)
