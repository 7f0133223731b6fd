"""What the wrappers share."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
from gymnasium.utils import RecordConstructorArgs


class OrdoWrapper(gymnasium.Wrapper, RecordConstructorArgs):
    """A wrapper that passes on what Ordo's environments have beyond Gymnasium's.

    ``gymnasium.Wrapper`` forwards no attributes since version 1.0; without this every caller of ``fork()`` or
    ``action_masks()`` would have to reach through ``unwrapped`` and see the actions that a wrapper changed.

    Args:
        env: The environment.
        arguments: What else the wrapper was made with, by name: ``env.spec`` keeps them, so that
            ``env.spec.make()`` and ``gymnasium.make(env.spec)`` make it again.
    """

    def __init__(self, env: gymnasium.Env, **arguments: Any):
        RecordConstructorArgs.__init__(self, **arguments)
        gymnasium.Wrapper.__init__(self, env)

    @property
    def actions(self) -> list[str]:
        """Names of the actions of this action space."""
        return self.env.get_wrapper_attr("actions")

    def action_masks(self) -> np.ndarray:
        """Which actions of this action space may be chosen now, bool."""
        return self.env.get_wrapper_attr("action_masks")()

    def fork(self) -> OrdoWrapper:
        """An independent environment in the same state, with the same wrappers."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        copy.env = self.env.get_wrapper_attr("fork")()
        self._forked(copy)
        return copy

    def _forked(self, copy: Any) -> None:
        """Gives the copy its own of what changes; the rest is shared."""
