"""The options that single and vector environments share."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from gymnasium import spaces

from ordo import _check, _core
from ordo._engine import engine
from ordo._engine import functions as list_functions
from ordo._engine import programs as list_programs

_DTYPES: dict[str, Any] = {"int64": np.int64, "float32": np.float32, "float64": np.float64}
_HAVE_NOTHING = {"action_history", "counters"}  # where that is -1
_SHARES = {"autophase_norm", "inst_count_norm"}  # between 0 and 1


@dataclass(frozen=True)
class Config:
    """What an environment is made of.

    Attributes:
        observation: Name of one observation, or several for a ``Dict`` space (``ordo list observations``).
        reward: Name of a reward (``ordo list rewards --verbose`` prints the definition of each).
        space: Name of an action space, or the path of one (``ordo list spaces``).
        max_steps: Steps after which an episode is truncated; 0 for no limit.
        max_uses: How often one action may be applied in an episode; 0 for no limit.
        stop_action: Whether the last action ends the episode. It is always legal.
        mask_no_effect: Mask actions known to do nothing in the current state.
        verify: Verify the program after every step instead of at the end of the episode. Costs about as much
            as a small pass. Either way a broken program is never worth more than doing nothing.
        report_hash: Put the hash of the state's IR into ``info["ir_hash"]``. Costs about a small pass.
        report_time: Put the seconds a step took into ``info["seconds"]``, which makes infos differ from run
            to run.
        level: Source is compiled as clang does at this level, but without passes: the level sets attributes.
        evaluation: Allow programs that are reserved for final evaluation.
        cache_mib: Memory for programs that were loaded before.
        trial_seconds: What a reward of run time (``runtime/clang-O3@end``) may take to tell the program from
            the baseline. It takes less where that is clear.
    """

    observation: str | Sequence[str] = "autophase"
    reward: str = "ir_instructions/clang-Oz"
    space: str = "size"
    max_steps: int = 45
    max_uses: int = 0
    stop_action: bool = True
    mask_no_effect: bool = True
    verify: bool = False
    report_hash: bool = False
    report_time: bool = False
    level: str = "Oz"
    evaluation: bool = False
    cache_mib: int = 512
    trial_seconds: float = 10.0
    _names: tuple[str, ...] = field(init=False, repr=False, default=())

    def __post_init__(self) -> None:
        object.__setattr__(self, "_names", tuple(_check.texts("observation", self.observation)))
        for name in ("reward", "level"):
            _check.text(name, getattr(self, name))
        object.__setattr__(self, "space", _check.text("space", self.space))
        for name, most in (("max_steps", 2**32 - 1), ("max_uses", 2**32 - 1), ("cache_mib", 2**40)):
            object.__setattr__(self, name, _check.integer(name, getattr(self, name), 0, most))
        flags = ("stop_action", "mask_no_effect", "verify", "report_hash", "report_time", "evaluation")
        for name in flags:
            object.__setattr__(self, name, _check.flag(name, getattr(self, name)))

        object.__setattr__(self, "trial_seconds", _check.seconds("trial_seconds", self.trial_seconds))

    @classmethod
    def of(cls, given: dict[str, Any]) -> Config:
        """The options as a user gave them. Raises ``TypeError`` for one that there is not."""
        _check.options(cls, given)
        return cls(**given)

    def make(self, *, parallel: int, worker: str = "") -> _core.Environment:
        """The native environment; ``parallel`` is how many episodes will be under way at once."""
        return _core.Environment.make(
            engine(worker),
            space=self.space,
            observations=list(self._names),
            reward=self.reward,
            max_steps=self.max_steps,
            max_uses=self.max_uses,
            stop_action=self.stop_action,
            mask_no_effect=self.mask_no_effect,
            verify=self.verify,
            hash=self.report_hash,
            # A processor that waits is one less for the workers.
            spin=parallel < len(os.sched_getaffinity(0)),
            level=self.level,
            evaluation=self.evaluation,
            cache_mib=self.cache_mib,
            trial_seconds=self.trial_seconds,
        )

    def observation_space(self, sensors: Sequence[dict[str, Any]]) -> spaces.Space[Any]:
        """The space of one observation: a ``Box`` or ``Text``, or a ``Dict`` of them."""
        parts = {sensor["name"]: _space_of(sensor) for sensor in sensors}
        return parts[self.observation] if isinstance(self.observation, str) else spaces.Dict(parts)


def _space_of(sensor: dict[str, Any]) -> spaces.Space[Any]:
    if sensor["fixed"]:
        dtype = _DTYPES[sensor["dtype"]]
        if np.issubdtype(dtype, np.integer):
            # Counts, which are never negative, but for a -1 where there is nothing.
            lowest = -1 if sensor["name"] in _HAVE_NOTHING else 0
            return spaces.Box(lowest, np.iinfo(dtype).max - 1, sensor["shape"], dtype)  # sample() adds 1
        # Finite limits, because Gymnasium's checker frowns at infinite ones. Metrics are never negative.
        limit = float(np.finfo(dtype).max)
        low = 0.0 if sensor["dtype"] == "float64" else -limit
        if sensor["name"] in _SHARES:
            low, limit = 0.0, 1.0
        return spaces.Box(low, limit, sensor["shape"], dtype)
    if sensor["dtype"] == "bytes":
        return VariableBytes()
    return VariableArray(_DTYPES[sensor["dtype"]], sensor["shape"])


class VariableBytes(spaces.Space[Any]):
    """Bytes of any length: IR text, bitcode. Not for batches; ask single environments."""

    def __init__(self, seed: int | None = None):
        super().__init__((), None, seed)

    def sample(self, mask: Any = None, probability: Any = None) -> bytes:
        """A few random bytes."""
        return self.np_random.bytes(int(self.np_random.integers(0, 64)))

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the right type, and the right shape but for its first extent."""
        return isinstance(x, bytes)

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, VariableBytes)


