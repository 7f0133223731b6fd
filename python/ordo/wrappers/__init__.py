"""Wrappers for single environments, on nothing but Gymnasium's public interface.

The step limit needs none: ``max_steps`` is the environment's own, because the last step has to verify the
program and to measure it where the reward comes at the end. ``gymnasium.wrappers.TimeLimit`` works as well,
but an episode that it cuts off has not been verified, and earns nothing from a reward of the ``@end`` kind.

Wrappers that change the actions keep ``info["action_mask"]``, ``action_masks()`` and ``actions`` in step.
"""

from ordo.wrappers.actions import ConstrainActions, HierarchicalActions
from ordo.wrappers.observations import ActionHistory, DictMask
from ordo.wrappers.programs import CyclePrograms, RandomProgram
from ordo.wrappers.records import LogToJsonl, LogToSqlite
from ordo.wrappers.rewards import ClampReward

__all__ = [
    "ActionHistory",
    "ClampReward",
    "ConstrainActions",
    "CyclePrograms",
    "DictMask",
    "HierarchicalActions",
    "LogToJsonl",
    "LogToSqlite",
    "RandomProgram",
]
