"""Which actions there are, and in which form."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from ordo.wrappers._base import OrdoWrapper


class ConstrainActions(OrdoWrapper):
    """Leaves a subset of the actions, and the stop action if there is one.

    To keep a subset for good, write it down as a space of its own (``docs/formats/space.md``) and give its
    path as ``space``: its hash then guards checkpoints, and masks need no translation.

    Args:
        env: The environment.
        actions: Names, in the order of the new action space.
    """

    def __init__(self, env: gymnasium.Env, actions: Iterable[str]):
        actions = list(actions)
        super().__init__(env, actions=actions)
        known: list[str] = env.get_wrapper_attr("actions")
        places = {name: index for index, name in enumerate(known)}
        names = list(dict.fromkeys(actions))
        missing = [name for name in names if name not in places]
        if missing:
            near = difflib.get_close_matches(missing[0], known, 1, 0.4)
            hint = f"; did you mean {near[0]}?" if near else ""
            raise ValueError(f"the action space has no {', '.join(missing)}{hint}")
        if known[-1] == "stop":
            names = [name for name in names if name != "stop"] + ["stop"]
        if not names:
            raise ValueError("without actions there is nothing to choose from")
        self._actions = names
        self._kept = np.array([places[name] for name in names])
        self.action_space = spaces.Discrete(len(names))

    @property
    def actions(self) -> list[str]:
        """Names of the actions that are left."""
        return self._actions

    def action_masks(self) -> np.ndarray:
        """Which of them may be chosen now, bool."""
        return self.env.get_wrapper_attr("action_masks")()[self._kept]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode; the mask is of what is left."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, info | {"action_mask": info["action_mask"][self._kept]}

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Takes an index into what is left."""
        observation, reward, terminated, truncated, info = self.env.step(int(self._kept[action]))
        info = info | {"action_mask": info["action_mask"][self._kept]}
        return observation, reward, terminated, truncated, info


class HierarchicalActions(OrdoWrapper):
    """Actions in two parts: the pass, then which of its parameter variants.

    The action space is ``MultiDiscrete([passes, most variants of a pass])``. A variant that the pass does not
    have is illegal, and masked: ``info["action_mask"]`` has the shape [passes, variants], flattened it is
    what ``MultiDiscrete`` policies with dependent masks expect. ``pass_mask()`` and ``variant_mask(p)`` serve
    policies that choose one after the other. The stop action is a pass of its own.

    ``action_masks()`` is for MaskablePPO, which knows only independent masks: the passes that have a legal
    variant, then the variants that some pass has. It may combine them into an illegal action, which is then
    replaced by the pass's first legal variant, so that learning goes on; ``info["replaced"]`` says so.
    """

    def __init__(self, env: gymnasium.Env):
        super().__init__(env)
        groups: list[dict[str, Any]] = env.get_wrapper_attr("groups")
        actions: list[str] = env.get_wrapper_attr("actions")
        #: Names of the passes, and for each the parameters of its variants.
        self.passes = [group["pass"] for group in groups]
        self.parameters = [list(group["parameters"]) for group in groups]
        members = [list(group["actions"]) for group in groups]
        if len(actions) > sum(map(len, members)):
            self.passes.append("stop")
            self.parameters.append([""])
            members.append([len(actions) - 1])
        widest = max(map(len, members))
        #: The flat action of each pair, -1 where there is none.
        self.flat = np.full((len(members), widest), -1, np.int64)
        for row, indices in enumerate(members):
            self.flat[row, : len(indices)] = indices
        self.action_space = spaces.MultiDiscrete(list(self.flat.shape))
        self._mask = (self.flat >= 0).astype(np.int8)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """A new episode; the mask is of pairs."""
        observation, info = self.env.reset(seed=seed, options=options)
        return observation, self._translate(info)

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Takes a pair of pass and variant."""
        row, column = (int(part) for part in action)
        replaced = not self._mask[row, column]
        if replaced:
            legal = np.flatnonzero(self._mask[row])
            column = int(legal[0]) if len(legal) else 0
        observation, reward, terminated, truncated, info = self.env.step(int(self.flat[row, column]))
        return observation, reward, terminated, truncated, self._translate(info) | {"replaced": replaced}

    def pass_mask(self) -> np.ndarray:
        """Which passes have a variant that may be chosen, bool."""
        return np.asarray(self._mask.any(axis=1))

    def variant_mask(self, which: int) -> np.ndarray:
        """Which variants of a pass may be chosen, bool."""
        return self._mask[which].astype(bool)

    def action_masks(self) -> np.ndarray:
        """The masks of both parts, one behind the other, as MaskablePPO wants them."""
        return np.concatenate([self._mask.any(axis=1), self._mask.any(axis=0)])

    def _translate(self, info: dict[str, Any]) -> dict[str, Any]:
        flat = info["action_mask"]
        self._mask = np.where(self.flat >= 0, flat[self.flat], 0).astype(np.int8)
        return info | {"action_mask": self._mask}