class VariableArray(spaces.Space[Any]):
    """Arrays whose first extent depends on the program. Not for batches; ask single environments."""

    def __init__(self, dtype: Any, shape: Sequence[int], seed: int | None = None):
        super().__init__(tuple(shape), dtype, seed)
        self._rest = tuple(shape[1:])  # the extents that do not vary

    def sample(self, mask: Any = None, probability: Any = None) -> np.ndarray:
        """A few rows of zeros."""
        rows = int(self.np_random.integers(0, 8))
        return np.zeros((rows, *self._rest), self.dtype)

    def contains(self, x: Any) -> bool:
        """Whether ``x`` has the right type, and the right shape but for its first extent."""
        return isinstance(x, np.ndarray) and x.dtype == self.dtype and x.shape[1:] == self._rest

    def __eq__(self, other: Any) -> bool:
        return isinstance(other, VariableArray) and self.dtype == other.dtype and self.shape == other.shape


#: What environments draw from unless they are told: programs of the suite that are compiled and measured in
#: a fraction of a second each.
QUICK_PROGRAMS = tuple(
    f"suite/{name}"
    for name in ("base64", "bwt", "crc32", "editdist", "fft", "life", "linalg", "sha256", "sudoku", "wc")
)


def expand_programs(program: str | Sequence[str]) -> list[str]:
    """URIs and paths as they are; the name of a finite dataset, or a folder, as what is in it; ``PROGRAM#*`` as
    the functions of a program."""
    names = _check.texts("program", program)
    result: list[str] = []
    for name in names:
        whole = name in {d["name"] for d in _core.datasets() if d["finite"]} or name.startswith("dir:")
        if whole and not name.endswith((".bc", ".ll", ".c", ".cc", ".cpp", ".cxx")):
            result.extend(list_programs(name))
        elif name.endswith("#*"):
            result.extend(list_functions(name.removesuffix("#*")))
        else:
            result.append(name)
    if not result:
        raise ValueError(f"there are no programs in {', '.join(names) or 'an empty list'}")
    return result
