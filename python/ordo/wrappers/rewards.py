"""What a step is worth to a learner."""

from __future__ import annotations

from typing import SupportsFloat

import gymnasium

from ordo.wrappers._base import OrdoWrapper


class ClampReward(gymnasium.RewardWrapper, OrdoWrapper):
    """Limits rewards, softly: what exceeds a limit still counts, but only as a small share (the leak).

    ``r`` above ``high`` becomes ``high + leak * (r - high)``, and likewise below ``low``. The defaults are
    those of CompilerGym's ClampedReward. Sums of clamped rewards are no longer what the reward's definition
    says: use it for training, never for results.

    Args:
        env: The environment.
        low: Rewards below are compressed.
        high: Rewards above are compressed.
        leak: How much of the excess is left; 0 cuts it off.
    """

    def __init__(self, env: gymnasium.Env, low: float = -1.0, high: float = 1.0, leak: float = 0.001):
        OrdoWrapper.__init__(self, env, low=low, high=high, leak=leak)
        if not low < high:
            raise ValueError(f"no reward is between {low} and {high}")
        self.low, self.high, self.leak = low, high, leak

    def reward(self, reward: SupportsFloat) -> float:
        """The clamped reward."""
        value = float(reward)
        limited = min(max(value, self.low), self.high)
        return limited + self.leak * (value - limited)
