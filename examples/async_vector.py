"""Asynchronous steps: while slow passes run, the environments that are ready go on.

Compares the steps per second with those of waiting for all, on the same programs.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

import ordo

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--programs", nargs="+", default=["suite"])
parser.add_argument("--steps", type=int, default=5000)
parser.add_argument("--envs", type=int, default=8)
parser.add_argument("--batch", type=int, default=2, help="how many to wait for")
args = parser.parse_args()


def run(batch_size: int) -> tuple[float, float]:
    """Steps per second and the mean return of the episodes that ended, with random legal actions."""
    random = np.random.default_rng(0)
    envs = ordo.LlvmVectorEnv(args.envs, batch_size=batch_size, program=args.programs)
    envs.async_reset(seed=0)
    steps, returns, start = 0, [], time.perf_counter()
    while steps < args.steps:
        _, _, terminated, truncated, info = envs.recv()
        returns += list(info["return"][terminated | truncated])
        actions = np.array([random.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        envs.send(actions, info["env_id"])
        steps += len(actions)
    seconds = time.perf_counter() - start
    envs.close()
    return steps / seconds, float(np.mean(returns or [np.nan]))


for size in (args.envs, args.batch):
    speed, mean = run(size)
    print(f"batch_size {size:2d} of {args.envs}: {speed:6.0f} steps/s, mean return {mean:.4f}")
