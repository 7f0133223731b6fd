"""Which program an episode is about."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from ordo.config import expand_programs
from ordo.wrappers._base import OrdoWrapper


class _Programs(OrdoWrapper):
    def __init__(self, env: gymnasium.Env, programs: str | Sequence[str], **arguments: Any):
        super().__init__(env, programs=programs, **arguments)
        self.programs = expand_programs(programs)

    def _next(self) -> str:
        raise NotImplementedError

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode on the next program, unless ``options["program"]`` names one."""
        options = dict(options or {})
        if seed is not None:
            self._restart(seed)
        if "program" not in options:
            options["program"] = self._next()
        return self.env.reset(seed=seed, options=options)

    def _restart(self, seed: int) -> None:
        raise NotImplementedError


class RandomProgram(_Programs):
    """Each episode draws one of the programs at random, by the seed of ``reset``.

    The environment does so itself if it is made with several programs; the wrapper changes them later.

    Args:
        env: The environment.
        programs: URIs, paths, folders or names of datasets, or one of them.
    """

    def __init__(self, env: gymnasium.Env, programs: str | Sequence[str]):
        super().__init__(env, programs)
        # Of its own: a wrapper's np_random is the environment's, which draws from it too.
        self._random = np.random.default_rng()

    def _restart(self, seed: int) -> None:
        self._random = np.random.default_rng(seed)

    def _next(self) -> str:
        return self.programs[int(self._random.integers(len(self.programs)))]


class CyclePrograms(_Programs):
    """Each episode takes the next of the programs, then the first again. A seed begins with the first.

    Args:
        env: The environment.
        programs: URIs, paths, folders or names of datasets, or one of them.
        passes: How often to go through all; 0 for ever. After that ``reset`` raises ``StopIteration``.
    """

    def __init__(self, env: gymnasium.Env, programs: str | Sequence[str], *, passes: int = 0):
        super().__init__(env, programs, passes=passes)
        self.passes = passes
        self._count = 0

    def _restart(self, seed: int) -> None:
        del seed
        self._count = 0

    def _next(self) -> str:
        if self.passes and self._count >= self.passes * len(self.programs):
            raise StopIteration("every program had its turn")
        self._count += 1
        return self.programs[(self._count - 1) % len(self.programs)]
