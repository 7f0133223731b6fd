"""Ordo: LLVM 22 pass ordering, and schedules of MLIR 22, as Gymnasium environments.

>>> import gymnasium
>>> env = gymnasium.make("ordo:ordo/Llvm-v0", program="suite/crc32")
>>> observation, info = env.reset(seed=1)
>>> observation, reward, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))

Importing this package registers ``ordo/Llvm-v0`` and, for kernels, ``ordo/Mlir-v0`` (:mod:`ordo.mlir`).
Compilers run in worker processes, never in Python's.
"""

import gymnasium

from ordo._core import Error
from ordo._engine import datasets, functions, info, programs, stats
from ordo.env import LlvmEnv
from ordo.mlir import MlirEnv
from ordo.vector import LlvmVectorEnv

__all__ = ["Error", "LlvmEnv", "LlvmVectorEnv", "MlirEnv", "datasets", "functions", "info", "programs", "stats"]

gymnasium.register(
    id="ordo/Llvm-v0",
    entry_point="ordo.env:LlvmEnv",
    vector_entry_point="ordo.vector:LlvmVectorEnv",
    # Passes are deterministic, and so is everything an episode reports but the time it took.
    nondeterministic=False,
    # The step limit is the environment's own: the last step has to measure and verify.
    max_episode_steps=None,
)

gymnasium.register(
    id="ordo/Mlir-v0",
    entry_point="ordo.mlir:MlirEnv",
    # By the model of costs, the usual reward; times are what they are.
    nondeterministic=False,
    max_episode_steps=None,
)
